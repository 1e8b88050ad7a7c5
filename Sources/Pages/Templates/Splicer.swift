import Assets
import Localization
import Spelling

/// A part of a template without partials, parents, blocks and messages.
indirect enum FlatNode: Hashable, Sendable {
  case text([UInt8])
  case variable(Tag)
  case section(Tag, [FlatNode])
  case inverted(Tag, [FlatNode])
}

/// Flattens templates: replaces partials, parents, blocks and messages by their content.
struct Splicer {
  /// The templates of a folder by name.
  let templates: [String: [Node]]
  /// The files of the folder by the names of their templates, also of those that are not read.
  var files: [String: LayeredFile] = [:]
  /// What messages say; without words, their names.
  var words = Catalogue<PhraseKey>()

  /// The content of blocks, by name.
  private typealias Blocks = [String: [FlatNode]]

  /// A template with all that it includes; nil where there is none of that name.
  ///
  /// - Throws: `TemplateFault` for a template or a block that is not there, and for recursion.
  func nodes(of name: String) throws(TemplateFault) -> [FlatNode]? {
    guard let nodes = templates[name] else { return nil }
    var shown: Set<String> = []
    return try splice(nodes, filling: [:], within: [name], &shown)
  }

  /// Looks for every template that is named, whether or not it is ever shown.
  ///
  /// - Throws: `TemplateFault` for one that is not there.
  func check() throws(TemplateFault) {
    for (_, nodes) in templates.sorted(by: { $0.key < $1.key }) { try check(nodes) }
  }

  /// Checks that no template uses a message that needs values.
  ///
  /// - Throws: `TemplateFault` for a message with a placeholder.
  func checkMessages() throws(TemplateFault) {
    for (_, nodes) in templates.sorted(by: { $0.key < $1.key }) { try checkMessages(in: nodes) }
  }

  private func checkMessages(in nodes: [Node]) throws(TemplateFault) {
    for node in nodes {
      switch node {
      case .text, .variable, .partial: break
      case .message(let key, let tag):
        let names = words[key]?.names.sorted() ?? []
        guard names.isEmpty || key.isFilledByScript else {
          throw tag.fault(.messageWithPlaces(key.name, names: names))
        }
      case .section(_, let content), .inverted(_, let content):
        try checkMessages(in: content)
      case .block(let block): try checkMessages(in: block.content)
      case .parent(_, let blocks):
        for block in blocks { try checkMessages(in: block.content) }
      }
    }
  }

  /// The templates that a template is written from: itself and all that it includes.
  func names(usedBy name: String) -> Set<String> {
    var used: Set<String> = []
    var waiting = [name]
    while let name = waiting.popLast() {
      guard let nodes = templates[name], used.insert(name).inserted else { continue }
      waiting += nodes.flatMap(\.included)
    }
    return used
  }

  private func check(_ nodes: [Node]) throws(TemplateFault) {
    for node in nodes {
      switch node {
      case .text, .variable, .message: break
      case .section(_, let content), .inverted(_, let content): try check(content)
      case .block(let block): try check(block.content)
      case .partial(let tag): _ = try template(tag)
      case .parent(let tag, let blocks):
        _ = try template(tag)
        for block in blocks { try check(block.content) }
      }
    }
  }

