internal import Foundation

/// The ways in which a text may encode the bytes of another.
enum Writing: CaseIterable {
  /// Unencoded.
  case plain
  /// With `%` escapes, as in URLs (RFC 3986 §2.1).
  case percentEncoded
  /// The same with spaces as `+`, as in forms.
  case form
  /// `%` escapes twice over: an address inside a field of another.
  case nestedPercentEncoded
  /// The same with spaces as `+` in the inner one.
  case nestedForm
  /// With `\` escapes, as in JSON strings (RFC 8259 §7).
  case json

  /// JSON escapes twice over: a document inside a string of another.
  case nestedJSON
  /// With character references, as in HTML (WHATWG HTML, "Character references").
  case html

  /// Decodes the text; nil where another case reads it the same way.
  func reading(_ text: [UInt8]) -> ReadText? {
    guard mayOccur(in: text) else { return nil }
    let whole = ReadText(bytes: text, ends: nil)
    switch self {
    case .plain: return whole
    case .percentEncoded, .form, .json, .html: return read(whole)
    case .nestedPercentEncoded, .nestedForm: return read(read(whole))
    case .nestedJSON:
      let inner = read(whole)
      return inner.bytes.contains(UInt8(ascii: "\\")) ? read(inner) : nil
    }
  }

  /// Whether the text has what this case, and none before it, reads as an escape.
  ///
  /// Most texts have no escapes, and are searched for them without being decoded.
  private func mayOccur(in text: [UInt8]) -> Bool {
    switch self {
    case .plain: true
    case .percentEncoded: text.contains(UInt8(ascii: "%"))
    case .form: text.contains(UInt8(ascii: "+"))
    // The `%` or `+` of the inner escape; both have one spelling only, but for the case of letters.
    case .nestedPercentEncoded: text.contains("%25")
    case .nestedForm: text.contains("%2B") || text.contains("%2b")
    case .json, .nestedJSON: text.contains(UInt8(ascii: "\\"))
    case .html: text.contains(UInt8(ascii: "&"))
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

  /// The bytes that an escape stands for; nil where `byte`, which is taken already, does not begin
  /// one.
  private func unescaped(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    switch (self, byte) {
    case (.percentEncoded, UInt8(ascii: "%")), (.form, UInt8(ascii: "%")),
      (.nestedPercentEncoded, UInt8(ascii: "%")), (.nestedForm, UInt8(ascii: "%")):
      rest.hexadecimal(2).map { [UInt8($0)] }
    case (.form, UInt8(ascii: "+")), (.nestedForm, UInt8(ascii: "+")): [UInt8(ascii: " ")]
    case (.json, UInt8(ascii: "\\")), (.nestedJSON, UInt8(ascii: "\\")): rest.escapedInJSON()
    case (.html, UInt8(ascii: "&")): rest.referencedInHTML()
    case (.plain, _), (.percentEncoded, _), (.form, _), (.nestedPercentEncoded, _),
      (.nestedForm, _), (.json, _), (.nestedJSON, _), (.html, _):
      nil
    }
  }
}

/// A decoded text that knows where each of its bytes was in the encoded one.
struct ReadText {
  private(set) var bytes: [UInt8]
  /// The end of each byte in the encoded text; nil where nothing was escaped.
  private var ends: [Int]?

  init(bytes: [UInt8], ends: [Int]?) {
    self.bytes = bytes
    self.ends = ends
  }

  mutating func append(_ read: [UInt8], before end: Int) {
    bytes += read
    ends?.append(contentsOf: repeatElement(end, count: read.count))
  }

  /// The ranges in the encoded text in which those bytes occur.
  func places(of part: [UInt8]) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var rest = bytes[...]
    while let found = rest.firstRange(of: part) {
      places.append(end(before: found.lowerBound)..<end(before: found.upperBound))
      rest = rest[found.upperBound...]
    }
    return places
  }

  /// The end, in the encoded text, of the byte before `index`.
  func end(before index: Int) -> Int { index == 0 ? 0 : ends?[index - 1] ?? index }
}

extension [UInt8] {
  fileprivate func contains(_ part: String) -> Bool {
    self[...].firstRange(of: Array(part.utf8)) != nil
  }
}

extension ArraySlice<UInt8> {
  /// Takes that many hexadecimal digits; takes nothing, and returns nil, where there are fewer.
  fileprivate mutating func hexadecimal(_ digits: Int) -> UInt16? {
    let text = prefix(digits)
    guard text.count == digits, text.allSatisfy({ isxdigit(CInt($0)) != 0 }) else { return nil }
    removeFirst(digits)
    return UInt16(String(decoding: text, as: UTF8.self), radix: 16)
  }

  /// Takes the rest of a JSON escape, after its `\`; nil where it is not an escape.
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
      let next = self
      removeFirst(2)
      if let unit = hexadecimal(4), UTF16.isTrailSurrogate(unit) {
        units.append(unit)
      } else {
        // What follows is not the other half, so it is read for itself.
        self = next
      }
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// The byte that a two-character escape stands for; nil where `sign` does not end one.
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

  /// Takes the rest of a character reference, after its `&`; nil where it is none with which HTML is
  /// escaped.
  fileprivate mutating func referencedInHTML() -> [UInt8]? {
    // The longest is `#x10FFFF`; some writers put zeros before a number.
    guard let end = prefix(12).firstIndex(of: UInt8(ascii: ";")),
      let scalar = Self.scalar(referencedBy: String(decoding: self[..<end], as: UTF8.self))
    else { return nil }
    self = self[(end + 1)...]
    return Array(String(scalar).utf8)
  }

  private static func scalar(referencedBy name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let number = name.dropFirst()
      let isHexadecimal = number.hasPrefix("x") || number.hasPrefix("X")
      return UInt32(isHexadecimal ? number.dropFirst() : number, radix: isHexadecimal ? 16 : 10)
        .flatMap { Unicode.Scalar($0) }
    }
  }
}

extension String {
  /// The text, and without the white space around it, as many an API reads it.
  var trimmedSpellings: [String] {
    let scalars = unicodeScalars
    guard let begin = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return [self] }
    let trimmed = String(scalars[begin...last])
    return trimmed.utf8.count == utf8.count ? [self] : [self, trimmed]
  }

  /// Its bytes as they are, and in Unicode's two canonical normalisation forms (UAX #15).
  var canonicalSpellings: Set<[UInt8]> {
    let own = Array(utf8)
    if own.allSatisfy({ $0 < 0x80 }) { return [own] }
    return [
      own, Array(precomposedStringWithCanonicalMapping.utf8),
      Array(decomposedStringWithCanonicalMapping.utf8),
    ]
  }
}
