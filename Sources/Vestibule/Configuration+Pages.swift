internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import Logging
internal import Pages
internal import Site

extension Configuration {
  /// What answers on the pages' port.
  func pagesEndpoint(
    at address: Address,
    over worlds: any WorldDirectory,
    emulation: Emulation?,
    isStopping: Flag,
    logger: Logger
  ) throws(StartFailure) -> Endpoint {
    let origin = try checkedPublicOrigin(at: address)
    let hosts = HostPolicy(
      port: address.port,
      defaultPort: tls == nil ? 80 : 443,
      authorities: try namedAuthorities(port: address.port, publicOrigin: origin)
        + [origin.authority, address.written],
      admitsWorlds: worlds.hasWorlds
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
      worlds: worlds,
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
    let listener = PagesListener(
      site: site,
      hosts: hosts,
      backstage: try emulation.map { emulation throws(StartFailure) in
        try backstage(of: emulation, renderer, site, scheme: origin.scheme, logger: logger)
      }
    )
    return Endpoint(
      name: "pages",
      address: address,
      handler: listener,
      refusing: listener.refuse
    )
  }

  private func backstage(
    of emulation: Emulation,
    _ renderer: PageRenderer,
    _ site: Site,
    scheme: String,
    logger: Logger
  ) throws(StartFailure) -> BackstageListener {
    do {
      return try BackstageListener(
        emulation,
        renderer,
        site,
        scheme: scheme,
        report: .logged(by: logger)
      )
    } catch {
      throw StartFailure(.configuration, "\(error)")
    }
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
  func checkPages(at address: Address) throws(StartFailure) {
    _ = try pageFiles()
    if let keyFile { _ = try SealingKeys.read(keyFile) }
    try tls?.checkReadable()
    _ = try namedAuthorities(port: address.port)
    _ = try checkedRedirectOrigins()
  }

  private func checkedRedirectOrigins() throws(StartFailure) -> [String] {
    try redirectOrigins.map { text throws(StartFailure) in
      try WebOrigin(text, as: "redirect origin").description
    }
  }

  private func sealingKeys() throws(StartFailure) -> KeyRing {
    if let keyFile { return try SealingKeys.read(keyFile) }
    guard let dataFolder else { return KeyRing() }
    try makeFolder(dataFolder)
    return try SealingKeys.kept(in: dataFolder)
  }

  /// The origin that people type: configured, or where the pages are served.
  func checkedPublicOrigin(at address: Address) throws(StartFailure) -> WebOrigin {
    if let publicURL { return try WebOrigin(publicURL, as: "public URL") }
    return try WebOrigin("\(scheme)://\(address.written)", as: "address of the pages")
  }

  /// The further names with the ports by which people come (S2).
  ///
  /// A name with a port is answered at that one; a name alone at the port that is served, the public
  /// one and the scheme's own.
  func namedAuthorities(
    port: Int,
    publicOrigin: WebOrigin? = nil
  ) throws(StartFailure) -> [String] {
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

  func makeFolder(_ path: String) throws(StartFailure) {
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

  /// The scheme by which it is served.
  var scheme: String { tls == nil ? "http" : "https" }

  /// What the ready line says.
  func url(of address: Address) -> String { "\(scheme)://\(address.written)/" }
}

extension Configuration.Address {
  /// `host:port`, with the brackets that an IPv6 address needs.
  var written: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
