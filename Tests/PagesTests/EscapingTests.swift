@_spi(Provider) import AuthFlow
import Foundation
import Testing

@testable import Pages

@Suite("Escaping")
struct EscapingTests {
  static let payloads = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onfocus='alert(1)",
    "\"\u{301} onfocus=\"alert(1)", "<\u{301}script>alert(1)</script>", "<\u{FE0F}b>",
    "\"\u{200D}><svg onload=alert(1)>", "'\u{FE0F} autofocus onfocus=alert(1) x='", "&lt;b&gt;",
    "&\u{301}quot;", "{{heading}}", "{{{title}}}", "</title></textarea></form>", "\u{0}<b>",
    "javascript:alert(1)", "\\u003cb\\u003e", "\r\n<b>", "\u{202E}<b>\u{2028}",
  ]

  /// Pages that echo what they are given wherever they can.
  private func pages(echoing text: String) -> [any Page] {
    guard let identifier = Identifier(typed: "x" + text) else { return [] }
    let values: [Field: String] = [
      .emailAddress: text, .username: text, .firstName: text, .lastName: text,
      .phoneNumber: text,
    ]
    let factors = [Factor(kind: .emailCode, destination: text), Factor(kind: .password)]
    let attempt = SignInAttempt(
      identifier: identifier,
      continuation: Continuation("c"),
      firstFactors: factors
    )
    let signUp = SignUpAttempt(continuation: Continuation("c"), values: values)
    let code = CodePrompt(attempt: attempt, stage: .firstFactor, factor: factors[0])
    let form = SignUpForm(
      mode: .open,
      fields: [Field.emailAddress, .username, .firstName].map { .init($0, isRequired: true) }
    )
    let rules = PasswordRules(minimumLength: 8)
    let session = Session(
      id: text,
      user: .init(id: text, identifier: text, firstName: text, lastName: text),
      tasks: [.unknown(text)],
      expiresAt: Fixture.now,
      organization: .init(id: text, name: text, slug: text)
    )
    let banned = AuthError(Problem(.unrecognised, code: text, message: text), traceID: text)
    let choice = FactorPrompt(attempt: attempt, stage: .firstFactor, factors: factors)
    let missing = MissingDetailsPrompt(attempt: signUp, fields: [.organizationName])
    var organizations = OrganizationOptions(
      memberships: [.init(organization: .init(id: text, name: text, slug: text), role: text)]
    )
    organizations.invitations = [.init(id: text, organizationName: text)]
    organizations.suggestions = [
      .init(id: text, organizationName: text, isRequested: false),
      .init(id: text, organizationName: text, isRequested: true),
    ]
    return [
      SignInPage(instance: .unknown, identifier: text, hasAttempt: true),
      PasswordPage(identifier: text, offersOtherMethods: true),
      CodePage(prompt: code, flow: .signIn, offersOtherMethods: true),
      BackupCodePage(prompt: code, flow: .signIn, offersOtherMethods: true),
      SignUpPage(form: form, rules: rules, values: values, acceptsTerms: true),
      VerifyContactPage(
        prompt: ContactPrompt(attempt: signUp, contact: .emailAddress, destination: text)
      ),
      ForgotPasswordPage(instance: .unknown, identifier: text),
      NewPasswordPage(variant: .reset, identifier: text, rules: rules),
      NewPasswordPage(variant: .task, identifier: text, rules: rules),
      LockedPage(problem: Problem(.locked(until: nil), code: text), until: nil, traceID: text),
      BlockedPage(error: banned, offersSignOut: true),
      BrowserPage(
        prompt: BrowserPrompt(
          identifier: identifier,
          providerName: text,
          address: text,
          explanation: text
        )
      ),
      AccountPage(session: session), SignOutPage(identifier: text),
      OrganizationPage(options: organizations, identifier: text, step: .choose),
      ErrorPage(status: 404, refusal: .notFound),
    ]
      + [choice.map { FactorChoicePage(prompt: $0, flow: .signIn, back: .signIn) }]
      .compactMap(\.self)
      + [missing.map { MissingDetailsPage(prompt: $0, rules: rules, values: values) }]
      .compactMap(\.self)
  }

  private func frame(echoing text: String) -> PageFrame {
    // With anything else there would be no link to support.
    let path = String.UnicodeScalarView(text.unicodeScalars.filter { $0.isSeen && $0 != "\\" })
    return PageFrame(
      applicationName: text,
      emulation: .init(api: text, world: text, inboxPath: text),
      supportAddress: "https://example.com/" + String(path),
      error: AuthError(
        Problem(.unrecognised, at: .identifier, code: text, message: text),
        [
          Problem(.unrecognised, at: .emailAddress, code: text, message: text),
          Problem(.identifierTaken, at: .username, code: text, message: text),
          Problem(.unrecognised, at: Field(named: text), code: text, message: text),
        ],
        traceID: text
      ),
      notices: Notice.allCases,
      reference: text,
      now: Fixture.now,
      formToken: { _ in text }
    )
  }

  @Test("a control character that HTML does not allow becomes U+FFFD; whitespace stays")
  func controls() throws {
    for byte in UInt8(0)...0x7F where byte < 0x20 || byte == 0x7F {
      var written: [UInt8] = []
      written.append(escapedForHTML: "a\(Character(Unicode.Scalar(byte)))b")
      let expected =
        switch byte {
        case 0x09, 0x0A, 0x0C, 0x0D: "a\(Character(Unicode.Scalar(byte)))b"
        default: "a\u{FFFD}b"
        }
      #expect(String(decoding: written, as: UTF8.self) == expected, "\(byte)")
    }
  }

  @Test(
    "no text creates elements or attributes, read by code point as parsers do (S17)",
    arguments: payloads
  )
  func inert(_ payload: String) throws {
    let renderer = try renderer.get()
    for (hostile, benign) in zip(pages(echoing: payload), pages(echoing: "benign")) {
      let html = try HTML(renderer.html(hostile, in: frame(echoing: payload)))
      let plain = try HTML(renderer.html(benign, in: frame(echoing: "benign")))
      #expect(html.all.map(\.tag) == plain.all.map(\.tag), "\(hostile.name)")
      #expect(
        html.all.map { $0.attributes.keys.sorted() }
          == plain.all.map { $0.attributes.keys.sorted() },
        "\(hostile.name)"
      )
      let json = try JSONSerialization.jsonObject(
        with: Data(renderer.json(hostile, in: frame(echoing: payload)))
      )
      let title = (json as? [String: Any])?["title"] as? String
      #expect(title?.hasSuffix(" – \(payload)") == true, "the twin has the text unchanged")
    }
  }

  @Test("an address that is not a web address does not become a link")
  func browserAddress() throws {
    let identifier = try #require(Identifier(typed: "sven@example.com"))
    for address in [
      "javascript:alert(1)", "data:text/html,x", " https://x", "//x", "HTTPS:x", "https://",
      "https://bank.example@elsewhere.example/", "https://x/\r\nSet-Cookie: a=b", "https://x/\0",
      "https://x\u{202E}/y", "https:/\\x", "https://x\\@y",
    ] {
      let page = BrowserPage(prompt: BrowserPrompt(identifier: identifier, address: address))
      let html = try HTML(renderer.get().html(page, in: Fixture.frame()))
      #expect(!html.all("a").contains { $0["href"] == address })
      #expect(Link.webAddress(address) == nil)
      #expect(Link.application(address, called: "Harbour") == nil)
      #expect(Link.help(at: address) == nil)
    }
    for address in ["https://x", "HTTP://x:8080/@me?to=a@b.example#@", "https://bücher.example/ä"] {
      #expect(Link.webAddress(address) == address)
      #expect(Link.application(address, called: "Harbour") != nil)
      #expect(Link.help(at: address) != nil)
    }
  }

  @Test("a text from the auth API is cut at 500 code points, even a pile of marks (S17)")
  func cut() throws {
    let long = String(repeating: "e\u{301}", count: 400)
    let problem = Problem(.unrecognised, code: "new", message: long)
    let words = ReasonWords(setting: Setting()).words(for: problem).inEnglish
    #expect(words.unicodeScalars.count == 500)
    #expect(words.unicodeScalars.last == "…")
    let short = String(repeating: "€", count: 500)
    #expect(ReasonWords.cut(short) == short)
  }
}
