import AuthFlow
import Foundation
import Localization
import Testing
import TestSupport

@testable import Pages

@Suite("Pages in other languages")
struct LanguagePageTests {
  private static func html(_ name: String, in language: String) throws -> HTML {
    try page(named: name, in: #require(LanguageTag(language)))
  }

  private static func example(_ name: String) throws -> PageExample {
    try #require(PageExample.all.first { $0.name == name })
  }

  private static func page(named name: String, in language: LanguageTag) throws -> HTML {
    let example = try example(name)
    return try HTML(renderer.get().html(example.page, in: example.frame(in: language)))
  }

  /// What machines go by.
  private static func hooks(of html: HTML) -> [String] {
    html.all.flatMap { element in
      ["id", "name", "data-link", "data-error-code", "data-notice", "data-action"]
        .compactMap { hook in element[hook].map { "\(hook)=\($0)" } }
    }
  }

  private static let englishHooks: [String: [String]] = PageExample.all.reduce(into: [:]) {
    hooks,
    example in
    hooks[example.name] = (try? example.html()).map(Self.hooks)
  }

  @Test(
    "every state of every page is complete, and has the same hooks as in English",
    arguments: CompletenessTests.languages.filter { $0 != "en" }
  )
  func whole(_ language: String) throws {
    let tag = try #require(LanguageTag(language))
    for example in PageExample.all {
      let html = try Self.page(named: example.name, in: tag)
      let root = try #require(html.all("html").first)
      #expect(root["lang"] == language && root["dir"] == tag.direction.rawValue)
      let said = try #require(html.all("body").first).text
      #expect(said.matches(of: /\{[a-z]+\}/).isEmpty, "\(example)")
      #expect(Self.hooks(of: html) == Self.englishHooks[example.name], "\(example)")
    }
  }

  @Test(
    "outside English the API's sentence is shown only if we have none, and marked (WCAG 3.1.2)",
    arguments: CompletenessTests.languages
  )
  func apiSentence(_ language: String) throws {
    let html = try Self.html("sign-in/field-and-general", in: language)
    #expect(html.root.text.contains("2 attempts are left") == language.hasPrefix("en"))
    // A problem that we have no words for is shown all the same, and marked as English.
    let marked = html.all("span").filter { $0["lang"] == "en" }.map(\.text)
    let own = "Harbour & Sons' account needs a passkey."
    #expect(marked.contains(own) != language.hasPrefix("en"))
    #expect(html.root.text.contains("Harbour & Sons' account needs a passkey."))
  }

  @Test("the twin answers in the page's language, with the same codes")
  func twin() throws {
    let example = try Self.example("sign-in/empty")
    let german = try #require(LanguageTag("de"))
    let bytes = try renderer.get().json(example.page, in: example.frame(in: german))
    let twin = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    #expect(twin["title"] as? String == "Fehler: Anmelden – Vestibule")
    let fields = try #require(
      (twin["forms"] as? [[String: Any]])?.first?["fields"] as? [[String: Any]]
    )
    #expect(fields.map { $0["label"] as? String } == ["E\u{2011}Mail-Adresse", "Passwort"])
    let errors = try #require(fields.first?["errors"] as? [[String: Any]])
    #expect(errors.first?["code"] as? String == "required")
    #expect((errors.first?["message"] as? String)?.contains("E\u{2011}Mail-Adresse") == true)
  }

  @Test("in Arabic data keeps its own direction, on the page and in its fields")
  func rightToLeft() throws {
    let password = try Self.html("sign-in-password/fresh", in: "ar")
    #expect(password.all("strong").first?["dir"] == "auto")
    let signIn = try Self.html("sign-in/fresh", in: "ar")
    #expect(signIn.all("input").filter { $0["type"] != "hidden" }.allSatisfy { $0["dir"] == "ltr" })
    let account = try Self.html("account/fresh", in: "ar")
    #expect(!account.all("bdi").isEmpty)
    let english = try Self.html("account/fresh", in: "en")
    #expect(english.all("bdi").isEmpty && english.all("strong").allSatisfy { $0["dir"] == nil })
    let refused = try Self.html("error/host_not_allowed", in: "ar").all("bdi").map(\.text)
    #expect(Set(refused).isSuperset(of: ["--allow-host", "--public-url"]))
    #expect(signIn.all("b").contains { $0.text == "main" && $0["dir"] == "ltr" })
    let example = try Self.example("account/fresh")
    let arabic = try #require(LanguageTag("ar"))
    let twin = try renderer.get().json(example.page, in: example.frame(in: arabic))
    #expect(!String(decoding: twin, as: UTF8.self).contains("\u{2068}"))
  }

