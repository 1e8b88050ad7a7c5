internal import Crypto
internal import Foundation
internal import HTTPExchange

/// The codes of one authenticator app: 6 digits, 30 seconds, HMAC-SHA-1.
///
/// Source: RFC 6238; RFC 4226, section 5.3.
struct AuthenticatorCode: Sendable {
  static let stepSeconds: Int64 = 30
  private let key: SymmetricKey

  /// - Parameter text: The secret as apps take it: base32, upper or lower case, padding optional.
  init?(base32Secret text: String) {
    var bytes: [UInt8] = []
    var buffer: UInt32 = 0
    var bitCount = 0
    for character in text.utf8
    where character != UInt8(ascii: "=") && character != UInt8(ascii: " ") {
      guard let digit = Self.base32Value(character) else { return nil }
      buffer = (buffer << 5 | UInt32(digit)) & 0xFFFF
      bitCount += 5
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bitCount)))
    }
    guard !bytes.isEmpty else { return nil }
    key = SymmetricKey(data: bytes)
  }

  /// The number of the time step that a point in time falls in.
  static func step(at instant: EpochMilliseconds) -> Int64 {
    let seconds = instant.rawValue / 1000
    return seconds / stepSeconds
  }

  func code(step: Int64) -> String {
    let counter = withUnsafeBytes(of: step.bigEndian) { Array($0) }
    let mac = Array(HMAC<Insecure.SHA1>.authenticationCode(for: counter, using: key))
    let offset = Int(mac[mac.count - 1] & 0xF)
    let word = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let digits = String((word & 0x7FFF_FFFF) % 1_000_000)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// The unused time step, at most one away from now, that has this code; nil if there is none.
  func step(of code: String, at instant: EpochMilliseconds, unused usedSteps: [Int64]) -> Int64? {
    let now = Self.step(at: instant)
    return [now, now - 1, now + 1].first { step in
      !usedSteps.contains(step) && isEqualInConstantTime(self.code(step: step), code)
    }
  }

  private static func base32Value(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a")
    case UInt8(ascii: "2")...UInt8(ascii: "7"): character - UInt8(ascii: "2") + 26
    default: nil
    }
  }
}
