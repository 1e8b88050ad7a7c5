internal import Locking
internal import Site

/// Pages that can be made anew of their files while they are served.
struct PagesRenewal: Sendable {
  typealias Making = @Sendable (Configuration, KeyRing) throws(StartFailure) -> Endpoint

  let pages: RenewableEndpoint
  private let keys: Locked<KeyRing>
  private let make: Making

  /// Makes them for the first time.
  ///
  /// - Parameters:
  ///   - configuration: What was asked for.
  ///   - make: Makes the endpoint; what it captures is what stays.
  /// - Throws: `StartFailure` where a file or a key cannot be used.
  init(_ configuration: Configuration, _ make: @escaping Making) throws(StartFailure) {
    self.make = make
    let keys = try configuration.sealingKeys()
    self.keys = Locked(keys)
    pages = RenewableEndpoint(try make(configuration, keys))
  }

  /// Makes them anew.
  ///
  /// - Returns: What puts them in force.
  /// - Throws: `StartFailure` where a file or a key cannot be used.
  func renewed(_ configuration: Configuration) throws(StartFailure) -> @Sendable () -> Void {
    // Keys that are in no file stay: with others every visit would end.
    let keys = try configuration.sealingKeys(else: self.keys.withLock { $0 })
    let endpoint = try make(configuration, keys)
    return {
      self.keys.withLock { $0 = keys }
      pages.give(wayTo: endpoint)
    }
  }
}