  /// Flattens nodes with everything they include.
  ///
  /// - Parameters:
  ///   - nodes: The nodes to flatten.
  ///   - blocks: The content that overrides their blocks.
  ///   - names: The templates that enclose them.
  ///   - shown: Collects the names of all blocks encountered.
  /// - Returns: The flattened nodes.
  /// - Throws: `TemplateFault` for a template or a block that is not there, and for recursion.
  private func splice(
    _ nodes: [Node],
    filling blocks: Blocks,
    within names: [String],
    _ shown: inout Set<String>
  ) throws(TemplateFault) -> [FlatNode] {
    var flat: [FlatNode] = []
    for node in nodes {
      switch node {
      case .text(let bytes): flat.join([.text(bytes)])
      case .variable(let tag): flat.append(.variable(tag))
      case .message(let key, let tag):
        // A custom key exists only if the catalogue has words for it.
        if case .own = key, words[key] == nil { throw tag.fault(.unknownMessage(key.name)) }
        var text: [UInt8] = []
        text.append(escapedForHTML: words.text(key))
        flat.join([.text(text)])
      case .section(let tag, let content):
        flat.append(.section(tag, try splice(content, filling: blocks, within: names, &shown)))
      case .inverted(let tag, let content):
        flat.append(.inverted(tag, try splice(content, filling: blocks, within: names, &shown)))
      case .block(let block):
        shown.insert(block.tag.name)
        if let filling = blocks[block.tag.name] {
          flat.join(filling)
        } else {
          flat.join(try splice(block.content, filling: blocks, within: names, &shown))
        }
      case .partial(let tag):
        let nodes = try include(tag, in: names)
        flat.join(try splice(nodes, filling: blocks, within: names + [tag.name], &shown))
      case .parent(let tag, let own):
        flat.join(try splice(tag, own, filling: blocks, within: names, &shown))
      }
    }
    return flat
  }

  /// Flattens a parent with its blocks filled; the outermost content of a block wins.
  private func splice(
    _ parent: Tag,
    _ own: [Node.Block],
    filling blocks: Blocks,
    within names: [String],
    _ shown: inout Set<String>
  ) throws(TemplateFault) -> [FlatNode] {
    var filled = blocks
    for block in own where blocks[block.tag.name] == nil {
      filled[block.tag.name] = try splice(block.content, filling: blocks, within: names, &shown)
    }
    var shownByParent: Set<String> = []
    let flat = try splice(
      include(parent, in: names),
      filling: filled,
      within: names + [parent.name],
      &shownByParent
    )
    if let unknown = own.first(where: { !shownByParent.contains($0.tag.name) }) {
      throw fault(of: unknown.tag, fillingNoneOf: shownByParent, in: parent.name)
    }
    shown.formUnion(shownByParent)
    return flat
  }

  /// The fault of content for a block that the parent does not show.
  private func fault(
    of block: Tag,
    fillingNoneOf shown: Set<String>,
    in parent: String
  ) -> TemplateFault {
    let file = files[parent]
    // Whoever has emptied a parent may never have seen the template that fills it: it may be built in.
    if let file, file.isOwn, shown.isEmpty {
      let isEmpty = templates[parent]?.allSatisfy(\.isBlank) ?? true
      return TemplateFault(
        isEmpty ? .empty : .withoutBlocks(filled: block.name, by: block.file),
        in: file.place
      )
    }
    return block.fault(
      .unknownBlock(block.name, parent: parent, known: shown.sorted(), place: file?.place)
    )
  }

  private func include(_ tag: Tag, in names: [String]) throws(TemplateFault) -> [Node] {
    guard !names.contains(tag.name) else { throw tag.fault(.recursion(tag.name)) }
    return try template(tag)
  }

  private func template(_ tag: Tag) throws(TemplateFault) -> [Node] {
    guard let nodes = templates[tag.name] else {
      let names = Set(templates.keys).union(files.keys).sorted()
      throw tag.fault(.unknownTemplate(tag.name, nearest: tag.name.nearestName(among: names)))
    }
    return nodes
  }
}

extension Node {
  /// The names of the templates that are included here.
  var included: [String] {
    switch self {
    case .text, .variable, .message: []
    case .section(_, let content), .inverted(_, let content): content.flatMap(\.included)
    case .block(let block): block.content.flatMap(\.included)
    case .partial(let tag): [tag.name]
    case .parent(let tag, let blocks):
      [tag.name] + blocks.flatMap { $0.content.flatMap(\.included) }
    }
  }
}

extension [FlatNode] {
  /// Appends nodes; text behind text becomes one.
  fileprivate mutating func join(_ nodes: [FlatNode]) {
    guard case .text(let before)? = last, case .text(let behind)? = nodes.first else {
      self += nodes
      return
    }
    self[count - 1] = .text(before + behind)
    self += nodes.dropFirst()
  }
}
