/// A message with places for values: a subset of ICU's MessageFormat, parsed once.
///
/// `{name}` is a value; `{count, plural, =0 {…} one {…} other {… # …}}` and
/// `{kind, select, email {…} other {…}}` choose. A straight apostrophe before a brace, or before `#`
/// within a plural, quotes up to the next one; two of them are one.
///
/// Source: ICU User Guide, "Formatting Messages".
public struct MessageFormat: Hashable, Sendable {
  /// A step of what is written; targets of jumps are places in the list of steps.
  @usableFromInline enum Step: Hashable, Sendable {
    case text(String)
    case value(of: String)
    /// The number on which the plural around it depends: `#`.
    case number(of: String)
    case plural(of: String, exact: [Int: Int], categories: [PluralCategory: Int], other: Int)
    case select(of: String, [String: Int], other: Int)
    case jump(Int)
  }

  @usableFromInline let steps: [Step]
  /// The words of a message without places; nil for one that has some.
  public let words: String?
  /// Whether a language says it in the words of another, for want of its own.
  public private(set) var isBorrowed = false

  /// Says nothing, and has no values.
  static var empty: MessageFormat { MessageFormat([]) }

  /// What a message is given for a name.
  public enum Value<Fragment> {
    /// A whole number, which plurals depend on.
    case count(Int)
    /// A word of ours, which selects depend on; never shown.
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

  /// Goes through the message with its values.
  ///
  /// - Parameters:
  ///   - rule: The plurals of the message's language.
  ///   - value: What is known by a name; a name without a value is written in its braces.
  ///   - body: Gets the pieces in their order.
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

  /// The names of the values that are written somewhere, other than those that only choose.
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

  /// The same message for a language that has no words of its own for it.
  var borrowed: MessageFormat {
    var message = self
    message.isBorrowed = true
    return message
  }

  /// The same message with other words between the places.
  func changingText(_ change: (String) -> String) -> MessageFormat {
    MessageFormat(
      steps.map { step in
        if case .text(let text) = step { .text(change(text)) } else { step }
      }
    )
  }
}
