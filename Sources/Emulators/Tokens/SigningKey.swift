internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import GRDB
internal import HTTPExchange

/// A JWT that lacks its signature.
struct UnsignedToken: Sendable, Hashable {
  /// The JWS signing input of RFC 7515, which is the token's placeholder until it is signed.
  var signingInput: String
  var payload: JSON
  /// How to keep the signed token for reuse; nil if it is not to be kept.
  var freshness: Freshness?

  struct Freshness: Sendable, Hashable {
    var key: FreshTokens.Key
    var issuedAt: EpochMilliseconds
  }
}

/// Signs JWTs with RS256, and publishes the key that verifies them.
///
/// Tokens that only the emulator reads are authenticated with a key derived from the signing key.
/// Source: RFC 7519, RFC 7515, RFC 7517.
struct SigningKey: Sendable {
  let id: String
  /// Parsed once: checking a key takes longer than signing with it.
  let privateKey: _RSA.Signing.PrivateKey
  /// An HMAC without input, whose key is set up once.
  private let keyedCode: HMAC<SHA256>

  init(id: String, privateKey: _RSA.Signing.PrivateKey) {
    self.id = id
    self.privateKey = privateKey
    keyedCode = HMAC(
      key: HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: privateKey.derRepresentation),
        info: Data("opaque tokens/1".utf8),
        outputByteCount: 32
      )
    )
  }

  func unsigned(_ payload: JSON) -> UnsignedToken {
    UnsignedToken(signingInput: signingInput(payload.encoded), payload: payload)
  }

  /// A JWT signed with RS256.
  ///
  /// - Parameter payload: The claims as JSON.
  /// - Returns: The token in its compact form.
  /// - Throws: The errors of the signing library.
  func signed(_ payload: [UInt8]) throws -> String {
    let input = signingInput(payload)
    let signature = try privateKey.signature(for: Data(input.utf8), padding: .insecurePKCS1v1_5)
    return input + "." + Base64URL.text(of: signature.rawRepresentation)
  }

  /// A JWT by HS256, which only this emulator can verify, in a hundredth of the time of a signature.
  func authenticated(_ payload: JSON) -> String {
    let input = signingInput(payload.encoded, algorithm: "HS256")
    return input + "." + Base64URL.text(of: code(of: Array(input.utf8)))
  }

  private func code(of input: [UInt8]) -> HMAC<SHA256>.MAC {
    var code = keyedCode
    code.update(data: input)
    return code.finalize()
  }

  private func signingInput(_ payload: [UInt8], algorithm: String = "RS256") -> String {
    let header: JSON = ["alg": .string(algorithm), "kid": .string(id), "typ": "JWT"]
    return Base64URL.text(of: header.encoded) + "." + Base64URL.text(of: payload)
  }

  /// The payload of a token that this key has signed; nil for any other text.
  func payload(ofToken token: String) -> JSON? {
    Self.payload(of: token) { input, signature in
      privateKey.publicKey.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature),
        for: input,
        padding: .insecurePKCS1v1_5
      )
    }
  }

  /// The payload of a token that was authenticated here; nil for any other text.
  func payload(ofOpaqueToken token: String) -> JSON? {
    // The comparison takes constant time.
    Self.payload(of: token) { input, proof in code(of: input) == proof }
  }

  private static func payload(
    of token: String,
    provenBy isOwn: (_ input: [UInt8], _ proof: [UInt8]) -> Bool
  ) -> JSON? {
    let bytes = Array(token.utf8)
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let payload = Base64URL.bytes(ofLetters: Array(parts[1])),
      let proof = Base64URL.bytes(ofLetters: Array(parts[2])),
      isOwn(Array(bytes[..<parts[1].endIndex]), proof)
    else { return nil }
    return JSON(decoding: payload)
  }

  /// The key set that verifies the tokens.
  func publicKeys() throws -> JSON {
    let primitives = try privateKey.publicKey.getKeyPrimitives()
    return [
      "keys": [
        [
          "use": "sig", "kty": "RSA", "kid": .string(id), "alg": "RS256",
          "n": .string(Base64URL.text(of: primitives.modulus)),
          "e": .string(Base64URL.text(of: primitives.publicExponent)),
        ]
      ]
    ]
  }

  static func stored(_ db: Database) throws -> Self? {
    // Cached, since each call that needs the key asks until it has been made.
    try Row.fetchOne(db.cachedStatement(sql: "SELECT id, pem FROM signingKey")).map {
      Self(id: $0["id"], privateKey: try _RSA.Signing.PrivateKey(pemRepresentation: $0["pem"]))
    }
  }

  func insert(_ db: Database) throws {
    try db.execute(
      sql: "INSERT INTO signingKey (id, pem) VALUES (?, ?)",
      arguments: [id, privateKey.pemRepresentation]
    )
  }
}
