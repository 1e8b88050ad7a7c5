internal import Assets
internal import Backstage
internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import Logging
internal import Pages
internal import Site

/// The files that pages are made of, and the watch that notices changes to them.
struct PageFiles: Sendable {
  var renderer: PageRenderer
  var publicFiles: StaticFiles
  /// Nil if they are read only once.
  var watch: FileWatch?
}

extension Configuration {
  /// The endpoint on the pages' port.
  func pagesEndpoint(
    of files: PageFiles,
    in surroundings: PagesSurroundings,
    keys: KeyRing
  ) throws(StartFailure) -> Endpoint {
    let (address, meter) = (surroundings.address, surroundings.meter)
    let origin = try checkedPublicOrigin(at: address)
    let hosts = HostPolicy(
      port: address.port,
      defaultPort: tls == nil ? 80 : 443,
      authorities: try namedAuthorities(port: address.port, publicOrigin: origin)
        + [origin.authority, origin.fullAuthority, address.written],
      admitsWorlds: surroundings.worlds.hasWorlds
    )
    let probe = surroundings.probe
    meter?.watch(readiness: { await probe.isReady() })
    let site = Site(
      Site.Configuration(
        publicOrigin: origin.description,
        hosts: hosts,
        redirectOrigins: try checkedRedirectOrigins(),
        hasThrottle: hasThrottle,
        trustedProxies: trustedProxies,
        language: try checkedLanguage(among: files.renderer.choosableLanguages)
      ),
      keys: keys,
      worlds: surroundings.worlds,
      renderer: files.renderer,
      files: files.publicFiles,
      watch: files.watch,
      environment: surroundings.environment(of: hosts),
      memory: surroundings.memory
    )
    let origins = OwnOrigins(origin.description)
    let listener = PagesListener(
      site: site,
      hosts: hosts,
      backstage: try surroundings.emulation.map { emulation throws(StartFailure) in
        try BackstageOnDemand(isDemanded: templates != nil) { () throws(StartFailure) in
          try backstage(of: emulation, files, site, at: origins, in: surroundings)
        }
      },
      backstageGuard: BackstageGuard(
        own: origins,
        // Not counted here: it is counted with the server's own refusals.
        turnedAway: turnedAwayByBackstage(at: "pages", nil, surroundings.logger)
      )
    )
    let endpoint = Endpoint(
      name: "pages",
      address: address,
      handler: listener,
      refusing: listener.refuse,
      spooledBodyLimitBytes: listener.spooledBodyLimitBytes(of:)
    )
    return meter?.measuring(endpoint, as: "pages", by: .ofPages) ?? endpoint
  }

  private func backstage(
    of emulation: Emulation,
    _ files: PageFiles,
    _ site: Site,
    at origins: OwnOrigins,
    in surroundings: PagesSurroundings
  ) throws(StartFailure) -> BackstageListener {
    let logger = surroundings.logger
    do {
      return try BackstageListener(
        emulation,
        files.renderer,
        site,
        publicFiles: files.publicFiles,
        at: origins,
        brandFolder: brand?.folder ?? BrandFolder(file: nil, publicFolder: publicFolder),
        report: .logged(by: logger, over: emulation.worlds),
        turnedAway: turnedAwayByBackstage(at: "pages", surroundings.meter, logger),
        standpoint: try .through(site, emulation),
        rehearsal: try .through(site, emulation, watching: files.watch)
      )
    } catch {
      throw StartFailure(.configuration, "\(error)")
    }
  }

  /// Reads and compiles the pages' files.
  ///
  /// - Parameters:
  ///   - logger: Logs faults in files that are read again.
  ///   - isOver: Whether the files need no longer be watched.
  /// - Returns: The files.
  /// - Throws: `StartFailure` for the first file that cannot be used.
  func pageFiles(
    logger: Logger? = nil,
    until isOver: @escaping @Sendable () -> Bool = { false }
  ) throws(StartFailure) -> PageFiles {
    try refuseFoldersAround()
    try refuseWatchedPipe()
    let files = [
      LayeredFiles(.templates, under: templates), LayeredFiles(.publicFiles, under: publicFolder),
    ]
    let watch =
      reloadsTemplates
      ? FileWatch(files, and: { [watchedBrand] in watchedBrand?.paths ?? [] }, until: isOver) : nil
    do {
      return PageFiles(
        renderer: try PageRenderer(
          templates: templates,
          watch: watch,
          report: { logger?.error("template fault", metadata: ["fault": "\($0)"]) },
          usesOwnWords: usesOwnWords,
          looks: watchedBrand?.looks ?? .fixed(brand?.look ?? .builtIn)
        ),
        publicFiles: try staticFiles {
          logger?.error("template fault", metadata: ["fault": "\($0)"])
        },
        watch: watch
      )
    } catch {
      throw StartFailure(.configuration, "\(error)")
    }
  }

