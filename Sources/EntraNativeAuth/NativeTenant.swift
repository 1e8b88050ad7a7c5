internal import Foundation

/// Which tenant and which app are asked, and what for.
public struct NativeTenant: Sendable, Hashable {
  /// The tenant as it stands in every path: `/contoso.onmicrosoft.com`, or a GUID.
  public var path: String
  public var clientID: String
  /// What a sign-in asks for; the scopes of OpenID Connect are added.
  public var scopes: [String]
  /// What the app says it can do; `cp1`: it handles claims challenges
  /// (<doc:EntraTokenRenewal#Claims-challenges>).
  public var clientCapabilities: [String]
  /// What a browser reaches the tenant's path behind, such as its origin; nil where it cannot.
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
  /// A host without a path means the tenant named after its first label, as MSAL has it. Before the tenant
  /// there may be what a gateway tells its services apart by.
  ///
  /// - Returns: Nil where there is no such URL, or it goes on behind the tenant, as endpoints do.
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

  /// Whether a path ends as endpoints do: in `/v2.0`, say, or `/oauth2/v2.0/token`.
  ///
  /// A gateway's own path may have such words, too; then a domain or a GUID comes behind them.
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
