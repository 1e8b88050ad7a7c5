extension Configuration {
  /// Each listener has a port of its own: the system would say of the second that the first one's is taken, and by
  /// nobody else's program.
  ///
  /// - Throws: `StartFailure` naming two that are to have the same.
  func refuseSharedPort() throws(StartFailure) {
    var named: [(what: String, address: Address)] = []
    for case (let what, let address?) in [
      ("the pages", pages), ("the emulated API", emulator), ("the figures", metrics),
    ] where address.port != 0 {
      if let other = named.first(where: { $0.address == address }) {
        throw StartFailure(
          .configuration,
          "Port \(address.port) cannot be both for \(other.what) and for \(what)"
        )
      }
      named.append((what, address))
    }
  }
}
