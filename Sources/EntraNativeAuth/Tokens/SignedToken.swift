internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import HTTPExchange

/// A JWT that claims to be signed with RS256, taken apart and not yet believed.
///
/// RS256 is the only algorithm that a tenant signs with, so none is chosen by what a token says: a
/// token that names another is not one of these.
///
/// Source: RFC 7515, sections 3.1 and 5.2; RFC 8725, section 3.1.
struct SignedToken {
  /// The key that it names; it need not name one.
  private let keyID: String?
  private let signingInput: Data
  private let payload: [UInt8]
  private let signature: _RSA.Signing.RSASignature

  private struct Header: Decodable {
    var alg: String
    var kid: String?
  }

  /// Nil for a text that is no such token.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.bytes(of: parts[0]),
      let payload = Base64URL.bytes(of: parts[1]), let signature = Base64URL.bytes(of: parts[2]),
      let read = JSONBody.decode(Header.self, from: header), read.alg == "RS256"
    else { return nil }
    keyID = read.kid
    signingInput = Data("\(parts[0]).\(parts[1])".utf8)
    self.payload = payload
    self.signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
  }

  /// What the token says; nil where none of those keys has signed it, or it says something else.
  func claims<Claims: Decodable>(_ type: Claims.Type, provenBy keys: SigningKeys) -> Claims? {
    let isProven = keys.named(keyID).contains { key in
      key.isValidSignature(signature, for: signingInput, padding: .insecurePKCS1v1_5)
    }
    return isProven ? JSONBody.decode(type, from: payload) : nil
  }
}

/// The keys that a tenant publishes, by their ids.
///
/// Source: RFC 7517, section 5; RFC 7518, section 6.3.1.
struct SigningKeys: Decodable, Sendable {
  private let keys: [String: _RSA.Signing.PublicKey]

  /// The key of that id; all of them where none is named.
  fileprivate func named(_ id: String?) -> [_RSA.Signing.PublicKey] {
    guard let id else { return Array(keys.values) }
    return keys[id].map { [$0] } ?? []
  }

  private enum CodingKeys: CodingKey {
    case keys
  }

  /// One key; nil where it is of a kind or a size that is not used here, which is as good as none.
  private struct Entry: Decodable {
    var key: (id: String, publicKey: _RSA.Signing.PublicKey)?

    private enum CodingKeys: CodingKey {
      case kty, kid, n, e
    }

    init(from decoder: any Decoder) throws {
      func text(_ key: CodingKeys) -> String? {
        try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: key)
      }
      guard text(.kty) == "RSA", let id = text(.kid),
        let modulus = text(.n).flatMap({ Base64URL.bytes(ofAnyBase64: $0) }),
        let exponent = text(.e).flatMap({ Base64URL.bytes(ofAnyBase64: $0) })
      else { return }
      key = (try? _RSA.Signing.PublicKey(n: modulus, e: exponent)).map { (id, $0) }
    }
  }

  init(from decoder: any Decoder) throws {
    let entries = try decoder.container(keyedBy: CodingKeys.self).decode(
      [Entry].self,
      forKey: .keys
    )
    keys = Dictionary(
      entries.compactMap(\.key).map { ($0.id, $0.publicKey) },
      uniquingKeysWith: { first, _ in first }
    )
  }
}
