internal import Backstage
internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import Logging
internal import Pages
internal import Site

/// The emulated side of the house.
struct Emulation: Sendable {
  var api: EmulatedAPI
  var worlds: Worlds
  /// The API with the faults and traces of its worlds.
  var emulator: any HTTPHandler
  var backstageAPI: BackstageAPI
}

extension Configuration {
  /// An emulated API, or pages over plain http, are for this machine only (S24, S30).
  func refuseExposure() throws(StartFailure) {
    guard !allowsNonLoopback else { return }
    if let emulator, !emulator.isLoopback {
      throw StartFailure(
        .configuration,
        "The emulated API would be reachable from other machines at \(emulator.host): "
          + "add --allow-non-loopback if that is meant"
      )
    }
    let isProtected = tls != nil || !trustedProxies.isEmpty
    if let pages, !pages.isLoopback, authAPI.isEmulated || !isProtected {
      throw StartFailure(
        .configuration,
        "The pages would be reachable from other machines at \(pages.host), "
          + (authAPI.isEmulated
            ? "with an emulated API: add --allow-non-loopback if that is meant"
            : "over plain http: add --tls-certificate and --tls-key, or --trusted-proxy for the "
              + "proxy in front, or --allow-non-loopback if that is meant")
      )
    }
  }

  /// Opens the worlds where anything here is emulated.
  func startEmulation(
    emulatorPort: Int?,
    logger: Logger
  ) throws(StartFailure) -> Emulation? {
    guard let api = authAPI.emulatedAPI else { return nil }
    if let dataFolder { try makeFolder(dataFolder) }
    do {
      let worlds = try Worlds(
        storage: dataFolder.map(Worlds.Storage.folder) ?? .memory,
        behind: api,
        settings: instance,
        users: users,
        machineClock: { Date() }
      )
      let host = emulator?.host ?? "127.0.0.1"
      let scheme = tls == nil ? "http" : "https"
      let own = Address(host: host, port: 0).written(port: emulatorPort ?? 4010)
      let issuer = try emulatorPublicOrigin()?.description ?? "\(scheme)://\(own)"
      return Emulation(
        api: api,
        worlds: worlds,
        emulator: aroundEmulator(
          EmulatedService(
            api.emulator(
              over: worlds,
              address: issuer,
              hasOwnPort: emulatorPort != nil,
              origins: browserOrigins,
              report: .logged(by: logger)
            ),
            worlds: worlds,
            address: issuer
          )
        ),
        backstageAPI: BackstageAPI(worlds: worlds, scheme: scheme, report: .logged(by: logger))
      )
    } catch let failure as StartFailure {
      throw failure
    } catch {
      throw StartFailure(.configuration, "The emulator's data cannot be used: \(error)")
    }
  }

  /// Which web pages may call the emulated API on its own port.
  var browserOrigins: BrowserOrigins { BrowserOrigins(hosts: allowedHosts) }

  /// What answers on the pages' port.
  func pages(
    fronts: any WorldDirectory,
    port: Int,
    emulation: Emulation?,
    isStopping: Flag,
    logger: Logger
  ) throws(StartFailure) -> PagesListener {
    guard let pages else { preconditionFailure("Pages without an address") }
    let origin = try checkedPublicOrigin(port: port)
    let hosts = HostPolicy(
      port: port,
      defaultPort: tls == nil ? 80 : 443,
      authorities: try namedAuthorities(port: port, publicOrigin: origin)
        + [origin.authority, pages.written(port: port)],
      admitsWorlds: fronts.hasWorlds
    )
    let (renderer, files) = try pageFiles()
    let site = Site(
      Site.Configuration(
        publicOrigin: origin.description,
        hosts: hosts,
        redirectOrigins: try checkedRedirectOrigins(),
        hasThrottle: hasThrottle,
        trustedProxies: trustedProxies
      ),
      keys: try sealingKeys(),
      worlds: fronts,
      renderer: renderer,
      files: files,
      environment: Site.Environment(
        machineNow: { Date() },
        random: systemRandomBytes,
        logger: logger,
        notReady: {
          if isStopping.isRaised { return "stopping" }
          do {
            try await emulation?.worlds.checkWritable()
            return nil
          } catch {
            return "the database cannot be written"
          }
        }
      )
    )
    var backstage: BackstageListener?
    if authAPI.isEmulated, let emulation {
      do {
        backstage = try BackstageListener(
          emulation,
          renderer,
          site,
          scheme: origin.scheme,
          report: .logged(by: logger)
        )
      } catch {
        throw StartFailure(.configuration, "\(error)")
      }
    }
    return PagesListener(site: site, hosts: hosts, backstage: backstage)
  }

  private func pageFiles() throws(StartFailure) -> (PageRenderer, StaticFiles) {
    do {
      return (
        try PageRenderer(
          templates: templates,
          reloads: reloadsTemplates,
          usesOwnWords: usesOwnWords
        ),
        try StaticFiles(folder: publicFolder)
      )
    } catch {
      throw StartFailure(.configuration, "\(error)")
    }
  }

