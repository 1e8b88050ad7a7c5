/// A parser of SVG files that is as strict as browsers, which show nothing of one that is not
/// well-formed XML.
///
/// It does not resolve entities or interpret the document type; whatever depends on declarations in
/// one is accepted.
///
/// Sources: W3C, "Extensible Markup Language (XML) 1.0"; W3C, "Namespaces in XML 1.0".
struct DrawingScan {
  /// Why browsers would show nothing of the file.
  enum Flaw: Error, Hashable {
    /// Its root element is not `<svg>`.
    case noDrawing
    /// It is in another encoding: if declared, browsers accept that in a document, but not in an
    /// `<img>`.
    case notUTF8
    case noNamespace
    case malformed(line: Int, String)

    /// As they follow its name in a sentence.
    var words: String {
      switch self {
      case .noDrawing: "is not a drawing: its outermost element is not <svg>"
      case .notUTF8:
        "is not UTF-8 text: Chromium does not show such a picture, whatever encoding it declares"
      case .noNamespace:
        "has no xmlns=\"\(DrawingScan.namespace)\" on its <svg>, without which browsers do not show a file"
      case .malformed(let line, let words):
        "is not well-formed XML, so browsers do not show it: line \(line): \(words)"
      }
    }
  }

  private typealias Name = ArraySlice<UInt8>

  private struct Element {
    var name: Name
    /// Where its tag begins.
    var start: Int
    /// The prefixes that it declares for itself and what is within.
    var prefixes: Set<Name> = []
  }

  private struct Attribute {
    var name: Name
    var value: ArraySlice<UInt8>
  }

  static let namespace = "http://www.w3.org/2000/svg"

  private let bytes: [UInt8]
  private var offset = 0
  private var open: [Element] = []
  /// How many of the open elements declare each prefix.
  private var declarations: [Name: Int] = [Name("xml".utf8): 1, Name("xmlns".utf8): 1]
  private var hasRoot = false
  private var hasDocumentType = false
  /// Whether the document type has declarations: of entities, or of attributes that every element
  /// has.
  private var declares = false

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Nil for a drawing that browsers show.
  static func flaw(of bytes: [UInt8]) -> Flaw? {
    guard let text = utf8(bytes) else {
      // With a NUL byte it is not text at all, rather than text in another encoding.
      return bytes.contains(0) ? .noDrawing : .notUTF8
    }
    var scan = DrawingScan(text)
    do throws(Flaw) {
      try scan.document()
      return nil
    } catch {
      return error
    }
  }

  /// The text in UTF-8 without its byte order mark, which UTF-16 requires; nil for other encodings.
  private static func utf8(_ bytes: [UInt8]) -> [UInt8]? {
    let isLittleEndian = bytes.starts(with: [0xFF, 0xFE])
    if isLittleEndian || bytes.starts(with: [0xFE, 0xFF]) {
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index -> UInt16 in
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isLittleEndian ? second << 8 | first : first << 8 | second
      }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    return String(validating: text, as: UTF8.self) == nil ? nil : text
  }

