import Testing

@testable import Pages

/// What our dialect refuses of Mustache, and what is a mistake in any dialect: reported with its
/// place when a template is loaded.
@Suite("Faults in templates")
struct TemplateFaultTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let template: String
    var others: [String: String] = [:]
    let fault: String

    var testDescription: String { template }
  }

  @Test(
    "a faulty template is refused with the place of its fault",
    arguments: [
      // Interpolation: Triple Mustache, Ampersand; nothing bypasses the escaping (S17).
      Row(
        template: "<p>\n  {{{word}}}",
        fault: "main.mustache:2:3: unescaped values are not allowed"
      ),
      Row(template: "{{&word}}", fault: "main.mustache:1:1: unescaped values are not allowed"),
      Row(template: "{{ & word}}", fault: "main.mustache:1:1: unescaped values are not allowed"),
      // Delimiters.
      Row(template: "é {{=<% %>=}}", fault: "main.mustache:1:3: delimiters cannot be changed"),
      Row(
        template: "{{% CONTENT_TYPE:TEXT}}",
        fault: "main.mustache:1:1: the escaping cannot be changed"
      ),
      // Tags.
      Row(template: "a\r\nb {{word", fault: "main.mustache:2:3: a tag is not closed"),
      Row(template: "{{word\n{{>part}}", fault: "main.mustache:1:1: a tag is not closed"),
      Row(template: "{{#yes}}", fault: "main.mustache:1:1: yes is opened, but never closed"),
      Row(
        template: "{{#yes}}{{/no}}",
        fault: "main.mustache:1:9: no is closed where yes is open, since line 1"
      ),
      Row(
        template: "<p>\n{{<a}}\n{{$contnet}}\n<p>\n{{/content}}{{/a}}",
        fault: "main.mustache:5:1: content is closed where contnet is open, since line 3"
      ),
      Row(
        template: "{{#yes}}{{/yse}}",
        fault: "main.mustache:1:9: yse is closed where yes is open, since line 1: "
          + "is one of them misspelt?"
      ),
      Row(template: "a{{/no}}", fault: "main.mustache:1:2: no is closed, but was never opened"),
      Row(
        template: String(repeating: "{{^yes}}", count: 40_000),
        fault: "main.mustache:1:513: more than 64 sections and blocks are nested in each other"
      ),
      // Context Misses.
      Row(
        template: "{{#person}}{{#friends}}{{cannot}}{{/friends}}{{/person}}",
        fault: "main.mustache:1:24: there is no name cannot here, only first, name, friends, "
          + "shared, word, hostile, mustache, nothing, yes, no, person, nobody, list, empty, shared"
      ),
      Row(
        template: "{{#person}}{{#friends}}{{.name}}{{/friends}}{{/person}}",
        fault: "main.mustache:1:24: there is no name .name here, only first"
      ),
      // A misspelt name is answered by the nearest one, a long one by its beginning.
      Row(
        template: "{{#list}}{{hostle}}{{/list}}",
        fault: "main.mustache:1:10: there is no name hostle here: did you mean 'hostile'?"
      ),
      Row(
        template: "{{#person}}{{#.nmae?}}{{/.nmae?}}{{/person}}",
        fault: "main.mustache:1:12: there is no name .nmae? here: did you mean '.name?'?"
      ),
      Row(
        template: "{{>pagr}}",
        others: ["page": ""],
        fault: "main.mustache:1:1: there is no template pagr: did you mean 'page'?"
      ),
      Row(
        template: "{{@page.skp}}",
        fault: "main.mustache:1:1: there is no message page.skp: did you mean 'page.skip'?"
      ),
      Row(
        template: "{{\(String(repeating: "x", count: 500))}}",
        fault: "main.mustache:1:1: there is no name \(String(repeating: "x", count: 59))… here"
      ),
      // Dotted Names, Implicit Iterators, Lambdas.
      Row(
        template: "{{person.name}}",
        fault: "main.mustache:1:1: there is no name person.name here"
      ),
      Row(
        template: "{{#list}}{{.}}{{/list}}",
        fault: "main.mustache:1:10: there is no name . here"
      ),
      Row(
        template: "{{upper(word)}}",
        fault: "main.mustache:1:1: there is no name upper(word) here"
      ),
      // A text has no section, and a section no text.
      Row(
        template: "{{#word}}{{word}}{{/word}}",
        fault: "main.mustache:1:1: word is text: ask whether it is there with word?"
      ),
      Row(
        template: "{{^word}}{{/word}}",
        fault: "main.mustache:1:1: word is text: ask whether it is there with word?"
      ),
      Row(
        template: "{{yes}}",
        fault: "main.mustache:1:1: yes is not text: it can be used only as a section"
      ),
      Row(
        template: "{{list}}",
        fault: "main.mustache:1:1: list is not text: it can be used only as a section"
      ),
      // Partials: Failed Lookup, Recursion; Dynamic Names.
      Row(template: "\n{{>gone}}", fault: "main.mustache:2:1: there is no template gone"),
      Row(template: "{{>*word}}", fault: "main.mustache:1:1: there is no template *word"),
      Row(
        template: "{{>a}}",
        others: ["a": "<p>{{>b}}", "b": "{{#yes}}{{>a}}{{/yes}}"],
        fault: "b.mustache:1:9: the template a contains itself"
      ),
      Row(
        template: "",
        others: ["unused": "{{>gone}}"],
        fault: "unused.mustache:1:1: there is no template gone"
      ),
      // Inheritance: Recursion, and what would be silently lost.
      Row(template: "{{<gone}}{{/gone}}", fault: "main.mustache:1:1: there is no template gone"),
      Row(
        template: "{{<main}}{{/main}}",
        fault: "main.mustache:1:1: the template main contains itself"
      ),
      Row(
        template: "{{<a}}{{$contnet}}{{/contnet}}{{/a}}",
        others: ["a": "{{$content}}{{/content}}"],
        fault: "main.mustache:1:7: a has no block contnet, only content"
      ),
      Row(
        template: "{{<a}}{{$b}}x{{/b}}\n{{$b}}y{{/b}}{{/a}}",
        others: ["a": "{{$b}}{{/b}}"],
        fault: "main.mustache:2:1: the block b is filled twice, first in line 1"
      ),
      Row(
        template: "{{<a}}{{word}}{{/a}}",
        others: ["a": ""],
        fault: "main.mustache:1:7: word is outside the blocks that are filled here"
      ),
      Row(
        template: "{{<a}}{{@page.skip}}{{/a}}",
        others: ["a": ""],
        fault: "main.mustache:1:7: page.skip is outside the blocks that are filled here"
      ),
      Row(
        template: "{{<a}}\n\n  <p>Hello, é</p>\n{{$b}}{{/b}}{{/a}}",
        others: ["a": "{{$b}}{{/b}}"],
        fault: "main.mustache:3:3: “<p>Hello, é</p>” is outside the blocks that are filled here"
      ),
      Row(
        template: "{{<a}}{{$b}}{{/b}}. {{/a}}",
        others: ["a": "{{$b}}{{/b}}"],
        fault: "main.mustache:1:19: “. ” is outside the blocks that are filled here"
      ),
      Row(
        template: "{{<a}}<!-- x --> y <!-- z -->{{$b}}{{/b}}{{/a}}",
        others: ["a": "{{$b}}{{/b}}"],
        fault: "main.mustache:1:7: “<!-- x --> y <!-- z -->” is outside the blocks "
          + "that are filled here"
      ),
      // Messages: your own keys exist once they have words.
      Row(
        template: "{{@promo.words}}",
        fault: "main.mustache:1:1: there is no message promo.words; "
          + "your own keys begin with own."
      ),
      Row(
        template: "<p>{{@own.promo}}",
        fault: "main.mustache:1:4: there is no message own.promo: messages/en.json does not have it"
      ),
      Row(template: "{{@own.}}", fault: "main.mustache:1:1: there is no message own.;"),
      Row(template: "{{@error.code}}", fault: "main.mustache:1:1: there is no message error.code;"),
      // A name in a partial is reported where it is written.
      Row(
        template: "{{#list}}{{>a}}{{/list}}",
        others: ["a": "<p>\n{{nmae}}</p>"],
        fault: "a.mustache:2:1: there is no name nmae here"
      ),
    ]
  )
  func isRefused(_ row: Row) {
    let fault = #expect(throws: TemplateFault.self) {
      try Sample.rendering(row.template, with: row.others)
    }
    #expect(fault?.description.hasPrefix(row.fault) == true, "\(fault?.description ?? "")")
  }

  @Test("tags that cross each other are not taken for misspelt ones, however alike they are")
  func crossed() {
    let fault = #expect(throws: TemplateFault.self) {
      try Sample.rendering("{{#a}}{{#b}}{{/a}}{{/b}}")
    }
    #expect(fault?.description == "main.mustache:1:13: a is closed where b is open, since line 1")
  }
}
