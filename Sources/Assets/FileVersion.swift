/// A fingerprint of the state of some files.
///
/// It is a digest (FNV-1a, 64 bits) of their names and file system metadata, not of their contents.
public struct FileVersion: Hashable, Sendable, LosslessStringConvertible {
  private var digest: UInt64 = 0xcbf2_9ce4_8422_2325

  init() {}

  /// Parses the hexadecimal digits of ``description``.
  public init?(_ text: String) {
    guard let digest = UInt64(text, radix: 16) else { return nil }
    self.digest = digest
  }

  public var description: String { String(digest, radix: 16) }

  func after(_ name: String, _ numbers: [UInt64]) -> FileVersion {
    var version = self
    for byte in name.utf8 { version.take(byte) }
    for number in numbers {
      for shift in stride(from: 0, to: 64, by: 8) {
        version.take(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
      }
    }
    return version
  }

  private mutating func take(_ byte: UInt8) {
    digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3
  }
}
