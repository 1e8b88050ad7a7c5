import Testing

@testable import Pages

/// The cases of the Mustache specification that our dialect keeps, under their names there.
///
/// Source: <https://github.com/mustache/spec>, `specs/`. These differ throughout: the source's
/// indentation is never written; a line end at the end of a file is not part of it; two tags on one
/// line are never standalone; text inside a parent is refused, except for HTML comments.
@Suite("Mustache specification")
struct MustacheSpecificationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let template: String
    let partials: [String: String]
    let expected: String

    init(
      _ name: String,
      _ template: String,
      _ partials: [String: String] = [:],
      is expected: String
    ) {
      self.name = name
      self.template = template
      self.partials = partials
      self.expected = expected
    }

    var testDescription: String { name }
  }

  @Test("interpolation", arguments: interpolation)
  func interpolates(_ row: Case) throws { try check(row) }

  @Test("sections", arguments: sections)
  func repeats(_ row: Case) throws { try check(row) }

  @Test("inverted sections", arguments: inverted)
  func inverts(_ row: Case) throws { try check(row) }

  @Test("lines that hold a tag alone", arguments: standalone)
  func standsAlone(_ row: Case) throws { try check(row) }

  @Test("comments", arguments: comments)
  func leavesOut(_ row: Case) throws { try check(row) }

  @Test("partials", arguments: partials)
  func includes(_ row: Case) throws { try check(row) }

  @Test("inheritance", arguments: inheritance)
  func inherits(_ row: Case) throws { try check(row) }

  private func check(_ row: Case) throws {
    #expect(try Sample.rendering(row.template, with: row.partials) == row.expected)
  }

  static let interpolation = [
    Case("No Interpolation", "Hello from {Mustache}!", is: "Hello from {Mustache}!"),
    Case("Basic Interpolation", "Hello, {{word}}!", is: "Hello, ---!"),
    Case("HTML Escaping", "safe: {{hostile}}", is: "safe: &amp; &quot; &lt; &gt; &#39;"),
    Case("Null Interpolation", "I ({{nothing}}) be seen!", is: "I () be seen!"),
    Case("Surrounding Whitespace", "| {{word}} |", is: "| --- |"),
    Case("Standalone", "|\n  {{word}}\n|", is: "|\n---\n|"),
    Case("With Padding", "|{{ word }}|", is: "|---|"),
    Case("With Padding, over lines", "|{{\n  word\n}}|", is: "|---|"),
    Case(
      "Dotted Names - Leading Dot",
      "{{#person}}{{.shared}}{{/person}} {{.shared}}",
      is: "Joe&#39;s outer"
    ),
  ]

  static let sections = [
    Case("Truthy", "\"{{#yes}}Shown.{{/yes}}\"", is: "\"Shown.\""),
    Case("Falsey", "\"{{#no}}Shown.{{/no}}\"", is: "\"\""),
    Case("Null is falsey", "\"{{#nobody}}Shown.{{/nobody}}\"", is: "\"\""),
    Case("Context", "{{#person}}Hi {{name}}.{{/person}}", is: "Hi Joe."),
    Case(
      "Parent contexts",
      "{{#person}}{{word}}, {{shared}}{{/person}}, {{shared}}",
      is: "---, Joe&#39;s, outer"
    ),
    Case(
      "Deeply Nested Contexts",
      "{{#person}}{{#friends}}{{word}}{{name}}{{first}}{{name}}{{word}} {{/friends}}{{/person}}",
      is: "---JoeAnnJoe--- ---JoeBoJoe--- "
    ),
    Case(
      "List Contexts",
      "{{#list}}{{#person}}{{name}}{{#friends}}{{#yes}}{{shared}}.{{/yes}}{{/friends}}{{/person}}{{/list}}",
      is: "JoeJoe&#39;s.Joe&#39;s.JoeJoe&#39;s.Joe&#39;s.JoeJoe&#39;s.Joe&#39;s."
    ),
    Case("List", "\"{{#list}}{{name}}{{/list}}\"", is: "\"123\""),
    Case("Empty List", "\"{{#empty}}Yay!{{/empty}}\"", is: "\"\""),
    Case("Strings Not Lists, asked for", "{{#word?}}foo{{/word?}}", is: "foo"),
    Case(
      "Doubled",
      "{{#yes}}\n* 1\n{{/yes}}\n* {{word}}\n{{#yes}}\n* 3\n{{/yes}}\n",
      is: "* 1\n* ---\n* 3\n"
    ),
    Case("Nested (Truthy)", "| A {{#yes}}B {{#yes}}C{{/yes}} D{{/yes}} E |", is: "| A B C D E |"),
    Case("Nested (Falsey)", "| A {{#no}}B {{#no}}C{{/no}} D{{/no}} E |", is: "| A  E |"),
    Case("Surrounding Whitespace", "| {{#yes}}\t|\t{{/yes}} |", is: "| \t|\t |"),
    Case(
      "Indented Inline Sections",
      "{{#yes}}YES{{/yes}}\n {{#yes}}GOOD{{/yes}}\n|",
      is: "YES\nGOOD\n|"
    ),
    Case("Padding", "|{{# yes }}={{/ yes }}|", is: "|=|"),
  ]

  static let inverted = [
    Case("Falsey", "\"{{^no}}Shown.{{/no}}\"", is: "\"Shown.\""),
    Case("Truthy", "\"{{^yes}}Shown.{{/yes}}\"", is: "\"\""),
    Case("Null", "\"{{^nobody}}Shown.{{/nobody}}\"", is: "\"Shown.\""),
    Case("Null, a text asked for", "{{^nothing?}}Shown.{{/nothing?}}", is: "Shown."),
    Case("Truthy - Strings, asked for", "{{^word?}}Shown.{{/word?}}", is: ""),
    Case("Context", "\"{{^person}}Hi {{word}}.{{/person}}\"", is: "\"\""),
    Case("List", "\"{{^list}}{{word}}{{/list}}\"", is: "\"\""),
    Case("Empty List", "\"{{^empty}}Yay!{{/empty}}\"", is: "\"Yay!\""),
    Case(
      "Doubled",
      "{{^no}}\n* 1\n{{/no}}\n* {{word}}\n{{^no}}\n* 3\n{{/no}}\n",
      is: "* 1\n* ---\n* 3\n"
    ),
    Case("Nested (Falsey)", "| A {{^no}}B {{^no}}C{{/no}} D{{/no}} E |", is: "| A B C D E |"),
    Case("Nested (Truthy)", "| A {{^yes}}B {{^yes}}C{{/yes}} D{{/yes}} E |", is: "| A  E |"),
    Case("Padding", "|{{^ no }}={{/ no }}|", is: "|=|"),
  ]

  static let standalone = [
    Case("Standalone Lines", "| 1\n{{#yes}}\n|\n{{/yes}}\n| 2", is: "| 1\n|\n| 2"),
    Case("Indented Standalone Lines", "| 1\n  {{#yes}}\n|\n  {{/yes}}\n| 2", is: "| 1\n|\n| 2"),
    Case("Standalone Line Endings", "|\r\n{{#yes}}\r\n{{/yes}}\r\n|", is: "|\r\n|"),
    Case("Standalone Without Previous Line", "  {{#yes}}\n#{{/yes}}\n/", is: "#\n/"),
    Case("Standalone Without Newline", "#{{#yes}}\n/\n  {{/yes}}", is: "#\n/\n"),
    Case("Internal Whitespace", "| {{#yes}} {{! note }}\n {{/yes}} |", is: "|  \n |"),
  ]

  static let comments = [
    Case("Inline", "12345{{! Comment Block! }}67890", is: "1234567890"),
    Case("Multiline", "12345{{!\n  Over\n  lines\n}}67890", is: "1234567890"),
    Case("Standalone", "Begin.\n{{! Comment Block! }}\nEnd.", is: "Begin.\nEnd."),
    Case("Indented Standalone", "Begin.\n  {{! Indented }}\nEnd.", is: "Begin.\nEnd."),
    Case("Standalone Line Endings", "|\r\n{{! Standalone }}\r\n|", is: "|\r\n|"),
    Case("Standalone Without Previous Line", "  {{! First }}\n!", is: "!"),
    Case("Standalone Without Newline", "!\n  {{! Last }}", is: "!\n"),
    Case("Multiline Standalone", "Begin.\n{{!\nOver lines\n}}\nEnd.", is: "Begin.\nEnd."),
    Case("Indented Inline", "  12 {{! 34 }}\n|", is: "12 \n|"),
    Case("Surrounding Whitespace", "12345 {{! Comment }} 67890", is: "12345  67890"),
    Case("Variable Name Collision", "({{! word }}{{!word}}{{!word?}})", is: "()"),
  ]

  static let partials = [
    Case("Basic Behavior", "\"{{>text}}\"", ["text": "from partial"], is: "\"from partial\""),
    Case("Context", "\"{{>part}}\"", ["part": "*{{word}}*"], is: "\"*---*\""),
    Case(
      "Context, in a section",
      "{{#list}}{{>part}}{{/list}}",
      ["part": "{{.name}}|"],
      is: "1|2|3|"
    ),
    Case(
      "Nested",
      "{{>outer}}",
      ["outer": "*{{word}} {{>inner}}*", "inner": "{{word}}!"],
      is: "*--- ---!*"
    ),
    Case("Surrounding Whitespace", "| {{>part}} |", ["part": "\t|\t"], is: "| |\t |"),
    Case("Inline Indentation", "|{{word}}  {{> part}}\n|", ["part": ">\n>"], is: "|---  >\n>\n|"),
    Case("Standalone Line Endings", "|\r\n{{>part}}\r\n|", ["part": ">"], is: "|\r\n>|"),
    Case("Standalone Without Previous Line", "  {{>part}}\n>", ["part": ">\n>"], is: ">\n>>"),
    Case("Standalone Without Newline", ">\n  {{>part}}", ["part": ">\n>"], is: ">\n>\n>"),
    Case("Padding Whitespace", "|{{> part }}|", ["part": "[]"], is: "|[]|"),
  ]

  static let inheritance = [
    Case("Default", "{{$title}}Default title{{/title}}", is: "Default title"),
    Case("Variable", "{{$foo}}default {{word}} content{{/foo}}", is: "default --- content"),
    Case("Sections", "{{$foo}}a {{#person}}{{name}}{{/person}} b{{/foo}}", is: "a Joe b"),
    Case("Negative Sections", "{{$foo}}a {{^no}}{{word}}{{/no}} b{{/foo}}", is: "a --- b"),
    Case("Mustache Injection", "{{$foo}}a {{mustache}} b{{/foo}}", is: "a {{word}} b"),
    Case("Inherit", "{{<part}}{{/part}}", ["part": "{{$foo}}default{{/foo}}"], is: "default"),
    Case(
      "Overridden content",
      "{{<part}}{{$title}}mine{{/title}}{{/part}}",
      ["part": "...{{$title}}default{{/title}}..."],
      is: "...mine..."
    ),
    Case(
      "Data does not override block",
      "{{<part}}{{$word}}mine{{/word}}{{/part}}",
      ["part": "{{$word}}default{{/word}}"],
      is: "mine"
    ),
    Case(
      "Data does not override block default",
      "{{<part}}{{/part}}",
      ["part": "{{$word}}default{{/word}}"],
      is: "default"
    ),
    Case(
      "Two overridden parents",
      "{{<part}}{{$a}}1{{/a}}{{/part}} {{<part}}{{$a}}2{{/a}}{{/part}}",
      ["part": "|{{$a}}...{{/a}}{{$b}} default{{/b}}|"],
      is: "|1 default| |2 default|"
    ),
    Case(
      "Override parent with newlines",
      "{{<part}}{{$a}}\npeaked\n\n:(\n{{/a}}{{/part}}",
      ["part": "{{$a}}peaking{{/a}}"],
      is: "\npeaked\n\n:(\n"
    ),
    Case(
      "Only one override",
      "{{<part}}{{$b}}two{{/b}}{{/part}}",
      ["part": "{{$a}}default one{{/a}}, {{$b}}default two{{/b}}"],
      is: "default one, two"
    ),
    Case(
      "Parent template",
      "{{>part}}|{{<part}}{{/part}}",
      ["part": "{{$foo}}default{{/foo}}"],
      is: "default|default"
    ),
    Case(
      "Multi-level inheritance",
      "{{<parent}}{{$a}}c{{/a}}{{/parent}}",
      [
        "parent": "{{<older}}{{$a}}p{{/a}}{{/older}}",
        "older": "{{<oldest}}{{$a}}o{{/a}}{{/oldest}}", "oldest": "{{$a}}g{{/a}}",
      ],
      is: "c"
    ),
    Case(
      "Multi-level inheritance, no sub child",
      "{{<parent}}{{/parent}}",
      [
        "parent": "{{<older}}{{$a}}p{{/a}}{{/older}}",
        "older": "{{<oldest}}{{$a}}o{{/a}}{{/oldest}}", "oldest": "{{$a}}g{{/a}}",
      ],
      is: "p"
    ),
    Case(
      "Blanks inside parent",
      "{{<part}} \n {{! this }} {{$a}}hmm{{/a}} \r\n\t {{/part}}",
      ["part": "{{$a}}default{{/a}}"],
      is: "hmm"
    ),
    Case(
      "Comments of HTML inside parent",
      "{{<part}}\n<!-- Ours -->\n{{$a}}hmm{{/a}}<!-- b --> \r\n<!--\n-->\n{{/part}}",
      ["part": "{{$a}}default{{/a}}"],
      is: "hmm"
    ),
    Case(
      "Block scope",
      "{{<part}}{{$a}}I say {{shared}}.{{/a}}{{/part}}",
      ["part": "{{#person}}{{$a}}You say {{shared}}.{{/a}}{{/person}}"],
      is: "I say Joe&#39;s."
    ),
    Case(
      "Block reindentation",
      "{{<part}}{{$a}}\n    one\n    two\n{{/a}}{{/part}}",
      ["part": "Hi,\n  {{$a}}\n  {{/a}}\n"],
      is: "Hi,\n\none\ntwo\n"
    ),
  ]
}
