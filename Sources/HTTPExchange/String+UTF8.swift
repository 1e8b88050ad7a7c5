internal import Foundation
internal import Glibc

extension String {
  /// The text that the bytes encode; nil if they are not UTF-8.
  ///
  /// `String.init(validating:as:)` takes several times as long for the few bytes of a field.
  public init?(utf8 bytes: [UInt8]) {
    self.init(utf8: bytes.span)
  }

  /// The same for bytes in any contiguous memory.
  init?(utf8 bytes: Span<UInt8>) {
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    self.init(copying: text)
  }
}

extension StringProtocol {
  /// Whether both have the same bytes; compared as a block, since one by one takes ten times as long.
  func hasBytes(of other: some StringProtocol) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { others in
        guard own.count == others.count else { return false }
        guard let start = own.baseAddress, let other = others.baseAddress else { return true }
        return memcmp(start, other, own.count) == 0
      }
    }
    return isSame.flatMap(\.self) ?? utf8.elementsEqual(other.utf8)
  }
}

extension [UInt8] {
  /// Appends a text's bytes as a block: for a substring, `+=` appends them one by one.
  public mutating func append(utf8Of text: Substring) {
    var text = text
    text.withUTF8 { self += $0 }
  }
}
