internal import HTTPExchange
internal import HTTPTypes

/// The addresses at which a browser finds the worlds of this process, each at a host of its own.
struct WorldAddresses: Sendable {
  private let scheme: String
  /// The host of `main`.
  private let mainHost: String
  /// The port with its colon; empty if it is the scheme's default.
  private let port: String

  /// - Parameters:
  ///   - scheme: The scheme of the addresses that people type.
  ///   - request: The request, whose `Host` gives host and port.
  init(scheme: String, asIn request: Request) {
    let authority = (request.headerFields[.host] ?? "localhost").lowercased()
    let digits = authority.reversed().prefix { $0.isASCII && $0.isNumber }.reversed()
    let hasPort = !digits.isEmpty && authority.dropLast(digits.count).last == ":"
    let host = hasPort ? String(authority.dropLast(digits.count + 1)) : authority
    self.scheme = scheme
    port = hasPort ? ":\(String(digits))" : ""
    mainHost = host.hasSuffix(".localhost") ? "localhost" : host
  }

  /// Whether a browser that came by this host can reach a world at that world's own: `*.localhost`
  /// is always the browser's own device.
  func canLead(to name: WorldName) -> Bool { name == .main || leadToOthers }

  private var leadToOthers: Bool { HostPolicy.loopbackHosts.contains(mainHost) }

  /// - Parameter name: The world to lead somebody to; nil for a world that is yet to be created.
  /// - Throws: A refusal if the browser would look for it on its own device.
  func check(_ name: WorldName? = nil) throws(BackstageRefusal) {
    guard name.map(canLead) ?? leadToOthers else { throw .worldElsewhere }
  }

  func origin(of name: WorldName) -> String {
    "\(scheme)://\(name == .main ? mainHost : "\(name).localhost")\(port)"
  }

  /// The origins that forms may lead to, for a content security policy.
  ///
  /// A host that is not a plain name or address is left out.
  var formTargets: String {
    let isPlain = mainHost.utf8.allSatisfy {
      $0 > UInt8(ascii: " ") && $0 < 0x7F && ![UInt8(ascii: ";"), UInt8(ascii: ",")].contains($0)
    }
    let main = isPlain ? " \(scheme)://\(mainHost)\(port)" : ""
    return "'self' \(scheme)://*.localhost\(port)\(main)"
  }
}

extension BackstageRefusal {
  fileprivate static let worldElsewhere = Self(
    .unreachable,
    """
    Each world except main, including those of stories, has the address NAME.localhost, which a browser finds only on the \
    machine that runs Vestibule. Open backstage there, at localhost. If --host keeps Vestibule off localhost, start it \
    without that option, or with --host 0.0.0.0. Programs choose a world from anywhere, with the header X-Vestibule-World.
    """
  )
}
