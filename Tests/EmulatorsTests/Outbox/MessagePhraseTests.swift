import Foundation
import HTTPExchange
import Locking
import Testing
import TestSupport

@testable import Emulators
@testable import Localization

@Suite("The words of messages")
struct MessagePhraseTests {
  /// All built-in languages.
  static let languages =
    (try? Catalogues<MessagePhrase>(.init(under: nil)))?.languages.map(\.text) ?? []

  private static func catalogue(_ language: String) throws -> Catalogue<MessagePhrase> {
    try Catalogues<MessagePhrase>(.init(under: nil))
      .catalogue(of: try #require(LanguageTag(language)))
  }

  static let contents: [MessageContent] = [
    .code("123456", lifetimeSeconds: 600), .signInLink("https://x.test/a", lifetimeSeconds: 60),
    .verificationLink("https://x.test/b", lifetimeSeconds: 120),
    .invitation(link: "https://x.test/c", lifetimeSeconds: 86_400),
    .organizationInvitation("Birchwood"),
  ]

  @Test("every phrase's number is its place among all phrases")
  func numbers() {
    #expect(MessagePhrase.allCases.map(\.caseNumber) == Array(MessagePhrase.allCases.indices))
  }

  @Test("every message has its words in every language, and no key is unused")
  func complete() throws {
    #expect(Catalogues<MessagePhrase>.faults(in: .init(under: nil)).isEmpty)
    #expect(Self.languages.count > 1, "the files were not found")
    let ofPages = MessagePhrase.allCases.filter { $0.rawValue.hasPrefix("message.provider.") }
    let used = Self.contents.flatMap { [$0.subject, $0.text] } + ofPages
    #expect(Set(used) == Set(MessagePhrase.allCases) && used.count == MessagePhrase.allCases.count)
    let folder = "\(ProjectFolder.root)/Sources/Emulators"
    let pages = try [
      "Browser/ProviderPage", "Clerk/SignIn/EnterprisePage", "Entra/Browser/BrowserSignIn",
    ].map { try String(contentsOfFile: "\(folder)/\($0).swift", encoding: .utf8) }.joined()
    for phrase in ofPages { #expect(pages.contains(".\(phrase)"), "\(phrase) is said nowhere") }
    // The pages' tests compare the files of all languages with English.
    let english = try #require(
      BuiltInMessages.entries("en")?.map(\.key).filter { !MessagePhrase.isForeign($0) }
    )
    #expect(Set(english) == Set(MessagePhrase.allCases.map(\.rawValue)))
  }

  @Test("a note says how many sentences of messages a new language leaves in English")
  func notes() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/messages/he.json"
      try writeFile(#"{"message.code.subject": "{code}", "sign-in.heading": "כניסה"}"#, to: path)
      let count = MessagePhrase.allCases.count
      let start =
        "\(path): \(count - 1) of \(count) sentences of messages are in English: message.code.text, "
      let notes = MessageWords.notes(under: folder)
      #expect(notes.count == 1 && notes.first?.hasPrefix(start) == true, "\(notes)")
      #expect(MessageWords.notes(under: nil).isEmpty)
    }
  }

  @Test("every placeholder of a message is filled", arguments: languages)
  func values(_ language: String) throws {
    let catalogue = try Self.catalogue(language)
    for content in Self.contents {
      let words = catalogue.words(of: content, in: "Harbour")
      for text in [words.subject, words.text] {
        #expect(!text.isEmpty && !text.contains("{") && !text.hasPrefix("message."), "\(text)")
      }
      #expect(content.code.map(words.text.contains) ?? true)
      // A link with punctuation attached would lead elsewhere.
      #expect(content.link.map { words.text.split(separator: "\n").contains($0[...]) } ?? true)
    }
  }

  @Test("numbers have the plural forms of their language")
  func plurals() throws {
    func words(_ language: String, _ minutes: Int) throws -> String {
      try Self.catalogue(language)
        .words(of: .code("1", lifetimeSeconds: minutes * 60), in: "V").text
    }
    #expect(try words("de", 1).contains("1 Minute gültig"))
    #expect(try words("de", 10).contains("10 Minuten gültig"))
    #expect(try words("ja", 10).contains("10分間"))
    #expect(try words("ar", 2).contains("دقيقتين"))
    #expect(try words("ar", 10).contains("10 دقائق"))
    #expect(try words("en", 1).contains("1 minute."))
  }

