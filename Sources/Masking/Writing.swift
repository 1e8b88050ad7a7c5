internal import Foundation

/// How a text may write the bytes of another.
enum Writing: CaseIterable {
  /// As they are.
  case plain
  /// Behind `%`, as in addresses (RFC 3986 §2.1).
  case percentEncoded
  /// The same, and spaces as `+`, as in forms.
  case form
  /// Behind `\`, as in strings of JSON (RFC 8259 §7).
  case json

  /// The same twice: a document within a text of another.
  case nestedJSON

  /// The text as this writing has it; nil where it has nothing that only this one reads.
  func reading(_ text: [UInt8]) -> ReadText? {
    guard let escape else { return ReadText(bytes: text, ends: nil) }
    guard text.contains(escape) else { return nil }
    let read = read(ReadText(bytes: text, ends: nil))
    guard self == .nestedJSON else { return read }
    return read.bytes.contains(escape) ? self.read(read) : nil
  }

  /// The sign without which it is no other writing than the plain one.
  private var escape: UInt8? {
    switch self {
    case .plain: nil
    case .percentEncoded: UInt8(ascii: "%")
    case .form: UInt8(ascii: "+")
    case .json, .nestedJSON: UInt8(ascii: "\\")
    }
  }

  private func read(_ text: ReadText) -> ReadText {
    var read = ReadText(bytes: [], ends: [])
    var rest = text.bytes[...]
    while let byte = rest.popFirst() {
      read.append(unescaped(byte, &rest) ?? [byte], before: text.end(before: rest.startIndex))
    }
    return read
  }

  /// What an escape stands for, of which the first byte is taken already; nil where it is none.
  private func unescaped(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    switch (self, byte) {
    case (.percentEncoded, UInt8(ascii: "%")), (.form, UInt8(ascii: "%")):
      rest.hexadecimal(2).map { [UInt8($0)] }
    case (.form, UInt8(ascii: "+")): [UInt8(ascii: " ")]
    case (.json, UInt8(ascii: "\\")), (.nestedJSON, UInt8(ascii: "\\")): rest.escapedInJSON()
    case (.plain, _), (.percentEncoded, _), (.form, _), (.json, _), (.nestedJSON, _): nil
    }
  }
}

/// A text whose escapes are read, and where each of its bytes was written.
struct ReadText {
  private(set) var bytes: [UInt8]
  /// Where in the written text each byte ends; nil where nothing was escaped.
  private var ends: [Int]?

  init(bytes: [UInt8], ends: [Int]?) {
    self.bytes = bytes
    self.ends = ends
  }

  mutating func append(_ read: [UInt8], before end: Int) {
    bytes += read
    ends?.append(contentsOf: repeatElement(end, count: read.count))
  }

  /// Where those bytes stand, in the written text.
  func places(of part: [UInt8]) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var rest = bytes[...]
    while let found = rest.firstRange(of: part) {
      places.append(end(before: found.lowerBound)..<end(before: found.upperBound))
      rest = rest[found.upperBound...]
    }
    return places
  }

  /// Where in the written text that ends which stands before a byte.
  func end(before index: Int) -> Int { index == 0 ? 0 : ends?[index - 1] ?? index }
}

extension ArraySlice<UInt8> {
  /// Takes so many hexadecimal digits, and no sign where they are none.
  fileprivate mutating func hexadecimal(_ digits: Int) -> UInt16? {
    let text = prefix(digits)
    guard text.count == digits, text.allSatisfy({ isxdigit(CInt($0)) != 0 }) else { return nil }
    removeFirst(digits)
    return UInt16(String(decoding: text, as: UTF8.self), radix: 16)
  }

  /// Takes what stands behind the `\` of an escape of JSON.
  fileprivate mutating func escapedInJSON() -> [UInt8]? {
    guard let sign = first else { return nil }
    if let byte = Self.byte(escapedBy: sign) {
      removeFirst()
      return [byte]
    }
    guard sign == UInt8(ascii: "u") else { return nil }
    let before = self
    removeFirst()
    guard var units = hexadecimal(4).map({ [$0] }) else {
      self = before
      return nil
    }
    if UTF16.isLeadSurrogate(units[0]), starts(with: #"\u"#.utf8) {
      removeFirst(2)
      units += hexadecimal(4).map { [$0] } ?? []
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// What one sign behind a `\` stands for; nil for any other.
  private static func byte(escapedBy sign: UInt8) -> UInt8? {
    switch sign {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): sign
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }
}

extension String {
  /// Its bytes as they are, and as Unicode's two canonical forms have them (UAX #15).
  var canonicalSpellings: Set<[UInt8]> {
    let own = Array(utf8)
    if own.allSatisfy({ $0 < 0x80 }) { return [own] }
    return [
      own, Array(precomposedStringWithCanonicalMapping.utf8),
      Array(decomposedStringWithCanonicalMapping.utf8),
    ]
  }
}
