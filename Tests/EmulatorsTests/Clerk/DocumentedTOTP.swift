import Crypto
import Foundation

/// The authenticator app of the demo users, written down a second time from RFC 6238.
enum DocumentedTOTP {
  /// `JBSWY3DPEHPK3PXP` decoded.
  private static let secret = Data([0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x21, 0xDE, 0xAD, 0xBE, 0xEF])

  static func code(step: Int64, secret: Data = secret) -> String {
    let message = withUnsafeBytes(of: UInt64(step).bigEndian) { Data($0) }
    let mac = Data(
      HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: secret))
    )
    let offset = Int(mac[19] & 15)
    var number = 0
    for byte in mac[offset..<offset + 4] { number = number * 256 + Int(byte) }
    let text = String(number % 2_147_483_648 % 1_000_000)
    return String(repeating: "0", count: 6 - text.count) + text
  }
}
