/// A part of a template.
indirect enum Node: Hashable, Sendable {
  case text([UInt8])
  case variable(Tag)
  /// A message of the catalogue, in the language of the page.
  case message(PhraseKey, Tag)
  case section(Tag, [Node])
  case inverted(Tag, [Node])
  case partial(Tag)
  /// Another template, with content for some of its blocks.
  case parent(Tag, [Block])
  /// Content that a template with this one as its parent may replace.
  case block(Block)

  /// Whether it writes nothing that anybody sees.
  var isBlank: Bool {
    if case .text(let bytes) = self { bytes.allSatisfy { $0 <= UInt8(ascii: " ") } } else { false }
  }

  struct Block: Hashable, Sendable {
    let tag: Tag
    let content: [Node]
  }
}
