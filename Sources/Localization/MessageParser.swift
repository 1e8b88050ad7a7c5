/// Reads the text of a message.
struct MessageParser {
  /// How deeply choices may be nested, since each level takes stack space.
  static let depthLimit = 32

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var depth = 0
  private var result: [MessageFormat.Step] = []

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  mutating func steps() throws(MessageFault) -> [MessageFormat.Step] {
    try message(within: nil)
    if index < scalars.count { throw fault(.unopenedBrace, at: index) }
    return result
  }

  private func fault(_ reason: MessageFault.Reason, at index: Int) -> MessageFault {
    MessageFault(reason: reason, column: index + 1)
  }

  /// Parses up to a closing brace or the end; `plural` names the value that `#` stands for.
  private mutating func message(within plural: String?) throws(MessageFault) {
    var text = String.UnicodeScalarView()
    func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
      scalar == "{" || scalar == "}" || (scalar == "#" && plural != nil)
    }
    while index < scalars.count {
      let scalar = scalars[index]
      switch scalar {
      case "'":
        let next = index + 1 < scalars.count ? scalars[index + 1] : nil
        if next == "'" {
          text.append("'")
          index += 2
        } else if let next, isSpecial(next) {
          appendQuoted(to: &text)
        } else {
          text.append("'")
          index += 1
        }
      case "}":
        flush(&text)
        return
      case "{":
        flush(&text)
        try place(within: plural)
      case "#":
        if let plural {
          flush(&text)
          result.append(.number(of: plural))
        } else {
          text.append(scalar)
        }
        index += 1
      default:
        text.append(scalar)
        index += 1
      }
    }
    flush(&text)
  }

  private mutating func flush(_ text: inout String.UnicodeScalarView) {
    if !text.isEmpty { result.append(.text(String(text))) }
    text = String.UnicodeScalarView()
  }

  /// Up to the closing apostrophe, or to the end where there is none.
  private mutating func appendQuoted(to text: inout String.UnicodeScalarView) {
    index += 1
    while index < scalars.count {
      if scalars[index] == "'" {
        guard index + 1 < scalars.count, scalars[index + 1] == "'" else {
          index += 1
          return
        }
        index += 1
      }
      text.append(scalars[index])
      index += 1
    }
  }

  /// From an opening brace to the one that closes it.
  private mutating func place(within plural: String?) throws(MessageFault) {
    let start = index
    index += 1
    let name = try name()
    switch try sign(or: fault(.unclosedPlace, at: start)) {
    case "}": result.append(.value(of: name))
    case ",":
      skipBlanks()
      let place = index
      let kind = word()
      guard kind == "plural" || kind == "select" else {
        throw fault(.unknownKind(kind), at: place)
      }
      guard try sign(or: fault(.unclosedPlace, at: start)) == "," else {
        throw fault(.missingOther, at: start)
      }
      try branches(of: name, isPlural: kind == "plural", within: plural, from: start)
    default: throw fault(.noName(name), at: start + 1)
    }
  }

  private mutating func branches(
    of name: String,
    isPlural: Bool,
    within plural: String?,
    from start: Int
  ) throws(MessageFault) {
    guard depth < Self.depthLimit else { throw fault(.tooDeep, at: start) }
    depth += 1
    defer { depth -= 1 }
    let choice = result.count
    result.append(.jump(0))
    var ends: [Int] = []
    var words: [String: Int] = [:]
    while try peek(or: fault(.unclosedPlace, at: start)) != "}" {
      // Blanks have been skipped.
      let place = index
      let word = word()
      let number = isPlural ? Self.number(word) : nil
      if isPlural, number == nil, PluralCategory(rawValue: word) == nil {
        throw fault(.unknownCategory(word), at: place)
      }
      // A number has one branch, however it is written.
      let branch = number.map { "=\($0)" } ?? word
      guard try peek(or: fault(.unclosedPlace, at: start)) == "{" else {
        throw fault(.unopenedBranch(word), at: place)
      }
      guard words[branch] == nil else { throw fault(.repeatedBranch(word), at: place) }
      index += 1
      words[branch] = result.count
      try message(within: isPlural ? name : plural)
      guard index < scalars.count else { throw fault(.unclosedPlace, at: place) }
      index += 1
      ends.append(result.count)
      result.append(.jump(0))
    }
    index += 1
    guard let other = words["other"] else { throw fault(.missingOther, at: start) }
    for end in ends { result[end] = .jump(result.count) }
    result[choice] =
      isPlural
      ? .plural(
        of: name,
        exact: words.reduce(into: [:]) { exact, branch in
          if let number = Self.number(branch.key) { exact[number] = branch.value }
        },
        categories: words.reduce(into: [:]) { categories, branch in
          if let category = PluralCategory(rawValue: branch.key) {
            categories[category] = branch.value
          }
        },
        other: other
      ) : .select(of: name, words, other: other)
  }

  // MARK: Words and signs

  /// The number of a branch such as `=5`.
  private static func number(_ word: String) -> Int? {
    word.hasPrefix("=") ? Int(word.dropFirst()) : nil
  }

  private mutating func name() throws(MessageFault) -> String {
    skipBlanks()
    let place = index
    let name = word()
    guard let first = name.unicodeScalars.first, first.properties.isAlphabetic else {
      throw fault(.noName(name), at: place)
    }
    return name
  }

  /// Reads up to white space, a brace or a comma.
  private mutating func word() -> String {
    skipBlanks()
    var word = String.UnicodeScalarView()
    while index < scalars.count, !scalars[index].properties.isWhitespace,
      !["{", "}", ","].contains(scalars[index])
    {
      word.append(scalars[index])
      index += 1
    }
    return String(word)
  }

  private mutating func sign(or fault: MessageFault) throws(MessageFault) -> Unicode.Scalar {
    let sign = try peek(or: fault)
    index += 1
    return sign
  }

  private mutating func peek(or fault: MessageFault) throws(MessageFault) -> Unicode.Scalar {
    skipBlanks()
    guard index < scalars.count else { throw fault }
    return scalars[index]
  }

  private mutating func skipBlanks() {
    while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
  }
}
