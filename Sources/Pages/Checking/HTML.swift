/// A document read by a parser that is stricter than browsers: what it accepts is well formed.
///
/// Attribute values have to be quoted, elements closed, and a literal `<`, `>` or `&` written as a
/// reference.
struct HTML {
  final class Element {
    let tag: String
    let attributes: [String: String]
    fileprivate(set) var children: [Node] = []

    init(tag: String, attributes: [String: String]) {
      self.tag = tag
      self.attributes = attributes
    }

    subscript(_ name: String) -> String? { attributes[name] }

    /// A start tag by which authors find it in their template: `<div class="hero">`.
    fileprivate var startTag: String {
      let names = ["id", "class"].compactMap { name in
        attributes[name].map { " \(name)=\"\($0)\"" }
      }
      return "<\(tag)\(names.joined())>"
    }

    /// The element and everything in it, in document order.
    var all: [Element] {
      var all: [Element] = []
      collect(into: &all)
      return all
    }

    private func collect(into all: inout [Element]) {
      all.append(self)
      for case .element(let child) in children { child.collect(into: &all) }
    }

    /// The words, white space collapsed.
    var text: String {
      rawText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private var rawText: String {
      children.map { node in
        switch node {
        case .text(let text): text
        case .element(let element): element.rawText
        }
      }.joined()
    }

    func contains(_ other: Element) -> Bool { all.contains { $0 === other } }
  }

  enum Node {
    case element(Element)
    case text(String)
  }

  struct Malformed: Error, CustomStringConvertible {
    var description: String
  }

  let root: Element
  /// Every element, in document order.
  let all: [Element]

  func all(_ tag: String) -> [Element] { all.filter { $0.tag == tag } }
  func all(having attribute: String) -> [Element] { all.filter { $0[attribute] != nil } }
  /// The submit buttons in a form, and those elsewhere that refer to it.
  func submitButtons(of form: Element) -> [Element] {
    all("button").filter { button in
      button["type"] == "submit" && (form.contains(button) || button["form"] == form["id"])
    }
  }
  func element(id: String) -> Element? { all.first { $0["id"] == id } }

  /// - Throws: `Malformed` for anything that a careful author would not write.
  init(_ bytes: [UInt8]) throws {
    var reader = Reader(bytes)
    root = try reader.document()
    all = root.all
  }
}

/// A parser of bytes: markup is ASCII, and a check of all pages reads megabytes.
private struct Reader {
  private let bytes: [UInt8]
  private var position = 0
  private static let void: Set = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
  ]
  /// Elements whose content is not markup.
  private static let raw: Set = ["script", "style"]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Consumes the text if it comes next.
  private mutating func pass(_ text: String) -> Bool {
    guard isNext(text) else { return false }
    position += text.utf8.count
    return true
  }

  private func isNext(_ text: String) -> Bool {
    guard bytes.count - position >= text.utf8.count else { return false }
    for (offset, byte) in text.utf8.enumerated() where bytes[position + offset] != byte {
      return false
    }
    return true
  }

  /// Consumes bytes as long as the condition holds.
  private mutating func passAll(where holds: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = position
    while let next, holds(next) { position += 1 }
    return bytes[start..<position]
  }

  mutating func document() throws -> HTML.Element {
    try documentType()
    let root = HTML.Element(tag: "#document", attributes: [:])
    var open = [root]
    while let next {
      guard next == UInt8(ascii: "<") else {
        open[open.count - 1].children.append(.text(try text(until: UInt8(ascii: "<"))))
        continue
      }
      if try passComment() { continue }
      position += 1
      if pass("/") {
        let tag = name().lowercased()
        _ = passSpace()
        try expect(">")
        guard open.count > 1 else {
          throw HTML.Malformed(description: "</\(tag)> closes nothing")
        }
        let closed = open.removeLast()
        guard closed.tag == tag else {
          throw HTML.Malformed(description: "\(closed.startTag) is open where </\(tag)> comes")
        }
        continue
      }
      let (element, isClosed) = try startTag()
      open[open.count - 1].children.append(.element(element))
      if isClosed || Self.void.contains(element.tag) { continue }
      if Self.raw.contains(element.tag) { element.children = [.text(rawText(of: element.tag))] }
      open.append(element)
    }
    guard open.count == 1 else {
      throw HTML.Malformed(description: "\(open[open.count - 1].startTag) is not closed")
    }
    return root
  }

