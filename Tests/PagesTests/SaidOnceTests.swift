@_spi(Provider) import AuthFlow
import Foundation
import Testing

@testable import Pages

@Suite("Nothing is said twice")
struct SaidOnceTests {
  /// Every notice, lead and general message: its sentence, and its link apart.
  private static func sentences(of html: HTML) -> [(text: String, link: String?)] {
    let places = html.all.filter { element in
      element["data-error-scope"] == "general" || element["data-notice"] != nil
        || (element.tag == "p" && html.element(id: "lead")?.contains(element) == true)
    }
    return places.map { place in
      let link = place.all.first { $0.tag == "a" }?.text
      let text = link.map { place.text.replacingOccurrences(of: $0, with: "") } ?? place.text
      return (text, link)
    }
  }

  @Test("no sentence begins with what the heading over it says", arguments: PageExample.all)
  func headings(_ example: PageExample) throws {
    let html = try example.html()
    let headings = html.all("main").flatMap(\.all).filter { ["h1", "h2"].contains($0.tag) }
    for heading in headings.map(\.text) {
      for (sentence, _) in Self.sentences(of: html) {
        #expect(!sentence.hasPrefix(heading), "\(heading)")
      }
    }
  }

  @Test("no link repeats the sentence before it", arguments: PageExample.all)
  func links(_ example: PageExample) throws {
    for (sentence, link) in Self.sentences(of: try example.html()) {
      guard let link else { continue }
      let last = sentence.split(separator: ". ").last.map(String.init) ?? ""
      #expect(!last.contains(link), "\(sentence)")
    }
  }

