/// Turns the tokens of a template into its tree.
struct Parser {
  private var tokens: ArraySlice<Lexer.Token>

  /// The tree of a whole template.
  ///
  /// - Throws: `TemplateFault` where tags are not allowed or do not match.
  static func nodes(of text: [UInt8], file: String) throws(TemplateFault) -> [Node] {
    var parser = Parser(tokens: try Lexer.tokens(of: text, file: file)[...])
    return try parser.nodes(in: nil)
  }

  /// Everything up to the end of what that tag has opened.
  private mutating func nodes(in opened: Tag?) throws(TemplateFault) -> [Node] {
    var nodes: [Node] = []
    while let token = tokens.popFirst() {
      switch token {
      case .text(let bytes): nodes.append(.text(bytes))
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
          guard tag.name == opened?.name else {
            throw tag.fault(.misplacedEnd(tag.name, expected: opened?.name))
          }
          return nodes
        }
      }
    }
    if let opened { throw opened.fault(.unclosedSection(opened.name)) }
    return nodes
  }

  private static func key(of tag: Tag) throws(TemplateFault) -> PhraseKey {
    guard let key = PhraseKey(name: tag.name) else { throw tag.fault(.unknownMessage(tag.name)) }
    return key
  }

  /// The blocks that are filled for a parent; text between them is left out.
  private static func blocks(among nodes: [Node]) throws(TemplateFault) -> [Node.Block] {
    var blocks: [Node.Block] = []
    for node in nodes {
      switch node {
      case .text, .message: break
      case .block(let block): blocks.append(block)
      case .variable(let tag), .section(let tag, _), .inverted(let tag, _), .partial(let tag),
        .parent(let tag, _):
        throw tag.fault(.outsideBlocks(tag.name))
      }
    }
    return blocks
  }
}
