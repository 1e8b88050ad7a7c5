/// A fingerprint of the state of some files, in two parts: one of the style sheets, which an open
/// page can exchange, and one of all others.
///
/// Each is a digest (FNV-1a, 64 bits) of names and file system metadata, not of contents.
public struct FileVersion: Hashable, Sendable, LosslessStringConvertible {
  private var others = Digest()
  private var styleSheets = Digest()

  init() {}

  /// Parses the two hexadecimal numbers of ``description``.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let others = UInt64(parts[0], radix: 16),
      let styleSheets = UInt64(parts[1], radix: 16)
    else { return nil }
    self.others = Digest(value: others)
    self.styleSheets = Digest(value: styleSheets)
  }

  /// Two hexadecimal numbers: `cbf29ce484222325-af63dc4c8601ec8c`, the second of the style sheets.
  public var description: String { "\(others)-\(styleSheets)" }

  /// With a further file, and the numbers that change with it.
  func after(_ name: String, _ numbers: [UInt64]) -> FileVersion {
    var version = self
    if name.lowercased().hasSuffix(".css") {
      version.styleSheets.take(name, numbers)
    } else {
      version.others.take(name, numbers)
    }
    return version
  }

  /// With all the files of another version.
  func after(_ other: FileVersion) -> FileVersion {
    var version = self
    version.others.take("", [other.others.value])
    version.styleSheets.take("", [other.styleSheets.value])
    return version
  }

  private struct Digest: Hashable, Sendable, CustomStringConvertible {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325

    var description: String { String(value, radix: 16) }

    mutating func take(_ name: String, _ numbers: [UInt64]) {
      for byte in name.utf8 { take(byte) }
      for number in numbers {
        for shift in stride(from: 0, to: 64, by: 8) {
          take(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
      }
    }

    private mutating func take(_ byte: UInt8) {
      value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }
  }
}
