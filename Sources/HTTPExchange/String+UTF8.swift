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

extension [UInt8] {
  /// Takes a text's bytes at once: of a part of a text, `+=` takes one after the other.
  public mutating func append(utf8Of text: Substring) {
    var text = text
    text.withUTF8 { self += $0 }
  }
}