  /// Refuses a folder that contains only `templates` and `public`, as `vestibule eject` writes them, in place of one of
  /// them: otherwise none of its files would be read, and nobody would notice.
  func refuseFoldersAround() throws(StartFailure) {
    try refuseFolderAround(templates, "templates")
    try refuseFolderAround(publicFolder, "public")
  }

  private func refuseFolderAround(_ folder: String?, _ option: String) throws(StartFailure) {
    guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder),
      names.contains(option), Set(names).isSubset(of: ["templates", "public"])
    else { return }
    throw StartFailure(
      .configuration,
      "--\(option) should name the folder one level deeper: \(folder)/\(option)"
    )
  }

  private func refuseWatchedPipe() throws(StartFailure) {
    guard let file = watchedBrand?.file, !NamedFile.canBeReadAgain(file) else { return }
    throw StartFailure(
      .configuration,
      "--reload-templates reads the brand again, so it must be a regular file: \(file)"
    )
  }

  /// The files below `/public/`, with those of the brand.
  ///
  /// `report` is called once for each fault found in files that are read again.
  func staticFiles(
    report: @escaping @Sendable (FileFault) -> Void = { _ in }
  ) throws -> StaticFiles {
    var files = try StaticFiles(under: publicFolder, reloads: reloadsTemplates, report: report)
    if let watchedBrand {
      watchedBrand.add(to: &files)
    } else {
      brand?.add(to: &files)
    }
    return files
  }

  /// Checks whether the pages could be served with this configuration.
  func checkPages(at address: Address) throws(StartFailure) {
    _ = try checkedLanguage(among: pageFiles().renderer.choosableLanguages)
    if let keyFile {
      _ = try SealingKeys.read(keyFile)
    } else if let dataFolder {
      try SealingKeys.check(in: dataFolder)
    }
    _ = try namedAuthorities(port: address.port)
    _ = try checkedRedirectOrigins()
  }

  private func checkedRedirectOrigins() throws(StartFailure) -> [String] {
    try redirectOrigins.map { text throws(StartFailure) in
      try WebOrigin(text, as: "redirect origin").description
    }
  }

  /// The keys in the key file or the data folder; without either, the given ones, or new ones.
  ///
  /// - Parameter kept: The keys in force, if the file is being read again.
  /// - Returns: The keys.
  /// - Throws: `StartFailure` if the file cannot be used or made.
  func sealingKeys(else kept: KeyRing? = nil) throws(StartFailure) -> KeyRing {
    if let keyFile { return try SealingKeys.read(keyFile, again: kept != nil) }
    guard let dataFolder else { return kept ?? KeyRing() }
    // New keys are made only at a start: later, they would end every visit.
    guard kept == nil else {
      return try SealingKeys.read(SealingKeys.path(in: dataFolder), again: true)
    }
    try makeFolder(dataFolder)
    return try SealingKeys.kept(in: dataFolder)
  }

  /// The origin that people type: the configured one, or where the pages are served.
  func checkedPublicOrigin(at address: Address) throws(StartFailure) -> WebOrigin {
    if let publicURL {
      let origin = try WebOrigin(publicURL, as: "public URL")
      // Browsers would send another `Origin` than this, and every form would be refused.
      guard tls == nil || origin.scheme == "https" else {
        throw StartFailure(
          .configuration,
          "The public URL begins with http://, but HTTPS is served: \(publicURL)"
        )
      }
      return origin
    }
    // Until a free port has been chosen, any port stands in for it.
    let address = address.port == 0 ? Address(host: address.host, port: 1) : address
    return try WebOrigin("\(scheme)://\(address.written)", as: "address of the pages")
  }

  /// The additional host names, with the ports at which they are answered (S2).
  ///
  /// A name with a port is answered at that port; a name alone at the port that is served, the public
  /// port and the scheme's default port.
  func namedAuthorities(
    port: Int,
    publicOrigin: WebOrigin? = nil
  ) throws(StartFailure) -> [String] {
    var authorities: [String] = []
    for name in allowedHosts {
      let origin = try WebOrigin("\(scheme)://\(name)", as: "allowed host", written: name)
      // Clients may leave out the scheme's default port, or write it.
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

  /// The scheme of what is served.
  var scheme: String { tls == nil ? "http" : "https" }

  /// The URL in the ready line.
  func url(of address: Address, path: String = "/") -> String {
    "\(scheme)://\(address.written)\(path)"
  }
}

extension Configuration.Address {
  /// `host:port`, with the brackets that an IPv6 address needs.
  var written: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
