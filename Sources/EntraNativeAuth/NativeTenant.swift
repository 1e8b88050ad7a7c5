internal import Foundation

/// The tenant and the app that are asked, and what is requested.
public struct NativeTenant: Sendable, Hashable {
  /// The tenant's part of every path: `/contoso.onmicrosoft.com`, or a GUID.
  public var path: String
  public var clientID: String
  /// The scopes that a sign-in requests; those of OpenID Connect are added.
  public var scopes: [String]
  /// The capabilities that the app declares; `cp1` means that it handles claims challenges
  /// (<doc:EntraTokenRenewal#Claims-challenges>).
  public var clientCapabilities: [String]
  /// The base under which a browser reaches the tenant's path, such as an origin; nil if it cannot.
  public var browserBase: String?

  public init(
    path: String,
    clientID: String,
    scopes: [String] = [],
    clientCapabilities: [String] = ["cp1"],
    browserBase: String? = nil
  ) {
    self.path = path
    self.clientID = clientID
    self.scopes = scopes
    self.clientCapabilities = clientCapabilities
    self.browserBase = browserBase
  }

  /// Splits an authority into its origin and the tenant's path.
  ///
  /// A host without a path means the tenant named after its first label, as in MSAL. A gateway's
  /// own path may come before the tenant.
  ///
  /// - Returns: Nil if there is no such URL, or if its path continues after the tenant, as an
  ///   endpoint's does.
  public static func parts(ofAuthority text: String) -> (origin: String, path: String)? {
    let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard let url = URL(string: trimmed), let scheme = url.scheme, let host = url.host(),
      !host.isEmpty, url.query() == nil, url.fragment() == nil, url.user() == nil
    else { return nil }
    let named = host.contains(":") ? "[\(host)]" : host
    let origin = "\(scheme)://\(named)\(url.port.map { ":\($0)" } ?? "")"
    let path = url.path(percentEncoded: true)
    guard !goesOnBehindTenant(path) else { return nil }
    if !path.isEmpty, path != "/" { return (origin, path) }
    guard let label = host.split(separator: ".").first, !host.contains(":") else { return nil }
    return (origin, "/\(label).onmicrosoft.com")
  }

  /// Whether a path continues after the tenant as an endpoint's does: with `/v2.0`, say, or
  /// `/oauth2/v2.0/token`.
  ///
  /// A gateway's own path may have such words too; then a domain or a GUID follows them.
  private static func goesOnBehindTenant(_ path: String) -> Bool {
    let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.lowercased() }
    if segments.count > 1, segments.contains("") { return true }
    guard let mark = segments.lastIndex(where: { wordsOfEndpoints.contains($0) }) else {
      return false
    }
    return !segments[(mark + 1)...].contains { $0.contains(".") || UUID(uuidString: $0) != nil }
  }

  private static let wordsOfEndpoints: Set = ["oauth2", "v1.0", "v2.0", ".well-known"]
}
