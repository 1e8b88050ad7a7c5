internal import Locking
internal import Pages
internal import Site

/// Pages that can be made anew of their files while they are served.
struct PagesRenewal: Sendable {
  typealias Reading = @Sendable (Configuration) throws(StartFailure) -> PageFiles
  typealias Making = @Sendable (Configuration, KeyRing, PageFiles) throws(StartFailure) -> Endpoint

  let pages: RenewableEndpoint
  private let keys: Locked<KeyRing>
  private let read: Reading
  private let make: Making

  /// Makes them for the first time.
  ///
  /// - Parameters:
  ///   - configuration: What was asked for.
  ///   - files: Their files, as they are read the first time.
  ///   - read: Reads the files anew.
  ///   - make: Makes the endpoint; what it captures is what stays.
  /// - Throws: `StartFailure` where a file or a key cannot be used.
  init(
    _ configuration: Configuration,
    of files: Started<PageFiles>,
    read: @escaping Reading,
    make: @escaping Making
  ) throws(StartFailure) {
    self.read = read
    self.make = make
    let keys = try configuration.sealingKeys()
    self.keys = Locked(keys)
    pages = RenewableEndpoint(try make(configuration, keys, try files.value()))
  }

  /// Of the keys that are in force, the sealing one's first.
  var keyMarks: [String] { keys.withLock(\.marks) }

  /// Makes them anew.
  ///
  /// - Returns: What puts them in force.
  /// - Throws: `StartFailure` where a file or a key cannot be used.
  func renewed(_ configuration: Configuration) throws(StartFailure) -> @Sendable () -> Void {
    // Words that are read again by themselves are read where somebody wants them: here, all of them.
    if configuration.reloadsTemplates,
      let fault = TemplateCheck.wordFaults(under: configuration.templates).first
    {
      throw StartFailure(.configuration, fault)
    }
    // Keys that are in no file stay: with others every visit would end.
    let keys = try configuration.sealingKeys(else: self.keys.withLock { $0 })
    let endpoint = try make(configuration, keys, try read(configuration))
    return {
      self.keys.withLock { $0 = keys }
      pages.give(wayTo: endpoint)
    }
  }
}
