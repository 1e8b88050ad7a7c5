internal import HTTPClientTransport

extension BaseURL {
  /// - Throws: `StartFailure` unless it is https, or http to this machine (S26).
  init(checking address: String) throws(StartFailure) {
    do {
      try self.init(address)
    } catch {
      throw StartFailure(.configuration, "\(error)")
    }
  }
}
