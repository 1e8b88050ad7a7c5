internal import HTTPExchange
internal import HTTPTypes
internal import Masking

/// The response to a call, complete except for the signatures of its tokens.
struct UnsignedResponse: Sendable {
  enum Body: Sendable {
    case none
    case json(JSON)
    /// The client, both as the requested resource and as the `client` beside it; encoded once.
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
  /// The tokens whose placeholders are in the header fields and the body.
  var unsignedTokens: [UnsignedToken] = []

  /// The response on the wire.
  ///
  /// - Parameters:
  ///   - key: The key to sign with.
  ///   - fresh: Keeps the signed tokens that may be issued again.
  /// - Returns: The response, with every token signed.
  /// - Throws: The errors of the signing library.
  func response(signedWith key: SigningKey, keepingIn fresh: FreshTokens) throws -> Response {
    guard !unsignedTokens.isEmpty else { return response }
    // In order: a later token may contain an earlier one.
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

  /// The response, if it has nothing to sign.
  var response: Response {
    Response(status: .init(code: status), headerFields: headerFields, body: body.bytes)
  }
}

/// A signed token, and its placeholder.
private struct SignedToken {
  var signingInput: String
  var text: String
}

extension [UInt8] {
  /// The bytes with all placeholders replaced.
  ///
  /// This is correct in JSON, too: no character of a token is escaped there.
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
