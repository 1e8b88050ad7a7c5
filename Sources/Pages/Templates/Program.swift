/// A template compiled for one type of view: what to write, in order.
struct Program<View>: Sendable {
  typealias Writer = @Sendable (View, inout Still) -> Void

  private enum Instruction: Sendable {
    /// A part of the constant bytes.
    case literal(Range<Int>)
    case text(@Sendable (View) -> String?)
    case value(@Sendable (View) -> Value?)
    /// Skips that many instructions unless the condition holds.
    case skip(Int, unless: @Sendable (View) -> Bool)
    case section(Writer)
  }

  private var instructions: [Instruction] = []
  /// All literal text in one array, written by spans: a slice would be retained and released by
  /// every thread that writes it.
  private var constants: [UInt8] = []

  /// Resolves every name of a template.
  ///
  /// - Throws: `TemplateFault` for a name that is not known there, or stands for something else.
  init(_ nodes: [FlatNode], in scope: Scope<View>) throws(TemplateFault) {
    try compile(nodes, in: scope)
  }

  func write(_ view: View, to still: inout Still) {
    var index = 0
    while index < instructions.count {
      switch instructions[index] {
      case .literal(let part): still.append(constants.span.extracting(part))
      case .text(let text):
        if let text = text(view) { still.append(escaping: text) }
      case .value(let value):
        if let value = value(view) { still.append(value) }
      case .skip(let count, let isShown):
        if !isShown(view) { index += count }
      case .section(let write): write(view, &still)
      }
      index += 1
    }
  }

  private mutating func compile(
    _ nodes: [FlatNode],
    in scope: Scope<View>
  ) throws(TemplateFault) {
    for node in nodes {
      switch node {
      case .text(let bytes):
        let start = constants.count
        constants += bytes
        instructions.append(.literal(start..<constants.count))
      case .variable(let tag):
        switch try scope.meaning(of: tag) {
        case .text(let text): instructions.append(.text(text))
        case .value(let value): instructions.append(.value(value))
        case .flag, .section: throw tag.fault(.notText(tag.name))
        }
      case .section(let tag, let content):
        switch try scope.meaning(of: tag) {
        case .text, .value: throw tag.fault(.notSection(tag.name))
        case .flag(let flag): try compile(content, in: scope, where: flag)
        case .section(let section):
          instructions.append(.section(try section.writer(of: content, in: scope)))
        }
      case .inverted(let tag, let content):
        switch try scope.meaning(of: tag) {
        case .text, .value: throw tag.fault(.notSection(tag.name))
        case .flag(let flag): try compile(content, in: scope) { !flag($0) }
        case .section(let section):
          let areThere = section.areThere
          try compile(content, in: scope) { !areThere($0) }
        }
      }
    }
  }

  private mutating func compile(
    _ content: [FlatNode],
    in scope: Scope<View>,
    where isShown: @escaping @Sendable (View) -> Bool
  ) throws(TemplateFault) {
    let start = instructions.count
    try compile(content, in: scope)
    let count = instructions.count - start
    instructions.insert(.skip(count, unless: isShown), at: start)
  }
}

extension Program where View: TemplateView {
  /// Writes the view, or its cached fragment if there is one.
  func write(_ view: View, to still: inout Still, keepingIn fragments: FragmentStore) {
    guard let fragment = view.fragment else { return write(view, to: &still) }
    fragments.append(fragment, to: &still) { write(view, to: &$0) }
  }
}
