/// A message with places for values: a subset of ICU's MessageFormat, parsed once.
///
/// `{name}` inserts a value; `{count, plural, =0 {…} one {…} other {… # …}}` and `{kind, select,
/// email {…} other {…}}` choose a branch. An apostrophe before a brace, or before `#` within a
/// plural, quotes everything up to the next apostrophe; two apostrophes stand for one.
///
/// Source: ICU User Guide, "Formatting Messages".
public struct MessageFormat: Hashable, Sendable {
  /// An instruction of the compiled message; jump targets are indices into the list of steps.
  @usableFromInline enum Step: Hashable, Sendable {
    case text(String)
    case value(of: String)
    /// The number that the enclosing plural depends on: `#`.
    case number(of: String)
    case plural(of: String, exact: [Int: Int], categories: [PluralCategory: Int], other: Int)
    case select(of: String, [String: Int], other: Int)
    case jump(Int)
  }

  @usableFromInline let steps: [Step]
  /// The whole text of a message without placeholders; nil for a message that has some.
  public let words: String?
  /// Whether the words belong to another language, because this one has none for the message.
  public private(set) var isBorrowed = false

  /// A message without words and values.
  static var empty: MessageFormat { MessageFormat([]) }

  /// The value of a name in a message.
  public enum Value<Fragment> {
    /// A whole number, which plurals depend on.
    case count(Int)
    /// A keyword, by which selects choose; it is never shown.
    case choice(String)
    /// What is put in as it is.
    case fragment(Fragment)
  }

  /// A part of a message with its values in place.
  public enum Piece<Fragment> {
    case text(String)
    case fragment(Fragment)
  }

  /// - Throws: `MessageFault` with the place in the text.
  public init(parsing text: String) throws(MessageFault) {
    var parser = MessageParser(text)
    self.init(try parser.steps())
  }

  private init(_ steps: [Step]) {
    self.steps = steps
    words =
      switch steps.first {
      case nil: ""
      case .text(let text)? where steps.count == 1: text
      case .text?, .value?, .number?, .plural?, .select?, .jump?: nil
      }
  }

  /// Formats the message piece by piece.
  ///
  /// - Parameters:
  ///   - rule: The plural rule of the message's language.
  ///   - value: The value of a name; a name without a value is written in its braces.
  ///   - body: Receives the pieces in order.
  @inlinable public func forEachPiece<Fragment>(
    by rule: PluralRule,
    _ value: (String) -> Value<Fragment>?,
    _ body: (Piece<Fragment>) -> Void
  ) {
    var index = 0
    while index < steps.count {
      switch steps[index] {
      case .text(let text): body(.text(text))
      case .value(let name), .number(let name):
        switch value(name) {
        case .count(let number)?: body(.text(String(number)))
        case .fragment(let fragment)?: body(.fragment(fragment))
        case .choice?, nil: body(.text("{\(name)}"))
        }
      case .plural(let name, let exact, let categories, let other):
        guard case .count(let number)? = value(name) else {
          index = other
          continue
        }
        index = exact[number] ?? categories[rule.category(of: number)] ?? other
        continue
      case .select(let name, let branches, let other):
        guard case .choice(let word)? = value(name) else {
          index = other
          continue
        }
        index = branches[word] ?? other
        continue
      case .jump(let target):
        index = target
        continue
      }
      index += 1
    }
  }

  /// The names of all values that it speaks of.
  public var names: Set<String> {
    Set(
      steps.compactMap { step in
        switch step {
        case .text, .jump: nil
        case .value(let name), .number(let name), .plural(let name, _, _, _),
          .select(let name, _, _):
          name
        }
      }
    )
  }

  /// The names of the values that are shown, rather than only used to choose a branch.
  var shownNames: Set<String> {
    Set(
      steps.compactMap { step in
        switch step {
        case .value(let name), .number(let name): name
        case .text, .plural, .select, .jump: nil
        }
      }
    )
  }

  /// The categories that it has branches for, in any of its plurals.
  var categories: Set<PluralCategory> {
    steps.reduce(into: []) { categories, step in
      switch step {
      case .plural(_, _, let branches, _): categories.formUnion(branches.keys)
      case .text, .value, .number, .select, .jump: break
      }
    }
  }

  /// The message marked as borrowed, for a language that has no words of its own for it.
  var borrowed: MessageFormat {
    var message = self
    message.isBorrowed = true
    return message
  }

  /// The message with its text changed and its placeholders kept.
  func changingText(_ change: (String) -> String) -> MessageFormat {
    MessageFormat(
      steps.map { step in
        if case .text(let text) = step { .text(change(text)) } else { step }
      }
    )
  }
}
