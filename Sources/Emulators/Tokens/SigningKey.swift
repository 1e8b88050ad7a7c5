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

/// Signs JWTs with RS256, and publishes the keys that verify them: its own, and the one before it.
///
/// Tokens that only the emulator reads are authenticated with a key derived from the installation's
/// first signing key: a newer one signs nobody out.
/// Source: RFC 7519, RFC 7515, RFC 7517.
struct SigningKey: Sendable {
  let id: String
  /// Parsed once: checking a key takes longer than signing with it.
  let privateKey: _RSA.Signing.PrivateKey
  /// The key before, which still verifies what it has signed; nil for the first one.
  private let previous: Pair?
  /// An HMAC without input, whose key is set up once.
  private let keyedCode: HMAC<SHA256>

  /// A key with its id.
  private struct Pair: Sendable {
    var id: String
    var privateKey: _RSA.Signing.PrivateKey
  }

  /// The first key of an installation.
  init(id: String, privateKey: _RSA.Signing.PrivateKey) {
    self.init(
      id: id,
      privateKey: privateKey,
      previous: nil,
      keyedCode: HMAC(
        key: HKDF<SHA256>.deriveKey(
          inputKeyMaterial: SymmetricKey(data: privateKey.derRepresentation),
          info: Data("opaque tokens/1".utf8),
          outputByteCount: 32
        )
      )
    )
  }

  private init(
    id: String,
    privateKey: _RSA.Signing.PrivateKey,
    previous: Pair?,
    keyedCode: HMAC<SHA256>
  ) {
    self.id = id
    self.privateKey = privateKey
    self.previous = previous
    self.keyedCode = keyedCode
  }

  /// The same installation's key after a rotation; this one is then the one before it.
  func succeeded(by next: SigningKey) -> SigningKey {
    SigningKey(
      id: next.id,
      privateKey: next.privateKey,
      previous: Pair(id: id, privateKey: privateKey),
      keyedCode: keyedCode
    )
  }

  /// The ids of the published keys; the first one signs.
  var publishedIDs: [String] { published.map(\.id) }

  private var published: [Pair] {
    [Pair(id: id, privateKey: privateKey)] + (previous.map { [$0] } ?? [])
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

  /// The payload of a token that a published key has signed; nil for any other text.
  func payload(ofToken token: String) -> JSON? {
    Self.payload(of: token) { input, signature in
      published.contains { pair in
        pair.privateKey.publicKey.isValidSignature(
          _RSA.Signing.RSASignature(rawRepresentation: signature),
          for: input,
          padding: .insecurePKCS1v1_5
        )
      }
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
    let keys = try published.map { pair -> JSON in
      let primitives = try pair.privateKey.publicKey.getKeyPrimitives()
      return [
        "use": "sig", "kty": "RSA", "kid": .string(pair.id), "alg": "RS256",
        "n": .string(Base64URL.text(of: primitives.modulus)),
        "e": .string(Base64URL.text(of: primitives.publicExponent)),
      ]
    }
    return ["keys": .array(keys)]
  }

  /// The newest key; nil if none has been made.
  static func stored(_ db: Database) throws -> Self? {
    // Cached, since each call that needs the key asks until it has been made.
    let rows = try Row.fetchAll(
      db.cachedStatement(sql: "SELECT id, pem FROM signingKey ORDER BY rowid")
    )
    var newest: Self?
    for row in rows {
      let next = Self(
        id: row["id"],
        privateKey: try _RSA.Signing.PrivateKey(pemRepresentation: row["pem"])
      )
      newest = newest?.succeeded(by: next) ?? next
    }
    return newest
  }

  /// Stores the key as the newest.
  ///
  /// Of the others, the first stays, for opaque tokens, and the last.
  func insert(_ db: Database) throws {
    try db.execute(
      sql: "INSERT INTO signingKey (id, pem) VALUES (?, ?)",
      arguments: [id, privateKey.pemRepresentation]
    )
    try db.execute(
      sql: """
        DELETE FROM signingKey
        WHERE rowid > (SELECT min(rowid) FROM signingKey)
          AND rowid NOT IN (SELECT rowid FROM signingKey ORDER BY rowid DESC LIMIT 2)
        """
    )
  }
}