  @Test("times follow the rules of the language")
  func times() throws {
    func moment(_ language: String, _ seconds: Double) throws -> String {
      let tag = try #require(LanguageTag(language))
      let catalogue = try Fixture.catalogues.get().catalogue(of: tag)
      let times = Times(now: Fixture.now, timeZone: nil, catalogue: catalogue)
      return times.from(Fixture.now.addingTimeInterval(seconds)).text
    }
    #expect(try moment("de", 120).contains("in 2 Minuten"))
    #expect(try moment("de", 4_492_800).hasPrefix("am 12. Januar 2027 um "), "the date comes first")
    #expect(try moment("ja", 4_492_800).contains("2027年1月12日"))
    #expect(try moment("ar", 120).contains("(بعد دقيقتين)"))
    #expect(try moment("pt", 864_000).hasPrefix("em 1º de dezembro às "))
  }

  @Test(
    "Spanish and Portuguese use a singular article for times from 01:00 to 01:59, on buttons too",
    arguments: [
      (
        "es", ["a la 01:20", "a las 02:20", "hasta la 01:20", "el 22 de noviembre a la 01:20"],
        "disponible a la 01:23:30"
      ),
      (
        "pt", ["à 01:20", "às 02:20", "até a 01:20", "em 22 de novembro à 01:20"],
        "disponível à 01:23:30"
      ),
    ] as [(String, [String], String)]
  )
  func oneOClock(_ language: String, _ told: [String], _ button: String) throws {
    let tag = try #require(LanguageTag(language))
    let catalogue = try Fixture.catalogues.get().catalogue(of: tag)
    func times(_ now: Date) -> Times {
      Times(now: now, timeZone: TimeZone.gmt, catalogue: catalogue)
    }
    // At 14:23, and in the night that follows.
    let (afternoon, night) = (times(Fixture.now), times(Fixture.now.addingTimeInterval(36_000)))
    let one = night.now.addingTimeInterval(3_420)
    let said = [
      night.from(one), night.from(one.addingTimeInterval(3_600)), night.lasting(one),
      afternoon.from(one),
    ].map(\.text)
    for (words, beginning) in zip(said, told) { #expect(words.hasPrefix("\(beginning) (")) }
    // 00:59:30 is shown as 01:00.
    #expect(night.hour(shortly: night.now.addingTimeInterval(2_190)) == 1)
    let frame = PageFrame(
      language: tag,
      reference: "r",
      now: Fixture.now,
      timeZone: TimeZone(secondsFromGMT: 11 * 3_600)
    ) { _ in "" }
    let page = try Self.example("sign-in-code/just-sent").page
    let html = try HTML(renderer.get().html(page, in: frame))
    #expect(html.element(id: "resend")?.text.contains(button) == true)
  }

  @Test(
    "two sentences of a hint are joined by a space if the language uses one",
    arguments: [
      ("en", ". Enter your password again."), ("ja", "。パスワードをもう一度入力してください。"),
    ]
  )
  func joinedHint(_ language: String, _ ending: String) throws {
    let html = try Self.html("sign-up/terms", in: language)
    #expect(html.element(id: "sign-up-password-hint")?.text.hasSuffix(ending) == true)
  }

  @Test(
    "the first of the factors used has a capital letter, and in German each noun does",
    arguments: [
      ("en", "Password, authenticator app"), ("de", "Passwort, Authenticator-App"),
      ("fr", "Mot de passe, application d’authentification"),
    ]
  )
  func proven(_ language: String, _ list: String) throws {
    let details = try Self.html("account/sessions", in: language).all("dd").map(\.text)
    #expect(details.contains(list))
  }

  /// Words that are people's, the auth API's or a product's, whatever the language.
  private static let data: Set<String> = Set(
    """
    ada mia otto tess grace dina cora sven support example com sess aJ Vestibule Clerk main
    Ada Lovelace Dina Pine Street Harbour Books Member Old Mill Lighthouse North Quay
    openid profile offline access api orders Read Write token acrs value meta message kind code
    Department department Newsletter newsletter Age Norway Sweden Sales Research Safari iPhone Firefox Linux English Deutsch length
    This account needs passkey Neill Sons consent required allow host public url
    """.split { $0 == " " || $0 == "\n" }.map(String.init)
  )

  /// Whatever is not accented was never in a catalogue: it is data, or was forgotten.
  @Test("in accented English only data is left in plain letters", arguments: PageExample.all)
  func accented(_ example: PageExample) throws {
    let html = try Self.page(named: example.name, in: .accentedEnglish)
    var said = html.all.flatMap { element in
      ["aria-label", "alt", "title", "placeholder"].compactMap { element[$0] }
    }
    said += html.all("meta").filter { $0["name"] == "description" }.compactMap { $0["content"] }
    let script = try #require(html.all("script").first)
    said += script.attributes.filter { $0.key.hasPrefix("data-") }.map(\.value)
    said += html.all.filter { !["script", "code"].contains($0.tag) }.flatMap(\.ownTexts)
    for text in said {
      let plain = text.split { !$0.isLetter }.map(String.init)
        .filter { word in word.count > 1 && word.allSatisfy(\.isASCII) && !Self.data.contains(word)
        }
      #expect(plain.isEmpty, "\(example): \(text)")
    }
  }

  @Test("the menu names each language in that language and keeps the rest of the address")
  func menu() throws {
    let page = try Self.example("sign-in/fresh").page
    let tags = ["en", "ar", "de"].compactMap { LanguageTag($0) }
    let frame = PageFrame(
      language: try #require(LanguageTag("de")),
      languageMenu: LanguageMenu(tags, query: "redirect_url=a%26b"),
      reference: "r",
      now: Fixture.now
    ) { _ in "" }
    let html = try HTML(renderer.get().html(page, in: frame))
    let links = html.all("a").filter { $0["hreflang"] != nil }
    #expect(links.map(\.text) == ["English", "العربية", "Deutsch"])
    #expect(links.map { $0["lang"] } == ["en", "ar", "de"])
    #expect(links.map { $0["aria-current"] } == [nil, nil, "true"])
    #expect(links.first?["href"] == "/sign-in?redirect_url=a%26b&language=en")
  }

  @Test("a still is in one language")
  func stills() throws {
    let renderer = try PageRenderer()
    let page = SignInPage(instance: .unknown, identifier: nil, hasAttempt: false)
    func title(_ language: String) throws -> String? {
      let frame = PageFrame(
        language: try #require(LanguageTag(language)),
        isUntouched: true,
        reference: "r",
        now: Fixture.now
      ) { _ in "" }
      return try HTML(renderer.html(page, in: frame)).all("title").first?.text
    }
    for _ in 1...2 {
      #expect(try title("en") == "Sign in – Vestibule")
      #expect(try title("de") == "Anmelden – Vestibule")
    }
    #expect(renderer.stills.count == 2)
  }

  @Test("one line in a file replaces one sentence, and the rest stays as it was")
  func ownSentence() throws {
    let copy = try TemplateCopy()
    try copy.write(#"{"sign-in.heading": "Come in"}"#, to: "messages/en.json")
    let example = try Self.example("sign-in/fresh")
    let html = try HTML(PageRenderer(templates: copy.path).html(example.page, in: example.frame))
    #expect(html.all("h1").first?.text == "Come in")
    #expect(html.all("html").first?["lang"] == "en")
  }

  @Test("a faulty file of words is reported with its place: at the start, or on a page")
  func faults() throws {
    let copy = try TemplateCopy()
    try copy.write("{\n  \"sign-in.heading\": \"{a\"\n}", to: "messages/de.json")
    let renderer = try PageRenderer(templates: copy.path, watch: copy.watch)
    let example = try Self.example("sign-in/fresh")
    let german = try #require(LanguageTag("de"))
    for fault in [
      #expect(throws: TemplateFault.self) { try PageRenderer(templates: copy.path) },
      #expect(throws: TemplateFault.self) {
        try renderer.html(example.page, in: example.frame(in: german))
      },
    ] {
      #expect(
        fault?.description.hasSuffix("de.json:2:23: sign-in.heading: a brace is not closed") == true
      )
    }
    let twin = renderer.json(example.page, in: example.frame(in: german))
    #expect(String(decoding: twin, as: UTF8.self).contains("Sign in"))
    try copy.write(#"{"sign-in.headin": "Come in"}"#, to: "messages/en.json")
    let unknown = #expect(throws: TemplateFault.self) { try PageRenderer(templates: copy.path) }
    #expect(
      unknown?.description.hasSuffix(
        "sign-in.headin: there is no such key: did you mean 'sign-in.heading'?"
      ) == true
    )
  }

