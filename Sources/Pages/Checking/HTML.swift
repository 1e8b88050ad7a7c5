/// A document, read by a tokenizer that is stricter than browsers: what it accepts is well formed.
///
/// Values are quoted, what is opened is closed, and a bare `<`, `>` or `&` is none.
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
  /// Those in the form, and those elsewhere that name it.
  func submitButtons(of form: Element) -> [Element] {
    all("button").filter { button in
      button["type"] == "submit" && (form.contains(button) || button["form"] == form["id"])
    }
  }
  func element(id: String) -> Element? { all.first { $0["id"] == id } }

  /// - Throws: `Malformed` for anything that a careful author would not write.
  init(_ bytes: [UInt8]) throws {
    var reader = Reader(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    root = try reader.document()
    all = root.all
  }
}

private struct Reader {
  private var rest: Substring.UnicodeScalarView
  private static let void: Set = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
  ]
  /// Their content is no markup.
  private static let raw: Set = ["script", "style"]

  init(_ text: String.UnicodeScalarView) { rest = text[...] }

  mutating func document() throws -> HTML.Element {
    try documentType()
    let root = HTML.Element(tag: "#document", attributes: [:])
    var open = [root]
    while let next = rest.first {
      guard next == "<" else {
        open[open.count - 1].children.append(.text(try text(until: "<")))
        continue
      }
      if try skipComment() { continue }
      rest.removeFirst()
      if rest.first == "/" {
        rest.removeFirst()
        let tag = name().lowercased()
        _ = skipSpace()
        try expect(">")
        guard open.count > 1, open.removeLast().tag == tag else {
          throw HTML.Malformed(description: "</\(tag)> closes nothing")
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
      throw HTML.Malformed(description: "<\(open[open.count - 1].tag)> is not closed")
    }
    return root
  }

  private mutating func documentType() throws {
    let type = "<!DOCTYPE html>"
    guard String(rest.prefix(type.unicodeScalars.count)).lowercased() == type.lowercased() else {
      throw HTML.Malformed(description: "the document does not begin with <!DOCTYPE html>")
    }
    rest = rest.dropFirst(type.unicodeScalars.count)
    _ = skipSpace()
  }

  private mutating func skipComment() throws -> Bool {
    guard rest.starts(with: "<!--".unicodeScalars) else { return false }
    while !rest.starts(with: "-->".unicodeScalars) {
      guard !rest.isEmpty else { throw HTML.Malformed(description: "a comment is not closed") }
      rest.removeFirst()
    }
    rest = rest.dropFirst(3)
    return true
  }

  private mutating func rawText(of tag: String) -> String {
    var text = String.UnicodeScalarView()
    while let next = rest.first, !rest.starts(with: "</\(tag)".unicodeScalars) {
      text.append(next)
      rest.removeFirst()
    }
    return String(text)
  }

  /// - Returns: The element, and whether it is closed at once.
  private mutating func startTag() throws -> (HTML.Element, isClosed: Bool) {
    let tag = name().lowercased()
    guard !tag.isEmpty else { throw HTML.Malformed(description: "a bare <") }
    var attributes: [String: String] = [:]
    while true {
      let hadSpace = skipSpace()
      if rest.first == ">" {
        rest.removeFirst()
        return (HTML.Element(tag: tag, attributes: attributes), false)
      }
      if rest.starts(with: "/>".unicodeScalars) {
        rest = rest.dropFirst(2)
        return (HTML.Element(tag: tag, attributes: attributes), true)
      }
      let attribute = name()
      guard hadSpace, !attribute.isEmpty else {
        throw HTML.Malformed(description: "odd characters in <\(tag)>")
      }
      var value = ""
      if rest.first == "=" {
        rest.removeFirst()
        guard let quote = rest.first, quote == "\"" || quote == "'" else {
          throw HTML.Malformed(description: "the value of \(attribute) in <\(tag)> has no quotes")
        }
        rest.removeFirst()
        value = try text(until: quote)
        try expect(String(Character(quote)))
      }
      guard attributes.updateValue(value, forKey: attribute) == nil else {
        throw HTML.Malformed(description: "\(attribute) twice in <\(tag)>")
      }
    }
  }

  private mutating func name() -> String {
    let name = rest.prefix {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || ["-", ":", "_"].contains($0)
    }
    rest = rest.dropFirst(name.count)
    return String(name)
  }

  private mutating func skipSpace() -> Bool {
    let space = rest.prefix { [" ", "\n", "\t", "\r"].contains($0) }
    rest = rest.dropFirst(space.count)
    return !space.isEmpty
  }

  private mutating func expect(_ literal: String) throws {
    guard rest.starts(with: literal.unicodeScalars) else {
      throw HTML.Malformed(description: "expected \(literal) before \(String(rest.prefix(40)))")
    }
    rest = rest.dropFirst(literal.unicodeScalars.count)
  }

  /// Text with its character references resolved, up to that scalar.
  private mutating func text(until end: Unicode.Scalar) throws -> String {
    let raw = rest.prefix { $0 != end }
    rest = rest.dropFirst(raw.count)
    var text = String.UnicodeScalarView()
    var left = raw[...]
    while let next = left.first {
      left.removeFirst()
      guard next == "&" else {
        guard next != "<", next != ">" else { throw HTML.Malformed(description: "a bare \(next)") }
        text.append(next)
        continue
      }
      let reference = String(left.prefix { $0 != ";" })
      guard let scalar = Self.references[reference] ?? Self.numeric(reference) else {
        throw HTML.Malformed(description: "a bare &, or an unknown &\(reference.prefix(12));")
      }
      text.append(scalar)
      left = left.dropFirst(reference.unicodeScalars.count + 1)
    }
    return String(text)
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
