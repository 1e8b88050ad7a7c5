internal import Backstage
internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import Logging
internal import Pages
internal import Site

/// The emulated side of the house.
struct Emulation: Sendable {
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
    if let pages, !pages.isLoopback, authAPI.isEmulated || tls == nil {
      throw StartFailure(
        .configuration,
        "The pages would be reachable from other machines at \(pages.host), "
          + (authAPI.isEmulated ? "with an emulated API" : "over plain http")
          + ": add --allow-non-loopback if that is meant"
      )
    }
  }

  /// Opens the worlds where anything here is emulated.
  func startEmulation(emulatorPort: Int?) throws(StartFailure) -> Emulation? {
    guard authAPI.isEmulated || emulator != nil else { return nil }
    if let dataFolder { try makeFolder(dataFolder) }
    do {
      let worlds = try Worlds(
        storage: dataFolder.map(Worlds.Storage.folder) ?? .memory,
        settings: instance,
        users: users,
        machineClock: { Date() }
      )
      let host = emulator?.host ?? "127.0.0.1"
      let issuer = "http://\(Address(host: host, port: 0).written(port: emulatorPort ?? 4010))"
      return Emulation(
        worlds: worlds,
        emulator: aroundEmulator(
          EmulatedService(
            ClerkEmulator(worlds: worlds, address: issuer),
            worlds: worlds,
            address: issuer
          )
        ),
        backstageAPI: BackstageAPI(worlds: worlds)
      )
    } catch {
      throw StartFailure(.configuration, "The emulator's data cannot be used: \(error)")
    }
  }

  /// What answers on the pages' port.
  func pages(
    fronts: any FrontDirectory,
    port: Int,
    emulation: Emulation?,
    isStopping: Flag,
    logger: Logger
  ) throws(StartFailure) -> PagesListener {
    guard let pages else { preconditionFailure("Pages without an address") }
    let origin = try publicOrigin(port: port)
    let authority = origin.split(separator: "/").last.map(String.init) ?? ""
    let hosts = HostPolicy(
      port: port,
      defaultPort: tls == nil ? 80 : 443,
      authorities: allowedHosts + [authority, pages.written(port: port)],
      admitsWorlds: fronts.hasWorlds
    )
    let renderer: PageRenderer
    let assets: Assets
    do {
      renderer = try PageRenderer(templates: templates, reloads: reloadsTemplates)
      assets = try Assets(folder: publicFolder)
    } catch {
      throw StartFailure(.configuration, "\(error)")
    }
    let site = Site(
      Site.Configuration(publicOrigin: origin, hosts: hosts, redirectOrigins: redirectOrigins),
      keys: try sealingKeys(),
      fronts: fronts,
      renderer: renderer,
      assets: assets,
      surroundings: Site.Surroundings(
        machineNow: { Date() },
        random: randomBytes(_:),
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
    return PagesListener(
      site: site,
      hosts: hosts,
      backstage: authAPI.isEmulated ? emulation.map(BackstageListener.init) : nil
    )
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
  private func publicOrigin(port: Int) throws(StartFailure) -> String {
    guard let publicURL else {
      guard let pages else { preconditionFailure("Pages without an address") }
      return "\(tls == nil ? "http" : "https")://\(pages.written(port: port))"
    }
    let trimmed = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
    guard let url = URL(string: trimmed), let scheme = url.scheme?.lowercased(),
      ["http", "https"].contains(scheme), let host = url.host(percentEncoded: true),
      !host.isEmpty, url.path().isEmpty, url.query() == nil, url.fragment() == nil,
      url.user() == nil
    else {
      throw StartFailure(
        .configuration,
        "The public URL is not scheme://host or scheme://host:port: \(publicURL)"
      )
    }
    return trimmed.lowercased()
  }

  /// What the ready line says.
  func address(of address: Address, port: Int) -> String {
    "\(tls == nil ? "http" : "https")://\(address.written(port: port))/"
  }
}

extension Configuration.Address {
  /// `host:port`, with the brackets that an IPv6 address needs.
  func written(port: Int) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

func randomBytes(_ count: Int) -> [UInt8] {
  var generator = SystemRandomNumberGenerator()
  return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}
