/// A tag of a template, with its position.
struct Tag: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case variable, section, inverted, end, partial, parent, block, comment, message
  }

  let kind: Kind
  /// The content of the tag, without the character of its kind and surrounding white space.
  let name: String
  let file: String
  let position: TemplateFault.Position

  func fault(_ reason: TemplateFault.Reason) -> TemplateFault {
    TemplateFault(reason, in: file, at: position)
  }
}

/// Cuts a template's text into literal bytes and tags.
///
/// It works on bytes: `{{` followed by a combining mark still opens a tag. Indentation is dropped,
/// as are line breaks at the end of a file. A tag that is alone on its line, other than a variable
/// or message, is removed with the line.
/// Source: Mustache specification, <https://github.com/mustache/spec>; `{{@key}}` is our own: what the
/// catalogue says by that key.
struct Lexer {
  enum Token: Hashable {
    /// Literal bytes, and the position of the first one that is not white space, if any.
    case text([UInt8], TemplateFault.Position?)
    case tag(Tag)
  }

  private let source: [UInt8]
  private let file: String
  private var index = 0
  private var position = TemplateFault.Position(line: 1, column: 1)

  init(_ text: [UInt8], file: String) {
    let end = text.lastIndex { $0 != .lineFeed && $0 != .carriageReturn }
    source = Array(text[..<(end.map { $0 + 1 } ?? 0)])
    self.file = file
  }

  /// All tokens of the text.
  ///
  /// - Throws: `TemplateFault` for a tag that is not closed, or would bypass the escaping.
  static func tokens(of text: [UInt8], file: String) throws(TemplateFault) -> [Token] {
    var lexer = Lexer(text, file: file)
    var tokens: [Token] = []
    while lexer.index < lexer.source.count {
      let (literal, place) = lexer.literal()
      if !literal.isEmpty { tokens.append(.text(literal, place)) }
      if let tag = try lexer.tag() { tokens.append(.tag(tag)) }
    }
    return tokens
  }

  /// Reads up to the next tag, dropping indentation, and the position of the first byte that is not
  /// white space.
  private mutating func literal() -> ([UInt8], TemplateFault.Position?) {
    var literal: [UInt8] = []
    var place: TemplateFault.Position?
    var startsLine = index == 0 || source[index - 1] == .lineFeed
    while index < source.count, !isAt(.openingBrace) {
      let byte = source[index]
      if !(startsLine && byte.isBlank) {
        literal.append(byte)
        startsLine = byte == .lineFeed
        if place == nil, !byte.isBlank, !byte.isLineEnd { place = position }
      }
      advance()
    }
    return (literal, place)
  }

  private mutating func tag() throws(TemplateFault) -> Tag? {
    guard index < source.count else { return nil }
    let (start, place) = (index, position)
    func fault(_ reason: TemplateFault.Reason) -> TemplateFault {
      TemplateFault(reason, in: file, at: place)
    }
    advance(by: 2)
    let content = index
    let isComment = index < source.count && source[index] == UInt8(ascii: "!")
    while !isAt(.closingBrace) {
      // The tag has to end before another one begins.
      guard index < source.count, isComment || !isAt(.openingBrace) else {
        throw fault(.unclosedTag)
      }
      advance()
    }
    var text = source[content..<index].trimmed
    advance(by: 2)
    let kind: Tag.Kind
    switch text.first.map(Unicode.Scalar.init) {
    case "{", "&": throw fault(.unescapedValue)
    case "=": throw fault(.changedDelimiters)
    case "%": throw fault(.pragma)
    case "#": kind = .section
    case "^": kind = .inverted
    case "/": kind = .end
    case ">": kind = .partial
    case "<": kind = .parent
    case "$": kind = .block
    case "!": kind = .comment
    case "@": kind = .message
    default: kind = .variable
    }
    if kind != .variable { text = text.dropFirst().trimmed }
    if kind != .variable, kind != .message { skipLine(ifAloneSince: start) }
    return Tag(
      kind: kind,
      name: String(decoding: text, as: UTF8.self),
      file: file,
      position: place
    )
  }

  /// Skips the rest of the line if the tag is alone on it.
  private mutating func skipLine(ifAloneSince start: Int) {
    let before = source[..<start].last { !$0.isBlank }
    guard before == nil || before == .lineFeed else { return }
    var end = index
    while end < source.count, source[end].isBlank { end += 1 }
    guard end == source.count || source[end].isLineEnd else { return }
    advance(by: end - index)
    if isAt(.carriageReturn, then: .lineFeed) { advance() }
    if index < source.count { advance() }
  }

  private func isAt(_ brace: UInt8) -> Bool { isAt(brace, then: brace) }

  private func isAt(_ first: UInt8, then second: UInt8) -> Bool {
    index + 1 < source.count && source[index] == first && source[index + 1] == second
  }

  private mutating func advance(by count: Int = 1) {
    for byte in source[index..<index + count] {
      if byte == .lineFeed {
        position = TemplateFault.Position(line: position.line + 1, column: 1)
      } else if !UTF8.isContinuation(byte) {
        position = TemplateFault.Position(line: position.line, column: position.column + 1)
      }
    }
    index += count
  }
}

extension UInt8 {
  fileprivate static let lineFeed = UInt8(ascii: "\n")
  fileprivate static let carriageReturn = UInt8(ascii: "\r")
  fileprivate static let openingBrace = UInt8(ascii: "{")
  fileprivate static let closingBrace = UInt8(ascii: "}")

  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
  fileprivate var isLineEnd: Bool { self == .lineFeed || self == .carriageReturn }
}

extension ArraySlice<UInt8> {
  /// Without blanks and line ends around it.
  fileprivate var trimmed: Self {
    guard let last = lastIndex(where: { !$0.isBlank && !$0.isLineEnd }) else { return [] }
    return self[...last].drop { $0.isBlank || $0.isLineEnd }
  }
}
