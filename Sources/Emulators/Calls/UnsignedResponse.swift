internal import HTTPExchange
internal import HTTPTypes
internal import Masking

/// What a call is answered, written down but for the signatures.
struct UnsignedResponse: Sendable {
  enum Body: Sendable {
    case none
    case json(JSON)
    /// The client as what was asked for and as what stands beside it, written down once.
    case client(JSON)
    /// Encoded already.
    case encoded([UInt8])

    fileprivate var bytes: [UInt8] {
      switch self {
      case .none: return []
      case .json(let document): return document.encoded
      case .client(let client):
        let bytes = client.encoded
        return Array("{\"response\":".utf8) + bytes + Array(",\"client\":".utf8) + bytes
          + [UInt8(ascii: "}")]
      case .encoded(let bytes): return bytes
      }
    }
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
    guard !unsignedTokens.isEmpty else { return response }
    // In their order: a later one may hold an earlier one.
    var signed: [SignedToken] = []
    for token in unsignedTokens {
      let same = signed.first { $0.signingInput == token.signingInput }
      let text = try same?.text ?? key.signed(token.payload.encoded.replacing(signed))
      if same == nil {
        signed.append(SignedToken(signingInput: token.signingInput, text: text))
      }
      if let freshness = token.freshness {
        fresh.keep(text, issuedAt: freshness.issuedAt, for: freshness.key)
      }
    }
    let fields = HTTPFields(
      headerFields.map { field in
        var field = field
        field.value = String(decoding: Array(field.value.utf8).replacing(signed), as: UTF8.self)
        return field
      }
    )
    return Response(
      status: .init(code: status),
      headerFields: fields,
      body: body.bytes.replacing(signed)
    )
  }

  /// The response of an answer that holds nothing to sign.
  var response: Response {
    Response(status: .init(code: status), headerFields: headerFields, body: body.bytes)
  }
}

/// A token, and what stands for it where it is not signed yet.
private struct SignedToken {
  var signingInput: String
  var text: String
}

extension [UInt8] {
  /// The same with each token whole.
  ///
  /// In JSON too: no letter of a token is escaped there.
  fileprivate func replacing(_ tokens: [SignedToken]) -> [UInt8] {
    tokens.reduce(self) { bytes, token in
      var replaced: [UInt8] = []
      var rest = bytes[...]
      while let range = rest.firstRange(of: Array(token.signingInput.utf8)) {
        replaced += rest[..<range.lowerBound]
        replaced += token.text.utf8
        rest = rest[range.upperBound...]
      }
      return replaced.isEmpty ? bytes : replaced + rest
    }
  }
}
