import AuthFlow
import Foundation
import Localization
import Testing

@testable import Pages

@Suite("The auth API's own words on a page")
struct OwnWordsTests {
  private static let said = #"That is <b>wrong</b> & "odd"."#

  private func problem(_ code: String, at field: Field? = nil) -> Problem {
    Problem(
      .passwordIncorrect,
      at: field,
      code: code,
      message: Self.said,
      detail: ErrorDetail(
        .api,
        message: Self.said,
        facts: [
          .init("long_message", .string(Self.said)),
          .init("meta", .object([.init("left", .number(2))])),
          .init("parameter", .null),
        ]
      )
    )
  }

  private func frame(_ problems: Problem...) -> PageFrame {
    PageFrame(error: AuthError(problems), reference: "r", now: PageExample.now) { _ in "token" }
  }

  private func passwordPage() throws -> any Page {
    try #require(PageExample.all.first { $0.page.name == "sign-in-password" }).page
  }

  @Test("the details show the API's words, escaped, beside ours; the twin has them unchanged")
  func details() throws {
    let renderer = try PageRenderer()
    let page = try passwordPage()
    for frame in [frame(problem("c")), frame(problem("c", at: .password))] {
      let html = String(decoding: try renderer.html(page, in: frame), as: UTF8.self)
      #expect(html.contains(#"<code lang="en">That is &lt;b&gt;wrong&lt;/b&gt;"#))
      #expect(html.contains("That password is not right."))
      let json = String(decoding: renderer.json(page, in: frame), as: UTF8.self)
      #expect(
        json.contains(
          #""detail":{"kind":"api","long_message":"That is <b>wrong</b> & \"odd\".","#
            + #""meta":{"left":2},"parameter":null}"#
        )
      )
    }
  }

  @Test(
    "the API's sentences are marked as English on a page in another language (WCAG 3.1.2)",
    arguments: [("en", false), ("de", true), ("ar", true)]
  )
  func marked(language: String, isMarked: Bool) throws {
    let renderer = try PageRenderer(usesOwnWords: false)
    for problem in [problem("c"), problem("c", at: .password)] {
      var frame = frame(problem)
      frame.language = try #require(LanguageTag(language))
      let html = try HTML(renderer.html(passwordPage(), in: frame))
      let message = try #require(html.all(having: "data-error-code").first)
      let words = message.all.filter { $0["lang"] == "en" && $0["dir"] == "ltr" }
      #expect(words.map(\.text) == (isMarked ? [Self.said] : []))
      #expect(message.text.contains(Self.said))
      let facts = html.all("dl").flatMap(\.all).filter { $0["lang"] == "en" }
      let told = facts.filter { ["long_message", Self.said].contains($0.text) }
      #expect(told.map(\.tag) == ["dt", "code"])
    }
  }

  @Test("advice for a stronger password follows our words, at the field (E4)")
  func suggestion() throws {
    let page = NewPasswordPage(
      variant: .reset,
      identifier: "ada@example.com",
      rules: PasswordRules(minimumLength: 8)
    )
    let weak = Problem(
      .passwordTooWeak,
      at: .password,
      code: "form_password_not_strong_enough",
      message: "Weak.",
      suggestion: "Add <another> word."
    )
    let html = try HTML(renderer.get().html(page, in: frame(weak)))
    let message = try #require(html.all.first { $0["id"]?.hasSuffix("password-error") == true })
    #expect(message.text.contains("Choose a password that is harder to guess. Add <another> word."))
    #expect(!message.text.contains("Weak."))
  }

  @Test(
    "for a field that has no name here, the API's own sentence says what is wrong (E2, E4)",
    arguments: [Reason.missing, .formatInvalid, .valueInvalid, .tooLong(limit: 9)]
  )
  func unnamedField(reason: Reason) throws {
    func told(_ field: Field, _ message: String?) throws -> [String] {
      let problem = Problem(reason, at: field, code: "c", message: message)
      let presentation = try renderer.get().presentation(of: passwordPage(), in: frame(problem))
      return presentation.general.map(\.text)
    }
    let birthday = Field(named: "birthday")
    #expect(try told(birthday, "Say when you were born.") == ["Say when you were born."])
    #expect(try told(birthday, nil) != [""])
    #expect(try told(.phoneNumber, "phone_number is wrong") != ["phone_number is wrong"])
  }

  @Test("with our own words off, the API's are shown as they came, but never as markup (S17)")
  func off() throws {
    let renderer = try PageRenderer(usesOwnWords: false)
    let page = try passwordPage()
    let frame = frame(problem("c", at: .password))
    let html = String(decoding: try renderer.html(page, in: frame), as: UTF8.self)
    #expect(!html.contains("That password is not right.") && !html.contains("<b>wrong"))
    let twin = String(decoding: renderer.json(page, in: frame), as: UTF8.self)
    #expect(twin.contains(#""message":"That is <b>wrong</b> & \"odd\".""#))
    var silent = problem("c")
    silent.message = nil
    silent.detail = nil
    let ours = String(decoding: renderer.json(page, in: self.frame(silent)), as: UTF8.self)
    #expect(ours.contains("That password is not right."))
  }
}
