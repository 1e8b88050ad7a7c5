internal import HTTPExchange
internal import HTTPTypes

/// Where a browser finds the worlds of the process: each at a host of its own.
struct WorldAddresses: Sendable {
  private let scheme: String
  /// Where `main` is.
  private let mainHost: String
  /// With its colon; empty where it is the scheme's own.
  private let port: String

  /// - Parameters:
  ///   - scheme: Of the addresses that people type.
  ///   - request: Says by which host and port they came.
  init(scheme: String, asIn request: Request) {
    let authority = (request.headerFields[.host] ?? "localhost").lowercased()
    let digits = authority.reversed().prefix { $0.isASCII && $0.isNumber }.reversed()
    let hasPort = !digits.isEmpty && authority.dropLast(digits.count).last == ":"
    let host = hasPort ? String(authority.dropLast(digits.count + 1)) : authority
    self.scheme = scheme
    port = hasPort ? ":\(String(digits))" : ""
    mainHost = host.hasSuffix(".localhost") ? "localhost" : host
  }

  /// Whether a browser that came by this host finds a world at its own: `*.localhost` is each device itself.
  func canLead(to name: WorldName) -> Bool { name == .main || leadToOthers }

  private var leadToOthers: Bool { HostPolicy.loopbackHosts.contains(mainHost) }

  /// - Parameter name: Where somebody is to be led; nil for a world that is yet to be made.
  /// - Throws: A refusal where the browser would look for it on its own device.
  func check(_ name: WorldName? = nil) throws(BackstageRefusal) {
    guard name.map(canLead) ?? leadToOthers else { throw .worldElsewhere }
  }

  func origin(of name: WorldName) -> String {
    "\(scheme)://\(name == .main ? mainHost : "\(name).localhost")\(port)"
  }

  /// The origins to which a form may lead, for a content security policy; a host that is no plain
  /// name or address is left out.
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
    Each world but main, those of stories too, has the address NAME.localhost, which a browser finds only on the \
    machine that runs Vestibule. Open backstage there, by localhost. Where --host keeps Vestibule off localhost, start it \
    without, or with --host 0.0.0.0. Programs choose a world from anywhere, by the header X-Vestibule-World.
    """
  )
}