  private mutating func document() throws(Flaw) {
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "<") { try markup() } else { try text() }
    }
    guard hasRoot else { throw .noDrawing }
    if let element = open.last { throw unclosed(element) }
  }

  private mutating func text() throws(Flaw) {
    let end = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    let text = bytes[offset..<end]
    if open.isEmpty, let index = text.firstIndex(where: { !Self.isSpace($0) }) {
      throw hasRoot ? malformed("there is text after the last element", at: index) : .noDrawing
    }
    try check(text)
    offset = end
  }

  private mutating func markup() throws(Flaw) {
    if skip("<!--") {
      let start = offset
      try skip(to: "--", "a comment")
      guard skip(">") else {
        offset = start
        throw malformed("there is a '--' in a comment")
      }
    } else if !open.isEmpty, skip("<![CDATA[") {
      try skip(to: "]]>", "a CDATA section")
    } else if !hasRoot, skip("<!DOCTYPE") {
      try documentType()
    } else if skip("<?") {
      let start = offset
      if bytes[offset...].starts(with: "xml".utf8), offset != 2, Self.isSpace(byte(3) ?? 0) {
        throw malformed("'<?xml' is not at the start of the file")
      }
      try skip(to: "?>", "'<?\(String(decoding: bytes[start...].prefix(20), as: UTF8.self))'")
    } else if skip("</") {
      try endTag()
    } else {
      try startTag()
    }
  }

  // MARK: - Elements

  private mutating func startTag() throws(Flaw) {
    guard !hasRoot || !open.isEmpty else {
      throw malformed("there is something after the last element")
    }
    let start = offset
    offset += 1
    let name = name()
    guard !name.isEmpty else {
      offset = start
      throw malformed("a '<' does not begin a tag: write &lt; for text")
    }
    var element = Element(name: name, start: start)
    var attributes: [Attribute] = []
    var names: Set<Name> = []
    while true {
      let isApart = skipSpaces()
      if skip("/>") {
        try check(element, attributes)
        break
      }
      if skip(">") {
        try check(element, attributes)
        for prefix in element.prefixes { declarations[prefix, default: 0] += 1 }
        open.append(element)
        break
      }
      guard offset < bytes.count else { throw unclosed(element) }
      let attribute = try attribute(of: element)
      guard isApart else {
        throw malformed("there is no space before '\(Self.text(attribute.name))'")
      }
      guard names.insert(attribute.name).inserted else {
        throw malformed("<\(Self.text(name))> has '\(Self.text(attribute.name))' twice")
      }
      attributes.append(attribute)
      if let prefix = Self.prefix(declaredBy: attribute.name) { element.prefixes.insert(prefix) }
    }
    hasRoot = true
  }

  private mutating func attribute(of element: Element) throws(Flaw) -> Attribute {
    let name = name()
    let words = "'\(Self.text(name))' of <\(Self.text(element.name))>"
    guard !name.isEmpty else { throw malformed("<\(Self.text(element.name))> is not a whole tag") }
    _ = skipSpaces()
    guard skip("=") else { throw malformed("\(words) has no value") }
    _ = skipSpaces()
    guard let quote = byte(0), [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(quote) else {
      throw malformed("the value of \(words) is not in quotes")
    }
    let start = offset + 1
    guard let end = bytes[start...].firstIndex(of: quote) else {
      throw malformed("the quotes of \(words) are not closed")
    }
    guard !bytes[start..<end].contains(UInt8(ascii: "<")) else {
      // Either the value contains it, or the closing quote is missing.
      let what = "are not closed before a '<', which is &lt; in a value"
      throw malformed("the quotes of \(words) \(what)")
    }
    try check(bytes[start..<end])
    offset = end + 1
    return Attribute(name: name, value: bytes[start..<end])
  }

  private mutating func endTag() throws(Flaw) {
    let name = name()
    _ = skipSpaces()
    guard skip(">") else { throw malformed("</\(Self.text(name))> is not a whole tag") }
    guard let element = open.last else {
      throw malformed("</\(Self.text(name))> closes nothing")
    }
    guard element.name == name else { throw unclosed(element) }
    for prefix in element.prefixes { declarations[prefix, default: 0] -= 1 }
    open.removeLast()
  }

  /// Checks the root element, and that every namespace prefix is declared.
  private func check(_ element: Element, _ attributes: [Attribute]) throws(Flaw) {
    let prefix = Self.prefix(of: element.name)
    if !hasRoot {
      let local = prefix.map { element.name.dropFirst($0.count + 1) } ?? element.name
      guard local.elementsEqual("svg".utf8) else { throw .noDrawing }
      let declaration = prefix.map { Name("xmlns:".utf8) + $0 } ?? Name("xmlns".utf8)
      let declared = attributes.first { $0.name.elementsEqual(declaration) }?.value
      guard declares || declared?.elementsEqual(Self.namespace.utf8) == true else {
        throw .noNamespace
      }
    }
    guard !declares else { return }
    for name in [element.name] + attributes.map(\.name) {
      guard let prefix = Self.prefix(of: name), !element.prefixes.contains(prefix),
        declarations[prefix, default: 0] == 0
      else { continue }
      let (told, words) = (Self.text(prefix), Self.text(name))
      throw malformed("'\(words)' has a prefix that no xmlns:\(told) declares")
    }
  }

  private static func prefix(of name: Name) -> Name? {
    name.firstIndex(of: UInt8(ascii: ":")).map { name[..<$0] }
  }

  private static func prefix(declaredBy attribute: Name) -> Name? {
    attribute.starts(with: "xmlns:".utf8) ? attribute.dropFirst(6) : nil
  }

  // MARK: - What else there is

  /// Skips the document type and its declarations.
  private mutating func documentType() throws(Flaw) {
    hasDocumentType = true
    let start = offset
    var isWithin = false
    while let byte = byte(0) {
      if skip("<!--") {
        try skip(to: "-->", "a comment")
        continue
      }
      if skip("<?") {
        try skip(to: "?>", "a '<?'")
        continue
      }
      offset += 1
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        offset = (bytes[offset...].firstIndex(of: byte) ?? bytes.count - 1) + 1
      case UInt8(ascii: "["): (declares, isWithin) = (true, true)
      case UInt8(ascii: "]"): isWithin = false
      case UInt8(ascii: ">") where !isWithin: return
      default: break
      }
    }
    throw malformed("the <!DOCTYPE> is not closed", at: start)
  }

  /// Checks the letters of a text or a value.
  private func check(_ text: ArraySlice<UInt8>) throws(Flaw) {
    for index in text.indices {
      if text[index] < 0x20, !Self.isSpace(text[index]) {
        throw malformed("there is a control character", at: index)
      }
      guard text[index] == UInt8(ascii: "&"), !hasDocumentType else { continue }
      // No reference is longer; without the limit, each `&` could cost a scan of the whole file.
      let rest = text[(index + 1)...].prefix(32)
      let name = rest.prefix { $0 != UInt8(ascii: ";") }
      let isClosed = name.endIndex < rest.endIndex
      let isKnown = ["amp", "lt", "gt", "quot", "apos"].contains { name.elementsEqual($0.utf8) }
      guard isClosed, isKnown || name.first == UInt8(ascii: "#") else {
        let words = "&\(Self.text(name.prefix(12)))\(isClosed ? ";" : "")"
        throw malformed("\(words) is unknown: write &amp; for an &", at: index)
      }
    }
  }

  // MARK: - Bytes

  private func byte(_ distance: Int) -> UInt8? {
    offset + distance < bytes.count ? bytes[offset + distance] : nil
  }

  private mutating func skip(_ text: String) -> Bool {
    guard bytes[offset...].starts(with: text.utf8) else { return false }
    offset += text.utf8.count
    return true
  }

  private mutating func skip(to end: String, _ what: String) throws(Flaw) {
    let start = offset
    while let next = bytes[offset...].firstIndex(where: { $0 == end.utf8.first }) {
      offset = next
      if skip(end) { return }
      offset += 1
    }
    throw malformed("\(what) is not closed", at: start)
  }

  private mutating func skipSpaces() -> Bool {
    let start = offset
    offset = bytes[offset...].firstIndex { !Self.isSpace($0) } ?? bytes.count
    return offset > start
  }

  /// The name that begins here; empty where none does.
  private mutating func name() -> Name {
    let start = offset
    let end = bytes[start...].firstIndex { !Self.isOfName($0) } ?? bytes.count
    // Numbers, dashes and dots stand in a name, and begin none.
    guard start < end, !Self.isOfNameAlone(bytes[start]) else { return [] }
    offset = end
    return bytes[start..<end]
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
      true
    default: isOfNameAlone(byte)
    }
  }

  private static func isOfNameAlone(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }

  private static func text(_ name: Name) -> String {
    String(decoding: name.prefix(40), as: UTF8.self)
  }

  private func line(of offset: Int) -> Int {
    1 + bytes[..<offset].count { $0 == UInt8(ascii: "\n") }
  }

  private func malformed(_ words: String, at offset: Int? = nil) -> Flaw {
    .malformed(line: line(of: min(offset ?? self.offset, bytes.count)), words)
  }

  private func unclosed(_ element: Element) -> Flaw {
    malformed("<\(Self.text(element.name))> is not closed", at: element.start)
  }
}
