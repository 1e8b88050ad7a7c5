internal import Backstage
internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import Logging
internal import Site

/// An emulated auth API, with its worlds and what stands around it.
struct Emulation: Sendable {
  var api: EmulatedAuthAPI
  var worlds: Worlds
  /// The API with the faults and traces of its worlds.
  var emulator: any HTTPHandler
  var backstageAPI: BackstageAPI
}

extension Configuration {
  /// Opens the worlds, and puts the emulator before them; the address is its own, where it has one.
  func startEmulation(
    of api: EmulatedAuthAPI,
    at address: Address?,
    logger: Logger
  ) throws(StartFailure) -> Emulation {
    if let dataFolder { try makeFolder(dataFolder) }
    let worlds = try worlds(of: api, in: dataFolder.map(Worlds.Storage.folder) ?? .memory)
    let place = EmulatorPlace(
      address: try emulatorPublicOrigin()?.description
        ?? "\(scheme)://\((address ?? Address(port: 4010)).written)",
      hasOwnPort: address != nil,
      origins: browserOrigins,
      report: .logged(by: logger)
    )
    return Emulation(
      api: api,
      worlds: worlds,
      emulator: aroundEmulator(
        EmulatedService(api.emulator(worlds, place), worlds: worlds, address: place.address)
      ),
      backstageAPI: BackstageAPI(worlds: worlds, scheme: scheme, report: .logged(by: logger))
    )
  }

  /// An emulator as it would be started, that leaves nothing behind.
  func passingEmulator(of api: EmulatedAuthAPI) throws(StartFailure) -> any HTTPHandler {
    api.emulator(try worlds(of: api, in: .memory), EmulatorPlace())
  }

  private func worlds(
    of api: EmulatedAuthAPI,
    in storage: Worlds.Storage
  ) throws(StartFailure) -> Worlds {
    do {
      return try Worlds(
        storage: storage,
        behind: api.api,
        settings: instance,
        users: users,
        machineClock: { Date() }
      )
    } catch {
      throw StartFailure(.configuration, "The emulator's data cannot be used: \(error)")
    }
  }

  /// What answers on the emulator's own port.
  func emulatorEndpoint(
    of emulation: Emulation,
    at address: Address
  ) throws(StartFailure) -> Endpoint {
    let publicOrigin = try emulatorPublicOrigin()
    let listener = EmulatorListener(
      api: emulation.api,
      emulator: BrowserAccess(emulation.emulator, origins: browserOrigins),
      backstage: emulation.backstageAPI,
      hosts: HostPolicy(
        port: address.port,
        authorities: try namedAuthorities(port: address.port)
          + (publicOrigin.map { [$0.authority, $0.fullAuthority] } ?? []),
        admitsWorlds: true
      ),
      publicOrigin: publicOrigin,
      trustedProxies: trustedProxies
    )
    return Endpoint(
      name: "emulated \(emulation.api.name.lowercased())",
      address: address,
      handler: listener,
      refusing: listener.refuse
    )
  }

  /// Which web pages may call the emulated API on its own port.
  private var browserOrigins: BrowserOrigins { BrowserOrigins(hosts: allowedHosts) }

  /// The origin by which people reach the emulated API; nil where that is where it is served.
  private func emulatorPublicOrigin() throws(StartFailure) -> WebOrigin? {
    try emulatorPublicURL.map { text throws(StartFailure) in
      try WebOrigin(text, as: "public URL of the emulated API")
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
