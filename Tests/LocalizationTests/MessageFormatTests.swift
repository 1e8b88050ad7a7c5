import Testing

@testable import Localization

@Suite("A message with places for values")
struct MessageFormatTests {
  static func text(
    _ message: String,
    _ values: [String: MessageFormat.Value<String>] = [:],
    in language: LanguageTag = .english
  ) throws -> String {
    text(try MessageFormat(parsing: message), values, by: PluralRule(for: language))
  }

  private static func text(
    _ message: MessageFormat,
    _ values: [String: MessageFormat.Value<String>],
    by rule: PluralRule
  ) -> String {
    var text = ""
    message.forEachPiece(by: rule) {
      values[$0]
    } _: { piece in
      switch piece {
      case .text(let part), .fragment(let part): text += part
      }
    }
    return text
  }

  @Test("values appear where their names are, in the order of the language")
  func values() throws {
    let values: [String: MessageFormat.Value<String>] = ["a": .fragment("Ada"), "n": .count(3)]
    #expect(try Self.text("{a} has { n }.", values) == "Ada has 3.")
    #expect(try Self.text("{n}{a}{a}", values) == "3AdaAda")
    #expect(try Self.text("", values) == "")
    #expect(try Self.text("{b}", values) == "{b}", "an unknown name stays as it is")
  }

  @Test(
    "a plural goes by the number itself first, then by its category",
    arguments: [(0, "none"), (1, "1 code"), (2, "2 codes"), (-1, "-1 code")]
  )
  func plurals(_ number: Int, _ expected: String) throws {
    let message = "{n, plural, =0 {none} one {# code} other {# codes}}"
    #expect(try Self.text(message, ["n": .count(number)]) == expected)
  }

  @Test("a choice takes the branch of its word, and whole sentences may be in it")
  func selects() throws {
    let message = "{kind, select, phone {Die Nummer {to}} other {Die Adresse {to}}} gilt."
    func text(_ kind: String) throws -> String {
      try Self.text(message, ["kind": .choice(kind), "to": .fragment("x")])
    }
    #expect(try text("phone") == "Die Nummer x gilt.")
    #expect(try text("email") == "Die Adresse x gilt.")
  }

  @Test("branches nest; the number belongs to the plural around it")
  func nesting() throws {
    let message =
      "{a, select, x {{n, plural, one {# {b, plural, one {# b} other {# bs}}} other {#}}} other {-}}"
    let values: [String: MessageFormat.Value<String>] = [
      "a": .choice("x"), "n": .count(1), "b": .count(4),
    ]
    #expect(try Self.text(message, values) == "1 4 bs")
  }

  @Test(
    "an apostrophe quotes before a brace and is itself elsewhere",
    arguments: [
      ("don't", "don't"), ("it''s", "it's"), ("'{a}'", "{a}"), ("a '{' b", "a { b"),
      ("#1 '#'", "#1 '#'"), ("'{it''s}' {a}", "{it's} Ada"), ("'{a", "{a"), ("l'", "l'"),
    ]
  )
  func quoting(_ message: String, _ expected: String) throws {
    #expect(try Self.text(message, ["a": .fragment("Ada")]) == expected)
  }

  @Test("within a plural a number sign can be quoted")
  func quotedNumber() throws {
    #expect(try Self.text("{n, plural, other {'#'#}}", ["n": .count(2)]) == "#2")
  }

  private static func nested(_ depth: Int) -> String {
    let begin = "{a, select, other {"
    return String(repeating: begin, count: depth) + String(repeating: "}}", count: depth)
  }

  @Test(
    "an unusable message is refused, with the place of its fault",
    arguments: [
      ("{a", MessageFault.Reason.unclosedPlace, 1), ("a}", .unopenedBrace, 2),
      ("{}", .noName(""), 2), ("{1}", .noName("1"), 2), ("{a b}", .noName("a"), 2),
      ("{a, date}", .unknownKind("date"), 5), ("{a, plural}", .missingOther, 1),
      ("{a, plural, one {x}}", .missingOther, 1),
      ("{a, plural, uno {x} other {y}}", .unknownCategory("uno"), 13),
      ("{a, plural, one x other {y}}", .unopenedBranch("one"), 13),
      (Self.nested(33), .tooDeep, 32 * 19 + 1), (Self.nested(40_000), .tooDeep, 32 * 19 + 1),
      ("{a, select, b {x} b {z} other {y}}", .repeatedBranch("b"), 19),
      ("{a, plural, =1 {x} =01 {z} other {y}}", .repeatedBranch("=01"), 20),
      ("{a, plural, =0 {x} =-0 {z} other {y}}", .repeatedBranch("=-0"), 20),
      ("{a, select, other {y}", .unclosedPlace, 1), ("{a, select, other {y", .unclosedPlace, 13),
      ("{a, plural, offset:1 other {y}}", .unknownCategory("offset:1"), 13),
    ]
  )
  func faults(_ message: String, _ reason: MessageFault.Reason, _ column: Int) {
    #expect(throws: MessageFault(reason: reason, column: column)) {
      try MessageFormat(parsing: message)
    }
    #expect(!reason.words.isEmpty)
  }

  @Test("the accented language changes letters and nothing else, and takes more room")
  func accented() throws {
    let message = try MessageFormat(parsing: "Code {n, plural, one {# day} other {# days}}: {to}.")
    #expect(message.accented.names == ["n", "to"])
    let values: [String: MessageFormat.Value<String>] = [
      "n": .count(1), "to": .fragment("ada@example.com"),
    ]
    let text = Self.text(message.accented, values, by: .one)
    #expect(text == "Çööðéé 1 ðååý: ada@example.com.")
  }
}
