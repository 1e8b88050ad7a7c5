/// A document, read by a tokenizer that is stricter than browsers: what it accepts is well formed.
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
      var all = [self]
      for case .element(let child) in children { all += child.all }
      return all
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

  var all: [Element] { root.all }

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
  }
}

private struct Reader {
  private var rest: Substring.UnicodeScalarView
  private static let void: Set = ["meta", "link", "input", "br"]

  init(_ text: String.UnicodeScalarView) { rest = text[...] }

  mutating func document() throws -> HTML.Element {
    try expect("<!DOCTYPE html>\n")
    let root = HTML.Element(tag: "#document", attributes: [:])
    var open = [root]
    while let next = rest.first {
      guard next == "<" else {
        open[open.count - 1].children.append(.text(try text(until: "<")))
        continue
      }
      rest.removeFirst()
      if rest.first == "/" {
        rest.removeFirst()
        let tag = name()
        try expect(">")
        guard open.count > 1, open.removeLast().tag == tag else {
          throw HTML.Malformed(description: "</\(tag)> closes nothing")
        }
        continue
      }
      let element = try startTag()
      open[open.count - 1].children.append(.element(element))
      if !Self.void.contains(element.tag) { open.append(element) }
    }
    guard open.count == 1 else {
      throw HTML.Malformed(description: "<\(open[open.count - 1].tag)> is not closed")
    }
    return root
  }

  private mutating func startTag() throws -> HTML.Element {
    let tag = name()
    guard !tag.isEmpty else { throw HTML.Malformed(description: "a bare <") }
    var attributes: [String: String] = [:]
    while true {
      let hadSpace = skipSpace()
      if rest.first == ">" {
        rest.removeFirst()
        return HTML.Element(tag: tag, attributes: attributes)
      }
      let attribute = name()
      guard hadSpace, !attribute.isEmpty else {
        throw HTML.Malformed(description: "odd characters in <\(tag)>")
      }
      var value = ""
      if rest.first == "=" {
        try expect("=\"")
        value = try text(until: "\"")
        try expect("\"")
      }
      guard attributes.updateValue(value, forKey: attribute) == nil else {
        throw HTML.Malformed(description: "\(attribute) twice in <\(tag)>")
      }
    }
  }

  private mutating func name() -> String {
    let name = rest.prefix { $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" }
    rest = rest.dropFirst(name.count)
    return String(name)
  }

  private mutating func skipSpace() -> Bool {
    let space = rest.prefix { $0 == " " || $0 == "\n" }
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
      guard let scalar = Self.references[reference] else {
        throw HTML.Malformed(description: "a bare &")
      }
      text.append(scalar)
      left = left.dropFirst(reference.unicodeScalars.count + 1)
    }
    return String(text)
  }

  private static let references: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'",
  ]
}
