internal import Crypto
internal import Foundation
public import HTTPExchange

/// A secret of this browser, and the hash that commits to it until it is revealed.
///
/// Source: RFC 7636, section 4.1 and section 4.2, method S256.
public struct ProofKey: Codable, Hashable, Sendable {
  public let verifier: String

  /// - Parameter randomBytes: Returns that many bytes, fit for secrets.
  public init(_ randomBytes: (Int) -> [UInt8]) {
    verifier = Base64URL.text(of: randomBytes(32))
  }

  public var challenge: String { Base64URL.text(of: SHA256.hash(data: Data(verifier.utf8))) }

  /// The parameters that send the hash.
  public var parameters: FormData {
    ["code_challenge": challenge, "code_challenge_method": "S256"]
  }
}
