import Testing

@testable import Localization

@Suite("Languages by their tags, and which one a reader gets")
struct LanguageTests {
  @Test(
    "a tag is written as the registry writes it",
    arguments: [
      ("DE", "de"), ("pt-br", "pt-BR"), ("zh-hant-tw", "zh-Hant-TW"), ("en-xa", "en-XA"),
      ("sl-ROZAJ", "sl-rozaj"),
      ("de-12345678-12345678-12345678-12345", "de-12345678-12345678-12345678-12345"),
    ]
  )
  func wellFormed(_ typed: String, _ text: String) {
    #expect(LanguageTag(typed)?.text == text)
  }

  @Test(
    "a malformed tag is refused",
    arguments: [
      "", "d", "deutsch", "de_DE", "de-", "-de", "d3", "é", "de-12345678a", "../de",
      "de-12345678-12345678-12345678-123456",
    ]
  )
  func malformed(_ typed: String) { #expect(LanguageTag(typed) == nil) }

  @Test("a language knows its own name and which way it is written")
  func facts() throws {
    let arabic = try #require(LanguageTag("ar"))
    #expect(arabic.direction == .rightToLeft && arabic.ownName == "العربية")
    #expect(LanguageTag.english.direction == .leftToRight)
    #expect(LanguageTag("de-AT")?.ownName == "Deutsch (AT)")
    #expect(LanguageTag("tlh")?.ownName == "tlh")
  }

  @Test(
    "a reader gets the best available language of the header, by weight and then by order",
    arguments: [
      ("de", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("nl, fr;q=0.5, de;q=0.7", "de"),
      ("en;q=0.1, ar;q=0.2", "ar"), ("nl", nil), ("", nil), ("*", "en"), ("nl, *;q=0.1", "en"),
      ("en;q=0, *", "ar"), ("de;q=0, de", "de"), ("de;q=0", nil), ("pt-BR", "pt"),
      ("pt-Latn-x-a", "pt"), ("fr;q=1.000", "fr"), ("fr;q=2, ar", "ar"), ("fr;q=0.1234, ar", "ar"),
      ("fr;level=1, ar", "ar"), ("fr ; q=0.5 , ar;q=0.4", "fr"), ("EN-xa", "en-XA"),
      ("en-XA;q=0.1, en", "en"), ("de-DE, de-AT, ar", "de"), (",,;,ar", "ar"),
      ("fr;q=1.5, ar;q=0.1", "ar"), ("fr;q=1.001, ar;q=0.1", "ar"), ("fr;q=1., ar", "fr"),
      ("fr de, ar;q=0.1", "ar"), ("fr;q=0.5 6, ar;q=0.1", "ar"), ("\t fr \t;\tq=1.0 , ar", "fr"),
      ("fr;q=0.5;x=1, ar;q=0.1", "ar"), ("fr;q=0:5, ar;q=0.1", "ar"),
    ] as [(String, String?)]
  )
  func lookup(_ header: String, _ expected: String?) {
    let languages = ["en", "ar", "de", "fr", "pt", "en-XA"].compactMap { LanguageTag($0) }
    #expect(
      LanguagePriorities(acceptLanguage: header).choice(among: languages)?.text == expected
    )
  }

  @Test("only the beginning of an endless header is read")
  func bounded() {
    let many = String(repeating: "nl,", count: 33) + "de"
    let languages = [LanguageTag("de")].compactMap(\.self)
    #expect(LanguagePriorities(acceptLanguage: many).choice(among: languages) == nil)
    let long = "de," + String(repeating: "x", count: 2_000)
    #expect(LanguagePriorities(acceptLanguage: long).choice(among: languages) == nil)
  }
}
