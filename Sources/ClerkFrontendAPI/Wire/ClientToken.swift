@_spi(Provider) internal import AuthFlow
internal import HTTPExchange
internal import HTTPTypes

extension ProviderMemory {
  private static let clientTokenKey = "client_token"

  /// The rotating secret by which the API knows this browser; nil before it is known.
  var clientToken: String? {
    get { self[Self.clientTokenKey] }
    set { self[Self.clientTokenKey] = newValue }
  }

  /// The strategy of this browser's last sign-in, by the API's own name.
  var lastStrategy: String? {
    get { self["last_strategy"] }
    set { self["last_strategy"] = newValue }
  }

  /// Keeps the token of an answer, whether it is a success or an error.
  ///
  /// A value replaces the token, an empty one (or a bare `Bearer`) forgets it, none keeps it. Some
  /// SDKs and servers put `Bearer ` in front; the token itself is what follows.
  ///
  /// Source: <doc:ClerkClients#The-client-token>.
  mutating func keepToken(of headerFields: HTTPFields) {
    guard let value = headerFields[values: .authorization].last else { return }
    // By bytes, for speed: a token has a thousand characters.
    let words = value.utf8.split { $0.isHTTPBlank }
      .map(Substring.init)
    let token = words.first?.lowercased() == "bearer" ? words.dropFirst().first : words.first
    clientToken = token.map(String.init)
  }
}