  @Test("in right-to-left text, codes and names are set apart from the words around them")
  func isolated() throws {
    let code = try Self.catalogue("ar").words(of: Self.contents[0], in: "Harbour")
    #expect(code.text.contains("\u{2068}123456\u{2069}"))
    #expect(code.text.contains("\u{2068}Harbour\u{2069}"))
    let invited = try Self.catalogue("ar").words(of: Self.contents[4], in: "Harbour")
    #expect(invited.subject.contains("\u{2068}Birchwood\u{2069}"))
    let french = try Self.catalogue("fr").words(of: Self.contents[0], in: "Harbour")
    #expect(!french.text.contains("\u{2068}"))
  }

  @Test("custom words replace the built-in ones and are reloaded; the last good ones stay")
  func own() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/messages-\(UUID())"
    try FileManager.default.createDirectory(
      atPath: "\(folder)/messages",
      withIntermediateDirectories: true
    )
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func write(_ text: String) throws {
      try text.write(toFile: "\(folder)/messages/de.json", atomically: true, encoding: .utf8)
    }
    let told = Locked<[String]>([])
    let words = try MessageWords(
      under: folder,
      reloads: true,
      usually: try #require(LanguageTag("de-AT"))
    ) { fault in told.withLock { $0.append(fault.description) } }
    func subject(_ wishes: [String] = []) -> String {
      words.catalogue(for: wishes).words(of: Self.contents[0], in: "V").subject
    }
    #expect(
      subject() == "123456 ist Ihr Code",
      "nothing is known of this reader; de-AT is a kind of de"
    )
    try write(#"{"message.code.subject": "Ihr Code: {code}"}"#)
    #expect(subject() == "Ihr Code: 123456")
    #expect(subject(["fr"]) == "123456 est votre code")
    try write(#"{"message.code.subject": "Ihr Code: {cod}"}"#)
    #expect(subject() == "Ihr Code: 123456" && subject() == "Ihr Code: 123456")
    #expect(told.withLock { $0.count } == 1)
    #expect(
      told.withLock { $0.first ?? "" }.hasSuffix(
        "messages/de.json:1:26: message.code.subject: there is no {cod} here, only {code}"
      )
    )
  }

  @Test("a fault is reported once while it lasts, even if others are reported meanwhile")
  func toldOnce() async throws {
    try await withTemporaryFolder { folder in
      let told = Locked<[String]>([])
      let words = try MessageWords(under: folder, reloads: true) { fault in
        told.withLock { $0.append(fault.file) }
      }
      /// The files that are reported while messages are sent in the two languages in turn.
      func files() -> [String] {
        told.withLock { $0 = [] }
        for language in ["de", "fr", "de", "fr"] { _ = words.catalogue(for: [language]) }
        return told.withLock { $0 }
      }
      let (german, french) = ("\(folder)/messages/de.json", "\(folder)/messages/fr.json")
      let wrong = #"{"message.code.subject": "{cod}"}"#
      for path in [german, french] { try writeFile(wrong, to: path) }
      #expect(files() == [german, french])
      #expect(files() == [])
      try writeFile(#"{"message.code.subject": "{code}"}"#, to: french)
      #expect(files() == [])
      try writeFile(wrong, to: french)
      #expect(files() == [french], "it was mended in between")
      words.replace(by: try MessageWords(under: folder, reloads: true))
      #expect(files() == [german, french])
    }
  }
}

/// The files as they are shipped.
private enum BuiltInMessages {
  static func entries(_ language: String) -> [CatalogueText.Entry]? {
    let files = Catalogues<MessagePhrase>.Files(under: nil)
    guard let file = try? files.named(language).first else { return nil }
    return try? CatalogueText.entries(of: file.bytes, file: file.path)
  }
}