  @Test("the sentence of a key of your own is shown in each language that has it, or in English")
  func ownKey() async throws {
    try await withTemporaryFolder { folder in
      try writeFile(
        #"{{<layout}}{{$content}}<p title="{{@own.promo}}">{{@own.promo}}</p>{{/content}}{{/layout}}"#,
        to: "\(folder)/sign-in.mustache"
      )
      try writeFile(#"{"own.promo": "Rooms & \"views\""}"#, to: "\(folder)/messages/en.json")
      try writeFile(#"{"own.promo": "Zimmer"}"#, to: "\(folder)/messages/de.json")
      let renderer = try PageRenderer(templates: folder)
      let example = try Self.example("sign-in/fresh")
      let english = #"Rooms & "views""#
      for (language, words) in [("en", english), ("de", "Zimmer"), ("fr", english)] {
        let frame = example.frame(in: try #require(LanguageTag(language)))
        let html = try HTML(renderer.html(example.page, in: frame))
        let promo = try #require(html.all(having: "title").first)
        #expect(promo.text == words && promo["title"] == words)
      }
      try writeFile(#"{"own.promo": "{count} rooms"}"#, to: "\(folder)/messages/en.json")
      let fault = #expect(throws: TemplateFault.self) { try PageRenderer(templates: folder) }
      #expect(fault?.description.hasSuffix("own.promo: there is no {count} here") == true)
    }
  }

  @Test("a key of your own that English lacks is refused; words for an error code are not")
  func translatedAlone() async throws {
    try await withTemporaryFolder { folder in
      let german = "\(folder)/messages/de.json"
      try writeFile(#"{"own.promo": "Rooms"}"#, to: "\(folder)/messages/en.json")
      try writeFile(#"{"own.promo": "Zimmer", "error.full": "Voll"}"#, to: german)
      #expect(TemplateCheck.wordFaults(under: folder) == [])
      #expect(throws: Never.self) { try PageRenderer(templates: folder) }
      try writeFile(#"{"own.pormo": "Zimmer"}"#, to: german)
      let words = "\(german):1:15: own.pormo: there is no such key in en.json"
      #expect(TemplateCheck.wordFaults(under: folder) == [words])
      let fault = #expect(throws: TemplateFault.self) { try PageRenderer(templates: folder) }
      #expect(fault?.description == words)
    }
  }

  @Test("words that a language lacks are marked as English if there is markup (WCAG 3.1.2)")
  func borrowed() async throws {
    try await withTemporaryFolder { folder in
      let example = try Self.example("sign-in-password/wrong")
      func html(_ language: String) throws -> HTML {
        let frame = example.frame(in: try #require(LanguageTag(language)))
        return try HTML(PageRenderer(templates: folder).html(example.page, in: frame))
      }
      try writeFile(#"{"field.label.password": "סיסמה"}"#, to: "\(folder)/messages/he.json")
      let hebrew = try html("he")
      let sentence = "That password is not right. Try again, or use another method."
      let marked = hebrew.all("span").filter { $0["lang"] == "en" && $0["dir"] == "ltr" }
      #expect(marked.contains { $0.text == sentence })
      #expect(hebrew.all("h1").first?.text.hasPrefix("\u{2068}") == true)
      #expect(hebrew.all("label").first?.text == "סיסמה")
      try writeFile(#"{"field.label.password": "Pass"}"#, to: "\(folder)/messages/en-GB.json")
      let british = try html("en-GB")
      #expect(british.all("label").first?.text == "Pass")
      #expect(british.root.text.contains(sentence))
      #expect(british.all("span").allSatisfy { $0["lang"] == nil })
    }
  }

  @Test("there is no menu of a single language")
  func singleLanguage() throws {
    let page = try Self.example("sign-in/fresh").page
    for (names, count) in [(["en"], 0), (["en", "de"], 2)] {
      let frame = PageFrame(
        // With a query, so that no other test's menu of this page is cached for it.
        languageMenu: LanguageMenu(names.compactMap { LanguageTag($0) }, query: "a=b"),
        reference: "r",
        now: Fixture.now
      ) { _ in "" }
      let html = try HTML(renderer.get().html(page, in: frame))
      #expect(html.all("a").filter { $0["hreflang"] != nil }.count == count)
    }
  }
}

extension HTML.Element {
  /// The texts directly in it.
  fileprivate var ownTexts: [String] {
    children.compactMap { node in
      if case .text(let text) = node { text } else { nil }
    }
  }
}
