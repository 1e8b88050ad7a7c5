internal import Crypto
internal import Foundation

extension Data {
  /// The SHA-256 of a text's UTF-8: what is kept of a secret, and what a name is made from.
  init(sha256Of text: String) { self = Data(SHA256.hash(data: Data(text.utf8))) }
}
