internal import Backstage
internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import Localization
internal import Locking
internal import Logging
internal import Pages
internal import Site

/// An emulated auth API with its worlds and everything that goes with them.
struct Emulation: Sendable {
  var api: EmulatedAuthAPI
  var worlds: Worlds
  /// Nil if the worlds are in memory.
  var claim: FolderClaim?
  /// The API with the faults and traces of its worlds.
  var emulator: any HTTPHandler
  var backstageAPI: BackstageAPI
  /// The application that people sign in to; replaced when files are read again.
  var application: Locked<InstalledApplication>
  /// The words of its messages; replaced likewise.
  var words: MessageWords
  /// The options that make fresh worlds differ from the default ones.
  var options: [String]
  /// The secret from which the workbench's form tokens are made, wherever its forms appear.
  let formSecret = systemRandomBytes(32)
  /// The walks that are recorded on the pages.
  let recordings: Recordings
  /// What backstage remembers when files are read again.
  let backstageMemory = BackstageMemory()
}

/// The application as the brand describes it, as last read.
struct InstalledApplication: Sendable {
  private(set) var current: EmulatedApplication
  /// How often it has changed.
  private(set) var revision = 0

  init(_ brand: InstalledBrand?) { current = EmulatedApplication(brand) }

  /// Puts another application in its place, unless it is the same.
  mutating func replace(by application: EmulatedApplication) {
    guard application != current else { return }
    current = application
    revision += 1
  }
}

extension Configuration {
  /// Opens the worlds and puts the emulator in front of them; `address` is the emulator's own, if it has one.
  func startEmulation(
    of api: EmulatedAuthAPI,
    at address: Address?,
    logger: Logger
  ) throws(StartFailure) -> Emulation {
    let claim = try dataFolder.map { folder throws(StartFailure) in
      try makeFolder(folder)
      let claim = FolderClaim(folder)
      if !claim.isAlone {
        logger.warning("data folder shared", metadata: ["folder": "\(folder)"])
      }
      return claim
    }
    let application = Locked(InstalledApplication(brand))
    let words = try messageWords(logger: logger)
    let worlds = try worlds(
      of: api,
      in: dataFolder.map(Worlds.Storage.folder) ?? .memory,
      for: application,
      saying: words
    )
    if let upgrade = worlds.upgrade {
      logger.notice(
        "database upgraded",
        metadata: [
          "folder": "\(dataFolder ?? "")", "from": "\(upgrade.from)", "to": "\(upgrade.to)",
        ]
      )
    }
    if worlds.keptOtherAccounts {
      logger.warning(
        "\(Self.keptAccounts)",
        metadata: ["folder": "\(dataFolder ?? "")", "advice": "\(Self.keptAccountsAdvice)"]
      )
    }
    let pagesOrigin = try pagesOrigin()
    let place = EmulatorPlace(
      address: try emulatorPublicOrigin()?.description
        ?? "\(scheme)://\((address ?? Address(port: 4010)).written)",
      hasOwnPort: address != nil,
      pagesOrigin: pagesOrigin,
      origins: try returnOrigins(),
      report: .logged(by: logger, over: worlds)
    )
    return Emulation(
      api: api,
      worlds: worlds,
      claim: claim,
      emulator: aroundEmulator(
        EmulatedService(api.emulator(worlds, place), worlds: worlds, address: place.address)
      ),
      backstageAPI: BackstageAPI(
        worlds: worlds,
        at: OwnOrigins(place.address),
        report: .logged(by: logger, over: worlds)
      ),
      application: application,
      words: words,
      options: worldOptions,
      recordings: Recordings(
        isSecure: pagesOrigin.map { OwnOrigins($0).isSecure } ?? false,
        randomBytes: systemRandomBytes
      )
    )
  }

  /// The names of the options that a recorded walk needs again.
  var worldOptions: [String] {
    (users == nil ? [] : ["--users"]) + (instance == InstanceSettings() ? [] : ["--instance"])
  }

