/// What the auth API itself said about one problem, for support.
public struct ErrorDetail: Hashable, Sendable {
  /// Who found it.
  public enum Kind: String, Codable, Sendable {
    /// The API, in an answer.
    case api
    /// The caller of the API: there was no answer, or no usable one.
    case client
  }

  public let kind: Kind
  /// The API's own message, as it came; data, never markup.
  public let message: String?
  /// All that it said, under its own names.
  public let facts: [JSONValue.Member]

  /// Keeps what may be shown: texts are cut, and secrets are hidden.
  ///
  /// - Parameters:
  ///   - kind: Who found it.
  ///   - message: The API's own message.
  ///   - facts: All that it said. Of a fact of more than 2,048 bytes of JSON only the name is kept.
  ///   - secrets: Values that were sent and must not be shown: a password, a code, a token.
  public init(
    _ kind: Kind,
    message: String? = nil,
    facts: [JSONValue.Member],
    hiding secrets: [String] = []
  ) {
    let mask = SecretMask(secrets)
    self.kind = kind
    self.message = message.map { mask.text($0) }
    self.facts = facts.map { fact in
      let value = fact.value.mapTexts(named: fact.name, mask.text(named:_:))
      return JSONValue.Member(fact.name, value.size <= Self.largestFact ? value : .null)
    }
  }

  /// Bytes of JSON.
  private static let largestFact = 2_048
}
