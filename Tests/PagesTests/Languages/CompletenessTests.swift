import Foundation
import Testing
import TestSupport

@testable import Localization
@testable import Pages

/// The files as they are shipped.
///
/// Files that are laid over them may leave out any key.
@Suite("Every language says everything")
struct CompletenessTests {
  private static let folder = "\(Fixture.templates)/messages"

  static let languages: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }.sorted()

  private static func messages(_ language: String) throws -> [String: MessageFormat] {
    try texts(of: language).mapValues { try MessageFormat(parsing: $0) }
  }

  /// The messages as they are written.
  private static func texts(of language: String) throws -> [String: String] {
    let path = "\(folder)/\(language).json"
    let bytes = try #require(FileManager.default.contents(atPath: path))
    let entries = try CatalogueText.entries(of: Array(bytes), file: path)
    return Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.text) })
  }

  @Test("README promises exactly the languages that there are")
  func promised() throws {
    let readme = try String(contentsOfFile: "\(ProjectFolder.root)/README.md", encoding: .utf8)
    let sentence = try #require(readme.firstMatch(of: /The pages are in ([A-Za-z, ]+):/))
    let promised = sentence.output.1.replacing(" and ", with: ", ").split(separator: ", ")
    let there = try Self.languages.map { tag in
      let language = try #require(NamedLanguage(rawValue: tag), "\(tag) has no name and no plurals")
      return "\(language)".capitalized
    }
    #expect(promised.map(String.init).sorted() == there.sorted())
  }

  @Test("the atlas shows the menu of all languages, English first")
  func menu() throws {
    let example = try #require(PageExample.all.first { $0.name == "sign-in/languages" })
    let shown = try #require(example.frame.languageMenu).languages.map(\.text)
    #expect(shown == ["en"] + Self.languages.filter { $0 != "en" })
  }

  @Test("every phrase is numbered by its place among its kind, and no two keys share a number")
  func numbers() {
    #expect(CommonPhrase.allCases.map(\.caseNumber) == Array(CommonPhrase.allCases.indices))
    #expect(FieldPhrase.allCases.map(\.caseNumber) == Array(FieldPhrase.allCases.indices))
    #expect(OutcomePhrase.allCases.map(\.caseNumber) == Array(OutcomePhrase.allCases.indices))
    #expect(PagePhrase.allCases.map(\.caseNumber) == Array(PagePhrase.allCases.indices))
    let numbers = PhraseKey.allKeys.compactMap(\.number)
    #expect(Set(numbers).count == PhraseKey.allKeys.count)
  }

  @Test("no key is missing and none is unknown", arguments: languages)
  func keys(_ language: String) throws {
    let keys = Set(try Self.messages(language).keys)
    #expect(keys == Set(try Self.messages("en").keys))
    #expect(
      keys.filter { !PhraseKey.isForeign($0) } == Set(PhraseKey.allKeys.map(\.name)),
      "files have exactly the keys that pages ask for"
    )
  }

  @Test(
    "an accessible name contains the short words that are shown (WCAG 2.5.3)",
    arguments: languages
  )
  func shortWords(_ language: String) throws {
    let texts = try Self.texts(of: language)
    func words(_ key: String) throws -> String {
      let text = try #require(texts[key]).lowercased()
      return text.filter { $0.isLetter || $0 == " " }.split(separator: " ").joined(separator: " ")
    }
    for key in ["action.forgot-password", "support.heading"] {
      let (name, short) = (try words(key), try words("\(key).short"))
      #expect(name.contains(short) && short.count < name.count, "\(key)")
    }
  }

  @Test("the example of a phone number stays on one line", arguments: languages)
  func exampleNumber(_ language: String) throws {
    let number = try #require(try Self.texts(of: language)["field.example.phone-number"])
    #expect(number.contains("\u{A0}") && !number.contains(" "))
  }

  /// English has the words of the table of messages, which end with the time.
  @Test(
    "the message about too many requests ends with a full stop",
    arguments: languages.filter { $0 != "en" }
  )
  func stops(_ language: String) throws {
    let text = try #require(try Self.texts(of: language)["reason.too-many-requests"])
    #expect(text.last == "." || text.last == "。")
  }

  @Test(
    "a message avoids words that would mislead readers of its language",
    arguments: [
      // By then, instead of not before then.
      ("ar", "time.in.seconds", "خلال"), ("ar", "time.in.minutes", "خلال"),
      ("ar", "time.in.hours", "خلال"), ("ar", "time.in.days", "خلال"),
      // A code, though it may be a link.
      ("ar", "field.hint.code.works", "رمز"), ("ar", "field.hint.code.expired", "رمز"),
      ("pt", "field.hint.code.works", "código"), ("pt", "field.hint.code.expired", "código"),
      // Typing, though one may choose.
      ("ar", "missing.named", "أدخل"), ("ja", "missing.named", "入力"),
      // Making new ones, though no page does that.
      ("en", "notice.backup-codes-low", "new"), ("de", "notice.backup-codes-low", "neue"),
      ("es", "notice.backup-codes-low", "nuevos"), ("fr", "notice.backup-codes-low", "nouveaux"),
      ("pt", "notice.backup-codes-low", "novos"), ("ja", "notice.backup-codes-low", "新しい"),
      ("ar", "notice.backup-codes-low", "جديدة"),
      // Codes or words, instead of characters.
      ("ar", "refusal.invalid-world", "رمز"), ("pt", "refusal.invalid-world", " a a "),
      // A different word from everywhere else.
      ("pt", "code.still-needed", "passo"),
      // Data in general, though an address was typed.
      ("es", "message.provider.no-account", "datos"),
      ("pt", "message.provider.no-account", "dados"),
      ("ar", "message.provider.no-account", "كهذا"),
    ]
  )
  func misleading(_ language: String, _ key: String, _ word: String) throws {
    let text = try #require(try Self.texts(of: language)[key])
    #expect(!text.lowercased().contains(word))
  }

  @Test("a message has the values of the English one, and no others", arguments: languages)
  func values(_ language: String) throws {
    let english = try Self.messages("en")
    for (key, message) in try Self.messages(language) {
      let original = try #require(english[key])
      #expect(message.shownNames == original.shownNames, "\(key)")
      #expect(message.names.isSubset(of: original.names), "\(key)")
      #expect(
        message.selectNames.isSubset(of: original.selectNames),
        "\(key): a choice is never shown"
      )
      for (name, words) in message.branches {
        #expect(words == original.branches[name], "\(key): {\(name)}")
      }
    }
  }

  @Test("a plural has the forms of its language", arguments: languages)
  func plurals(_ language: String) throws {
    let rule = PluralRule(for: try #require(LanguageTag(language)))
    for (key, message) in try Self.messages(language) {
      for categories in message.pluralForms {
        #expect(Set(categories) == Set(rule.categories), "\(key)")
      }
    }
  }

  @Test("PageLanguages.md lists the languages whose plurals are known, and no others")
  func listedPlurals() throws {
    let article = try String(
      contentsOfFile: "\(Fixture.sources)/Pages/Pages.docc/PageLanguages.md",
      encoding: .utf8
    ).replacing("\n", with: " ")
    let list = try #require(
      article.firstMatch(of: #/The plurals of these are known: (.+?)\. In another/#)
    )
    let names = list.output.1.replacing(#/ \(.+?\)/#, with: "").replacing(" and ", with: ", ")
    #expect(
      names.split(separator: ", ").map(String.init)
        == NamedLanguage.allCases.map { "\($0)".capitalized }.sorted()
    )
  }

  @Test("no message is empty, or English by oversight", arguments: languages)
  func translated(_ language: String) throws {
    let english = try Self.messages("en")
    let messages = try Self.messages(language)
    #expect(messages.allSatisfy { !$0.value.steps.isEmpty })
    guard language != "en" else { return }
    let same = messages.filter { key, message in
      message == english[key] && message.letterCount > 12
    }
    #expect(same.isEmpty, "\(same.keys)")
  }

  /// A key that nothing uses would be translated for nothing.
  @Test("no key is unused")
  func used() throws {
    let sources = try Self.texts(in: "\(Fixture.sources)/Pages", ending: ".swift")
      .filter { $0.path.firstMatch(of: /(Common|Field|Outcome|Page)Phrase\.swift$/) == nil }
      .map(\.text).joined()
    let templates = try Self.texts(in: Fixture.templates, ending: ".mustache").map(\.text).joined()
    let words = Set(sources.matches(of: /\.([a-zA-Z0-9]+)/).map { String($0.output.1) })
    for key in PhraseKey.allKeys {
      #expect(
        words.contains(key.caseName) || templates.contains("{{@\(key.name)}}"),
        "\(key.name)"
      )
    }
  }

  private static func texts(
    in folder: String,
    ending: String
  ) throws -> [(path: String, text: String)] {
    try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(ending) }
      .map { ("/\($0)", try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) }
  }
}

extension PhraseKey {
  fileprivate var caseName: String {
    switch self {
    case .common(let phrase): "\(phrase)"
    case .field(let phrase): "\(phrase)"
    case .outcome(let phrase): "\(phrase)"
    case .page(let phrase): "\(phrase)"
    case .code(let code): code
    case .attribute(let name): name
    case .own(let name): name
    }
  }
}

extension MessageFormat {
  fileprivate var selectNames: Set<String> { Set(branches.keys) }

  /// What each choice chooses from.
  fileprivate var branches: [String: Set<String>] {
    steps.reduce(into: [:]) { branches, step in
      if case .select(let name, let words, _) = step {
        branches[name, default: []].formUnion(words.keys)
      }
    }
  }

  fileprivate var pluralForms: [[PluralCategory]] {
    steps.compactMap { step in
      if case .plural(_, _, let categories, _) = step { Array(categories.keys) } else { nil }
    }
  }

  fileprivate var letterCount: Int {
    steps.reduce(0) { count, step in
      if case .text(let text) = step { count + text.count(where: \.isLetter) } else { count }
    }
  }
}
