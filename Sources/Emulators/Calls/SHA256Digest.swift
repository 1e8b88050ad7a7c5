internal import Crypto
internal import Foundation

extension Data {
  /// The SHA-256 digest of a text as UTF-8: stored in place of secrets, and used to derive names.
  init(sha256Of text: String) { self = Data(SHA256.hash(data: Data(text.utf8))) }
}
