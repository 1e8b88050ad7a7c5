internal import HTTPExchange
internal import HTTPTypes

/// The origin by which a request reached the emulator, as its documents, tokens and links name it.
///
/// Source: OpenID Connect Discovery 1.0, "OpenID Provider Configuration Validation": the issuer
/// matches the URL of its configuration.
struct AskedOrigin: Sendable, Hashable {
  private var scheme: String
  /// Host and port.
  private(set) var authority: String

  /// - Parameters:
  ///   - request: Gives the public origin, if it has one, or else the authority, if it has a host.
  ///   - address: The emulator's own URL: gives what the request does not.
  init(of request: Request, servedAt address: String) {
    let parts = (request.publicOrigin ?? address).utf8
      .split(separator: UInt8(ascii: "/"), maxSplits: 2).map(Substring.init)
    scheme = parts.first.map { String($0.dropLast()) } ?? "http"
    authority = parts.dropFirst().first.map(String.init) ?? ""
    if request.publicOrigin == nil, let host = request.headerFields.value(of: .host),
      Self.isAuthority(host)
    {
      authority = host.lowercased()
    }
  }

  var text: String { "\(scheme)://\(authority)" }

  /// Whether a host, with or without a port, names that world.
  static func names(_ world: WorldName, by authority: String) -> Bool {
    WorldName.label(inHost: authority).map { $0 == world.text } ?? false
  }

  /// The origin with a host that names the world, for clients that have used such a host before.
  func text(in world: WorldName) -> String {
    guard world != .main, !Self.names(world, by: authority) else { return text }
    // An IPv6 address has colons of its own, within brackets.
    let end = authority.lastIndex(of: "]") ?? authority.startIndex
    let port = authority[end...].firstIndex(of: ":").map { authority[$0...] } ?? ""
    return "\(scheme)://\(world.text).localhost\(port)"
  }

  /// Whether a text could be a host, with or without a port; cheaper than parsing an `Authority`,
  /// since it is checked for every request.
  private static func isAuthority(_ text: some StringProtocol) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"),
          UInt8(ascii: "["), UInt8(ascii: "]"):
          true
        default: byte.isASCIILetterOrDigit
        }
      }
  }
}
