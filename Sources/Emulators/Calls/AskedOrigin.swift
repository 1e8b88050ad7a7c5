internal import HTTPExchange
internal import HTTPTypes

/// The origin by which a request reached an emulator, which its documents, tokens and links name.
///
/// Source: OpenID Connect Discovery 1.0, "OpenID Provider Configuration Validation": an issuer is
/// found where it was looked for.
struct AskedOrigin: Sendable, Hashable {
  private var scheme: String
  /// Host and port.
  private(set) var authority: String

  /// - Parameters:
  ///   - request: Names the host, unless it comes in process.
  ///   - address: The URL under which the emulator says it is reached: gives the scheme, unless
  ///     the request has come through a proxy.
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

  /// The origin whose host names that world, for whoever has named it so before.
  func text(in world: WorldName) -> String {
    guard world != .main, !Self.names(world, by: authority) else { return text }
    // An IPv6 address has colons of its own, within brackets.
    let end = authority.lastIndex(of: "]") ?? authority.startIndex
    let port = authority[end...].firstIndex(of: ":").map { authority[$0...] } ?? ""
    return "\(scheme)://\(world.text).localhost\(port)"
  }

  /// Whether a text could be a host, with or without a port: quicker than an `Authority`, for each request has one.
  static func isAuthority(_ text: some StringProtocol) -> Bool {
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
