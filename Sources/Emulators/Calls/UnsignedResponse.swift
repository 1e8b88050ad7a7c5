internal import HTTPExchange
internal import HTTPTypes

/// What a call is answered, written down but for the signatures.
struct UnsignedResponse: Sendable {
  enum Body: Sendable {
    case none
    case json(JSON)
    /// Encoded already.
    case encoded([UInt8])
  }

  var status: Int
  var headerFields: HTTPFields
  var body: Body
  /// Tokens that stand unsigned in the header fields and in the body.
  var unsignedTokens: [UnsignedToken] = []

  /// The response on the wire.
  ///
  /// - Parameters:
  ///   - key: What signs.
  ///   - fresh: Where signed tokens are kept that may be told again.
  /// - Returns: The response, with every token whole.
  /// - Throws: What the signature's library reports.
  func response(signedWith key: SigningKey, keepingIn fresh: FreshTokens) throws -> Response {
    // In their order: a later one may hold an earlier one.
    var signed: [String: String] = [:]
    for token in unsignedTokens {
      let text = try key.signed(token.payload.replacing(signed))
      signed[token.signingInput] = text
      if let freshness = token.freshness {
        fresh.keep(text, issuedAt: freshness.issuedAt, for: freshness.key)
      }
    }
    var answer = self
    if case .json(let document) = body { answer.body = .json(document.replacing(signed)) }
    answer.headerFields = HTTPFields(
      headerFields.map { field in
        var field = field
        field.value = field.value.replacing(signed)
        return field
      }
    )
    return answer.response
  }

  /// The response of an answer that holds nothing to sign.
  var response: Response {
    let bytes =
      switch body {
      case .none: [UInt8]()
      case .json(let document): document.encoded
      case .encoded(let bytes): bytes
      }
    return Response(status: .init(code: status), headerFields: headerFields, body: bytes)
  }
}

extension JSON {
  /// The same document with parts of its strings exchanged.
  fileprivate func replacing(_ parts: [String: String]) -> JSON {
    switch self {
    case .null, .bool, .integer, .number: self
    case .string(let text): .string(text.replacing(parts))
    case .array(let elements): .array(elements.map { $0.replacing(parts) })
    case .object(let members):
      .object(members.map { Member($0.name, $0.value.replacing(parts)) })
    }
  }
}

extension String {
  /// Shorter than any part, which are tokens.
  private static let shortLength = 60

  fileprivate func replacing(_ parts: [String: String]) -> String {
    if let whole = parts[self] { return whole }
    guard utf8.count > Self.shortLength else { return self }
    return parts.reduce(self) { $0.replacing($1.key, with: $1.value) }
  }
}