  private mutating func documentType() throws {
    let type = "<!DOCTYPE html>"
    let first = String(decoding: bytes.prefix(type.utf8.count), as: UTF8.self)
    guard first.lowercased() == type.lowercased() else {
      throw HTML.Malformed(description: "the document does not begin with <!DOCTYPE html>")
    }
    position = type.utf8.count
    _ = passSpace()
  }

  private mutating func passComment() throws -> Bool {
    guard pass("<!--") else { return false }
    while !pass("-->") {
      guard next != nil else { throw HTML.Malformed(description: "a comment is not closed") }
      position += 1
    }
    return true
  }

  private mutating func rawText(of tag: String) -> String {
    let start = position
    while next != nil, !isNext("</\(tag)") { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// - Returns: The element, and whether it is closed at once.
  private mutating func startTag() throws -> (HTML.Element, isClosed: Bool) {
    let tag = name().lowercased()
    guard !tag.isEmpty else { throw HTML.Malformed(description: "a bare <") }
    var attributes: [String: String] = [:]
    while true {
      let hadSpace = passSpace()
      if pass(">") { return (HTML.Element(tag: tag, attributes: attributes), false) }
      if pass("/>") { return (HTML.Element(tag: tag, attributes: attributes), true) }
      let attribute = name()
      guard hadSpace, !attribute.isEmpty else {
        throw HTML.Malformed(description: "odd characters in <\(tag)>")
      }
      var value = ""
      if pass("=") {
        guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
          throw HTML.Malformed(description: "the value of \(attribute) in <\(tag)> has no quotes")
        }
        position += 1
        value = try text(until: quote)
        try expect(String(UnicodeScalar(quote)))
      }
      guard attributes.updateValue(value, forKey: attribute) == nil else {
        throw HTML.Malformed(description: "\(attribute) appears twice in <\(tag)>")
      }
    }
  }

  private mutating func name() -> String {
    let name = passAll { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: ":"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return String(decoding: name, as: UTF8.self)
  }

  private mutating func passSpace() -> Bool {
    !passAll { [0x20, 0x0A, 0x09, 0x0D].contains($0) }.isEmpty
  }

  private mutating func expect(_ text: String) throws {
    guard pass(text) else {
      let found = String(decoding: bytes[position...].prefix(40), as: UTF8.self)
      throw HTML.Malformed(description: "expected \(text) before \(found)")
    }
  }

  /// Reads text up to that byte and resolves its character references.
  private mutating func text(until end: UInt8) throws -> String {
    var text: [UInt8] = []
    while let next, next != end {
      switch next {
      case UInt8(ascii: "&"): text += try reference(before: end).utf8
      case UInt8(ascii: "<"), UInt8(ascii: ">"):
        throw HTML.Malformed(description: "a bare \(UnicodeScalar(next))")
      default:
        text.append(next)
        position += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// What the character reference that comes next stands for.
  private mutating func reference(before end: UInt8) throws -> String {
    position += 1
    let name = passAll { $0 != UInt8(ascii: ";") && $0 != end }
    let reference = String(decoding: name, as: UTF8.self)
    guard let scalar = Self.references[reference] ?? Self.numeric(reference), pass(";") else {
      throw HTML.Malformed(description: "a bare &, or an unknown &\(reference.prefix(12));")
    }
    return String(scalar)
  }

  private static let references: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "copy": "©",
    "reg": "®", "trade": "™", "middot": "·", "bull": "•", "hellip": "…", "ndash": "–",
    "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«",
    "raquo": "»", "larr": "←", "rarr": "→", "shy": "\u{AD}", "times": "×",
  ]

  /// `#39` or `#x27`.
  private static func numeric(_ reference: String) -> Unicode.Scalar? {
    guard reference.hasPrefix("#") else { return nil }
    let digits = reference.dropFirst()
    let number =
      digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    return number.flatMap(Unicode.Scalar.init)
  }
}
