internal import Foundation

extension String {
  /// The text that the bytes are; nil where they are not UTF-8.
  ///
  /// `String.init(validating:as:)` takes several times as long for the few bytes of a field.
  public init?(utf8 bytes: [UInt8]) {
    self.init(utf8: bytes.span)
  }

  /// The same of bytes that lie somewhere.
  init?(utf8 bytes: Span<UInt8>) {
    guard let text = try? UTF8Span(validating: bytes) else { return nil }
    self.init(copying: text)
  }
}

extension ArraySlice<UInt8> {
  /// Where the bytes of a text first stand; nil where they do not, and for an empty text.
  ///
  /// A search by characters takes a hundred times as long.
  public func firstRange(ofText text: String) -> Range<Int>? {
    var text = text
    return text.withUTF8 { text in
      withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress, let part = text.baseAddress, !text.isEmpty else {
          return nil
        }
        var place = 0
        while place + text.count <= bytes.count,
          let found = memchr(base + place, CInt(text[0]), bytes.count - text.count - place + 1)
        {
          place = base.distance(to: UnsafeRawPointer(found))
          if memcmp(base + place, part, text.count) == 0 {
            return startIndex + place..<startIndex + place + text.count
          }
          place += 1
        }
        return nil
      }
    }
  }
}