  /// Whether the pages could be served from here.
  func checkPageFiles() throws(StartFailure) {
    _ = try pageFiles()
    if let keyFile { _ = try SealingKeys.read(keyFile) }
    try tls?.checkReadable()
    _ = try namedAuthorities(port: pages?.port ?? 0)
    _ = try checkedRedirectOrigins()
  }

  private func checkedRedirectOrigins() throws(StartFailure) -> [String] {
    try redirectOrigins.map { text throws(StartFailure) in
      try WebOrigin(text, as: "redirect origin").description
    }
  }

  /// An emulator as it would be started, that leaves nothing behind.
  func passingEmulator() throws(StartFailure) -> any HTTPHandler {
    let api = authAPI.emulatedAPI ?? .clerk
    do {
      let worlds = try Worlds(
        storage: .memory,
        behind: api,
        settings: instance,
        users: users,
        machineClock: { Date() }
      )
      return api.emulator(
        over: worlds,
        address: "http://127.0.0.1:4010",
        hasOwnPort: false,
        origins: BrowserOrigins()
      )
    } catch {
      throw StartFailure(.configuration, "The emulator's data cannot be used: \(error)")
    }
  }

  private func sealingKeys() throws(StartFailure) -> KeyRing {
    if let keyFile { return try SealingKeys.read(keyFile) }
    guard let dataFolder else { return SealingKeys.passing() }
    try makeFolder(dataFolder)
    return try SealingKeys.kept(in: dataFolder)
  }

  private func makeFolder(_ path: String) throws(StartFailure) {
    do {
      try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    } catch {
      throw StartFailure(.configuration, "The data folder cannot be made: \(path)")
    }
  }

  /// The origin that people type: configured, or where the pages are served.
  func checkedPublicOrigin(port: Int) throws(StartFailure) -> WebOrigin {
    if let publicURL { return try WebOrigin(publicURL, as: "public URL") }
    guard let pages else { preconditionFailure("Pages without an address") }
    let scheme = tls == nil ? "http" : "https"
    return try WebOrigin("\(scheme)://\(pages.written(port: port))", as: "address of the pages")
  }

  /// The origin by which people reach the emulated API; nil where that is where it is served.
  func emulatorPublicOrigin() throws(StartFailure) -> WebOrigin? {
    try emulatorPublicURL.map { text throws(StartFailure) in
      try WebOrigin(text, as: "public URL of the emulated API")
    }
  }

  /// The further names with the ports by which people come (S2).
  ///
  /// A name with a port is answered at that one; a name alone at the port that is served, the public
  /// one and the scheme's own.
  func namedAuthorities(
    port: Int,
    publicOrigin: WebOrigin? = nil
  ) throws(StartFailure) -> [String] {
    let scheme = tls == nil ? "http" : "https"
    var authorities: [String] = []
    for name in allowedHosts {
      let origin = try WebOrigin("\(scheme)://\(name)", as: "allowed host", written: name)
      // Clients leave the scheme's port out, or write it all the same.
      authorities += [origin.authority, origin.fullAuthority]
      guard !origin.isPortWritten else { continue }
      authorities.append(WebOrigin(scheme: scheme, host: origin.host, port: port).fullAuthority)
      guard let publicOrigin else { continue }
      let named = WebOrigin(
        scheme: publicOrigin.scheme,
        host: origin.host,
        port: publicOrigin.port
      )
      authorities += [named.authority, named.fullAuthority]
    }
    return authorities
  }

  /// What the ready line says.
  func address(of address: Address, port: Int) -> String {
    "\(tls == nil ? "http" : "https")://\(address.written(port: port))/"
  }
}

extension EmulatedAPI {
  /// The emulator of this API; tokens name the address as their issuer.
  fileprivate func emulator(
    over worlds: Worlds,
    address: String,
    hasOwnPort: Bool,
    origins: BrowserOrigins,
    report: UnexpectedErrorReport = .none
  ) -> any HTTPHandler {
    switch self {
    case .clerk:
      ClerkEmulator(
        worlds: worlds,
        address: address,
        hasOwnPort: hasOwnPort,
        origins: origins,
        report: report
      )
    case .entra: EntraEmulator(worlds: worlds, address: address, report: report)
    }
  }
}

extension UnexpectedErrorReport {
  /// Writes each error into the log, under the reference that its answer names.
  static func logged(by logger: Logger) -> Self {
    Self { reference, error in
      logger.error(
        "unexpected error in the emulator",
        metadata: ["reference": "\(reference)", "error": "\(error)"]
      )
    }
  }
}

extension Configuration.Address {
  /// `host:port`, with the brackets that an IPv6 address needs.
  func written(port: Int) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