  @Test(
    "a page that is one message says what its heading does not, and so does its twin",
    arguments: [
      ("blocked/banned", "Contact support."), ("sign-in-link/used", "Each link works once."),
      ("sign-in-link/too-old", "Ask for a new one."), ("error/attempt_ended", "Start again."),
      ("error/offline", "Check the connection, then try again."),
      ("locked/unknown", "Only support can unlock it."),
      ("locked/untold", "Wait a while, then try again, or ask support."),
      ("locked/until", "There were too many tries."),
    ]
  )
  func pages(_ name: String, _ words: String) throws {
    let example = try #require(PageExample.all.first { $0.name == name }, "\(name)")
    let message = try #require(
      try example.html().all.first { $0["data-error-scope"] == "general" }
    )
    #expect(message.text.hasPrefix(words))
    let errors = try #require(try example.json()["errors"] as? [[String: Any]])
    #expect((errors.first?["message"] as? String)?.hasPrefix(words) == true)
  }

  @Test("the end of a lock has a line of its own (P-locked)")
  func lock() throws {
    let example = try #require(PageExample.all.first { $0.name == "locked/until" })
    let line = try #require(try example.html().all.first { $0["class"] == "line" })
    #expect(line.text == "14:35 UTC, in 12 minutes")
    #expect(line.all.contains { $0["datetime"] != nil })
    #expect(line.all.contains { $0["data-moment"] != nil })
  }

  @Test("a person who waits for a link is told of a new link, not of a code")
  func link() throws {
    let example = try #require(PageExample.all.first { $0.name == "sign-in-link/expired" })
    #expect(try example.html().element(id: "banner-heading")?.text == "You need a new link")
  }

  @Test("advice that fits several messages is given once, below the last of them")
  func advice() throws {
    let error = AuthError(
      Problem(.unrecognised, code: "one"),
      [
        Problem(.locked(until: nil), code: "two"), Problem(.busy, code: "three"),
        Problem(.codeNotSent, code: "four"),
      ]
    )
    let page = SignInPage(instance: .unknown, identifier: nil, hasAttempt: false)
    let html = try HTML(renderer.get().html(page, in: Fixture.frame(error: error)))
    let messages = html.all.filter { $0["data-error-scope"] == "general" }
    #expect(messages.map { $0["data-error-code"] } == ["one", "two", "three", "four"])
    let steps = messages.map { message in
      message.all.filter { $0["class"] == "next-step" }.map(\.text)
    }
    #expect(
      steps == [
        [], ["Tell support the reference below."],
        ["If it keeps happening, tell support the reference below."], [],
      ]
    )
  }

  @Test(
    "a link after a message has a line of its own, at a field and in the banner",
    arguments: ["sign-in/unknown-account", "sign-in/offline"]
  )
  func ownLine(_ name: String) throws {
    let example = try #require(PageExample.all.first { $0.name == name })
    let html = try example.html()
    let message = try #require(
      html.all(having: "data-error-code").first { $0.all.contains { $0.tag == "a" } }
    )
    let link = try #require(message.all.first { $0["class"] == "way-on" })
    #expect(link.all.contains { $0.tag == "a" })
    #expect(message.text.hasSuffix(" \(link.text)"), "a space separates them in plain text")
  }

  @Test("a full stop is heard between the messages at one field, and in their link (E3)")
  func stops() throws {
    let html = try #require(PageExample.all.first { $0.name == "sign-up/many-errors" }).html()
    let message = try #require(html.element(id: "sign-up-password-error"))
    let stops = message.all.filter { $0["class"] == "visually-hidden" }.map(\.text)
    let sentences = message.all.filter { $0["class"] == "sentence" }
    #expect(sentences.count == 2 && stops == ["Error:", "."])
    let link = try #require(html.all("a").first { $0["href"] == "#sign-up-password" })
    #expect(link.all.filter { $0["class"] == "visually-hidden" }.map(\.text) == ["."])
    // One that ends with a full stop itself needs no other; alone it has none.
    func heard(_ words: String...) -> [Bool] {
      let messages = words.map { Message(code: "any", words: Prose($0), reference: .text("")) }
      return MessageView.all(messages, in: .none, stop: ".").map { view in
        MessageView.word(for: .stop).meaning.isThere(view)
      }
    }
    #expect(heard("One", "Two", "Three") == [false, true, true])
    #expect(heard("One.", "Two") == [false, false])
    #expect(heard("One") == [false])
  }

  @Test("the details have a short visible name, and a full one for screen readers (E1)")
  func foldedAway() throws {
    let page = SignInPage(instance: .unknown, identifier: nil, hasAttempt: false)
    let detail = ErrorDetail(.api, facts: [.init("code", .string("any"))])
    let one = Problem(.passwordIncorrect, at: .password, code: "one", detail: detail)
    let other = Problem(.identifierNotFound, at: .identifier, code: "two", detail: detail)
    for error in [AuthError(one), AuthError(one, [other])] {
      let html = try HTML(renderer.get().html(page, in: Fixture.frame(error: error)))
      let summary = try #require(html.all.first { $0["class"] == "error-summary" })
      let opening = try #require(summary.all.first { $0.tag == "summary" })
      #expect(opening.text == "Details")
      #expect(opening["aria-label"] == "Details for support")
    }
  }

  @Test("a hint is left out if the error says the same (F2)")
  func hint() throws {
    let example = try #require(PageExample.all.first { $0.name == "forgot-password-new/weak" })
    let text = try example.html().root.text
    #expect(text.components(separatedBy: "Use at least 8 characters").count == 2)
  }

  @Test("the waiting list's page itself says that somebody has joined, without a notice")
  func waitingList() throws {
    for notices in [[Notice.waitlistJoined], []] {
      let frame = Fixture.frame(notices: notices)
      let html = try HTML(renderer.get().html(WaitingListPage(), in: frame))
      #expect(html.element(id: "lead")?.text.contains("when it is your turn") == true)
      #expect(html.element(id: "notices") == nil)
    }
  }

  @Test("after a new password, the page says that signing in still takes this step (P-code)")
  func changedPassword() throws {
    let name = "sign-in-second-factor/in-password-reset"
    let page = try #require(PageExample.all.first { $0.name == name }).page
    for notices in [[], [Notice.passwordChanged]] {
      let html = try HTML(renderer.get().html(page, in: Fixture.frame(notices: notices)))
      let lead = try #require(html.element(id: "lead")?.text)
      #expect(lead.contains("Signing in still takes this step."))
      #expect(lead.contains("Open your authenticator app"))
    }
  }

  @Test("a method that fails again for the same reason is reported once (E3)")
  func failedAgain() throws {
    let name = "sign-in-methods/leaked-password"
    let example = try #require(PageExample.all.first { $0.name == name })
    guard case .error(let error)? = example.page.content(in: example.frame).concerns.first else {
      Issue.record("\(name) is about no error")
      return
    }
    var problem = error.problems[0]
    problem.detail = ErrorDetail(.api, facts: [.init("trace_id", .string("another"))])
    let other = Problem(.deliveryFailed, code: "sms_send_error")
    for news in [[problem], [problem, other]] {
      let again = PageExample("failed-again", example.page, error: AuthError(news))
      let errors = try #require(try again.json()["errors"] as? [[String: Any]])
      #expect(errors.map { $0["code"] as? String } == news.map(\.code))
    }
  }
}
