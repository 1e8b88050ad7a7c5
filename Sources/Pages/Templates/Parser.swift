import Spelling

/// Turns the tokens of a template into its tree.
struct Parser {
  /// How deeply sections and blocks may be nested, since each level takes stack space here, in the
  /// compiler and when rendering.
  static let depthLimit = 64

  private var tokens: ArraySlice<Lexer.Token>
  /// The tags that are open, the outermost first.
  private var openTags: [Tag] = []

  /// The tree of a whole template.
  ///
  /// - Throws: `TemplateFault` where tags are not allowed or do not match.
  static func nodes(of text: [UInt8], file: String) throws(TemplateFault) -> [Node] {
    var parser = Parser(tokens: try Lexer.tokens(of: text, file: file)[...])
    return try parser.nodes(in: nil)
  }

  /// Everything up to the end of what that tag has opened.
  private mutating func nodes(in opened: Tag?) throws(TemplateFault) -> [Node] {
    if let opened {
      guard openTags.count < Self.depthLimit else { throw opened.fault(.tooDeep) }
      openTags.append(opened)
    }
    defer { if opened != nil { openTags.removeLast() } }
    var nodes: [Node] = []
    while let token = tokens.popFirst() {
      switch token {
      case .text(let bytes, let place):
        // Text between blocks would never be shown, so it is a mistake unless it is a comment.
        if let place, let opened, opened.kind == .parent, !Self.isComment(bytes) {
          throw TemplateFault(.outsideBlocks(Self.start(of: bytes)), in: opened.file, at: place)
        }
        nodes.append(.text(bytes))
      case .tag(let tag):
        switch tag.kind {
        case .comment: break
        case .variable: nodes.append(.variable(tag))
        case .message: nodes.append(.message(try Self.key(of: tag), tag))
        case .partial: nodes.append(.partial(tag))
        case .section: nodes.append(.section(tag, try self.nodes(in: tag)))
        case .inverted: nodes.append(.inverted(tag, try self.nodes(in: tag)))
        case .block: nodes.append(.block(Node.Block(tag: tag, content: try self.nodes(in: tag))))
        case .parent: nodes.append(.parent(tag, try Self.blocks(among: self.nodes(in: tag))))
        case .end:
          guard let opened else { throw tag.fault(.misplacedEnd(tag.name)) }
          guard tag.name == opened.name else { throw crossing(of: tag, opened) }
          return nodes
        }
      }
    }
    if let opened { throw opened.fault(.unclosedSection(opened.name)) }
    return nodes
  }

  /// The fault of a tag that closes another one than the last that is open.
  private func crossing(of end: Tag, _ opened: Tag) -> TemplateFault {
    let isOpenFurtherOut = openTags.contains { $0.name == end.name }
    return end.fault(
      .crossedEnd(
        end.name,
        open: opened.name,
        line: opened.position.line,
        isMisspelt: !isOpenFurtherOut && opened.name.nearestName(among: [end.name]) != nil
      )
    )
  }

  private static func key(of tag: Tag) throws(TemplateFault) -> PhraseKey {
    guard let key = PhraseKey(name: tag.name) else { throw tag.fault(.unknownMessage(tag.name)) }
    return key
  }

  /// Whether a text consists of HTML comments and white space alone.
  private static func isComment(_ text: [UInt8]) -> Bool {
    String(decoding: text, as: UTF8.self).replacing(#/<!--[\s\S]*?-->/#, with: "")
      .allSatisfy(\.isWhitespace)
  }

  /// The first words of a text, in quotation marks.
  private static func start(of text: [UInt8]) -> String {
    let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
    let line = lines.first { line in line.contains { !$0.isWhitespace } } ?? ""
    return "“\(line.prefix(40))\(line.count > 40 ? "…" : "")”"
  }

  /// The blocks that are filled for a parent; between them there are blanks and comments alone.
  private static func blocks(among nodes: [Node]) throws(TemplateFault) -> [Node.Block] {
    var blocks: [Node.Block] = []
    for node in nodes {
      switch node {
      case .text: break
      case .block(let block):
        // The first one would be lost without a trace.
        if let first = blocks.first(where: { $0.tag.name == block.tag.name }) {
          throw block.tag.fault(.repeatedBlock(block.tag.name, line: first.tag.position.line))
        }
        blocks.append(block)
      case .message(_, let tag), .variable(let tag), .section(let tag, _), .inverted(let tag, _),
        .partial(let tag), .parent(let tag, _):
        throw tag.fault(.outsideBlocks(tag.name))
      }
    }
    return blocks
  }
}