  private static let keptAccounts =
    "the stored world main keeps its own accounts, not those of --users"
  private static let keptAccountsAdvice =
    "POST /backstage/api/reset loads those of --users, and --in-memory stores none"

  /// Notes on emulator options that have less effect than one may expect.
  func emulationNotes(over api: EmulatedAuthAPI) -> [String] {
    var notes = instance.changedKeys.filter { !InstanceSettings.isAsked($0, by: api.api) }
      .map { "\($0) of --instance has no effect with \(api.name)'s API" }
    notes += instance.notes(over: api.api, of: EmulatedApplication(brand)).map {
      "\($0.words) (--instance)"
    }
    if let dataFolder, let users,
      Worlds.keepsOtherAccounts(in: dataFolder, than: users, behind: api.api)
    {
      notes.append("\(Self.keptAccounts): \(Self.keptAccountsAdvice)")
    }
    return notes
  }

  /// An emulator as it would be started, but one that leaves nothing behind.
  func passingEmulator(of api: EmulatedAuthAPI) throws(StartFailure) -> any HTTPHandler {
    api.emulator(
      try worlds(
        of: api,
        in: .memory,
        for: Locked(InstalledApplication(brand)),
        saying: messageWords()
      ),
      EmulatorPlace()
    )
  }

  private func worlds(
    of api: EmulatedAuthAPI,
    in storage: Worlds.Storage,
    for application: Locked<InstalledApplication>,
    saying words: MessageWords
  ) throws(StartFailure) -> Worlds {
    do {
      return try Worlds(
        storage: storage,
        behind: api.api,
        settings: instance,
        application: applicationSource(or: application),
        words: words,
        users: users,
        machineClock: { Date() }
      )
    } catch {
      throw StartFailure(error)
    }
  }

  /// The words of the emulator's messages; custom words override the built-in ones, as on pages.
  func messageWords(logger: Logger? = nil) throws(StartFailure) -> MessageWords {
    do {
      return try MessageWords(
        under: templates,
        reloads: reloadsTemplates,
        usually: languageTag ?? .english,
        report: { logger?.error("template fault", metadata: ["fault": "\($0)"]) }
      )
    } catch {
      throw StartFailure(.configuration, "\(error)")
    }
  }

  /// The application with the brand that the pages show, so that the emulated instance has their name, support address
  /// and documents.
  ///
  /// If files are watched, the brand is that of the watched files, otherwise the one that was last read.
  private func applicationSource(or installed: Locked<InstalledApplication>) -> ApplicationSource {
    guard let watchedBrand else {
      return ApplicationSource(
        revision: { installed.withLock(\.revision) },
        current: { installed.withLock(\.current) }
      )
    }
    return ApplicationSource(
      revision: { watchedBrand.lastGood.look.revision },
      current: { EmulatedApplication(watchedBrand.lastGood) }
    )
  }

  /// The endpoint on the emulator's own port.
  func emulatorEndpoint(
    of emulation: Emulation,
    at address: Address,
    meter: Meter?,
    logger: Logger
  ) throws(StartFailure) -> Endpoint {
    let publicOrigin = try emulatorPublicOrigin()
    let ownOrigins = OwnOrigins(publicOrigin?.description ?? "\(scheme)://\(address.written)")
    let listener = EmulatorListener(
      api: emulation.api,
      emulator: BrowserAccess(emulation.emulator, origins: browserOrigins),
      backstage: emulation.backstageAPI
        .reporting(turnedAwayByBackstage(at: "emulator", meter, logger)),
      backstageGuard: BackstageGuard(
        own: ownOrigins,
        // Not counted here: it is counted with the server's own refusals.
        turnedAway: turnedAwayByBackstage(at: "emulator", nil, logger)
      ),
      hosts: HostPolicy(
        port: address.port,
        defaultPort: tls == nil ? 80 : 443,
        authorities: try namedAuthorities(port: address.port)
          + (publicOrigin.map { [$0.authority, $0.fullAuthority] } ?? []) + [address.written],
        admitsWorlds: true
      ),
      origins: browserOrigins,
      ownOrigins: ownOrigins,
      publicOrigin: publicOrigin,
      trustedProxies: trustedProxies,
      meter: meter,
      logger: logger
    )
    let endpoint = Endpoint(
      name: "emulated \(emulation.api.name.lowercased())",
      address: address,
      handler: listener,
      refusing: listener.refuse,
      spooledBodyLimitBytes: listener.spooledBodyLimitBytes(of:),
      longestDelay: .milliseconds(Fault.longestDelayMilliseconds)
    )
    return meter?.measuring(endpoint, as: "emulator", by: .of(emulation.api)) ?? endpoint
  }

