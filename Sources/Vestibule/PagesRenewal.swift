internal import Locking
internal import Pages
internal import Site

/// Pages that can be made anew from their files while they are served.
struct PagesRenewal: Sendable {
  typealias Reading = @Sendable (Configuration) throws(StartFailure) -> PageFiles
  typealias Making = @Sendable (Configuration, KeyRing, PageFiles) throws(StartFailure) -> Endpoint

  let pages: RenewableEndpoint
  private let keys: Locked<KeyRing>
  private let read: Reading
  private let make: Making

  /// Makes the pages for the first time.
  ///
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - files: The files as first read.
  ///   - read: Reads the files again.
  ///   - make: Makes the endpoint; what it captures is kept across renewals.
  /// - Throws: `StartFailure` if a file or a key cannot be used.
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

  /// Marks of the keys in force, the sealing key's first.
  var keyMarks: [String] { keys.withLock(\.marks) }

  /// Makes the pages anew.
  ///
  /// - Returns: A function that puts them in force.
  /// - Throws: `StartFailure` if a file or a key cannot be used.
  func renewed(_ configuration: Configuration) throws(StartFailure) -> @Sendable () -> Void {
    // With --reload-templates words are read only when they are needed: check all of them here.
    if configuration.reloadsTemplates,
      let fault = TemplateCheck.wordFaults(under: configuration.templates).first
    {
      throw StartFailure(.configuration, fault)
    }
    // Keys that are in no file are kept: new ones would end every visit.
    let keys = try configuration.sealingKeys(else: self.keys.withLock { $0 })
    let endpoint = try make(configuration, keys, try read(configuration))
    return {
      self.keys.withLock { $0 = keys }
      pages.give(wayTo: endpoint)
    }
  }
}
