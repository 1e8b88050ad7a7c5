/// Where every call of a transport goes, and on what terms.
struct Destination: Sendable {
  var baseURL: BaseURL
  var limits: HTTPClientTransport.Limits
  /// For requests that have no `User-Agent`.
  var userAgent: String
  /// Never where the API is on this machine.
  var proxy: ProxyURL?
  var authorities: TrustedAuthorities
}