  /// Which web pages may call the emulated API on its own port.
  private var browserOrigins: BrowserOrigins { BrowserOrigins(hosts: allowedHosts) }

  /// Where the emulated API may send browsers: to pages that may call it, and back to our own, which
  /// name themselves as they were asked.
  private func returnOrigins() throws(StartFailure) -> BrowserOrigins {
    guard let address = pages else { return browserOrigins }
    let own = try checkedPublicOrigin(at: address)
    // The port does not matter, and may not have been chosen yet.
    let served = Address(host: address.host, port: 1).written
    return BrowserOrigins(hosts: allowedHosts + [own.host, served])
  }

  /// The origin under which people reach the pages; nil if none are served.
  private func pagesOrigin() throws(StartFailure) -> String? {
    guard var address = pages else { return nil }
    // A server that listens on every address of the machine is reachable at this one.
    if ["0.0.0.0", "::"].contains(address.host) { address.host = "localhost" }
    return try checkedPublicOrigin(at: address).description
  }

  /// The configured public origin of the emulated API; nil if it is reached where it is served.
  func emulatorPublicOrigin() throws(StartFailure) -> WebOrigin? {
    try emulatorPublicURL.map { text throws(StartFailure) in
      try WebOrigin(text, as: "public URL of the emulated API")
    }
  }
}

extension InstanceSettings {
  /// The keys whose values differ from their defaults.
  fileprivate var changedKeys: [String] {
    let (own, usual) = (json, Self().json)
    return Self.keys.map(\.name).filter { own[$0] != usual[$0] }
  }
}

extension UnexpectedErrorReport {
  /// Logs each error under the reference that its answer names, which the pages log as the trace; with the folder if
  /// that is to blame.
  static func logged(by logger: Logger, over worlds: Worlds) -> Self {
    Self { reference, error in
      var metadata: Logger.Metadata = ["trace": "\(reference)", "error": "\(error)"]
      if let folder = worlds.blamedFolder(for: error) { metadata["folder"] = "\(folder)" }
      logger.error("unexpected error in the emulator", metadata: metadata)
    }
  }
}

extension Worlds {
  /// Writes to the database to find out why nothing can be stored now; nil if it can.
  func hindrance() async -> Readiness.Hindrance? {
    var details: Logger.Metadata = [:]
    if let folder { details["folder"] = "\(folder)" }
    do {
      try await checkWritable()
      return nil
    } catch let gone as Gone {
      return Readiness.Hindrance(reason: gone.description, details: details)
    } catch let busy as Busy {
      return Readiness.Hindrance(reason: busy.description, details: details)
    } catch WorldsError.damaged(_, let findings) {
      details["error"] = "\(findings.joined(separator: "; "))"
      return Readiness.Hindrance(reason: "the database is damaged", details: details)
    } catch let error as POSIXError {
      details["error"] = "\(error.localizedDescription)"
      return Readiness.Hindrance(reason: "the data folder cannot be read", details: details)
    } catch {
      details["error"] = "\(error)"
      return Readiness.Hindrance(reason: "the database cannot be written", details: details)
    }
  }
}
