import HTTPExchange
import HTTPTypes
import Locking
import Testing
import Vestibule
import VestibuleTesting

/// A call is carried out, and its answer gets lost: sending the same form again goes on.
///
/// Except if the answer had a new token: without it the API no longer knows the browser.
@Suite("An answer of the auth API that got lost", .inTurn)
struct LostAnswerJourneys {
  private static let newPassword = "Quite-another-secret-9"

  private func play(
    _ instance: String = "{}",
    _ journey: (Scene, LostAnswers) async throws -> Void
  ) async throws {
    let answers = LostAnswers()
    var configuration = try Stage.Setting(instance: instance).configuration(over: .clerk)
    configuration.aroundEmulator = { answers.around($0) }
    let vestibule = try TestVestibule(configuration)
    let scene = Scene(
      stage: .inProcess,
      host: "localhost:8080",
      pages: vestibule.transport,
      emulator: vestibule.transport
    )
    try await journey(scene, answers)
  }

  /// Sends a form twice; the first time, the answer to that call gets lost.
  private func submitTwice(
    _ typed: [String: String],
    losing call: String,
    _ browser: FormSession,
    _ answers: LostAnswers
  ) async throws -> PageSnapshot {
    answers.loseNext(call)
    let lost = try await browser.submit(typed)
    #expect(lost.status == 502, "\(call)")
    return try await browser.submit(typed)
  }

  /// Mia's second factor is asked for, and lets her in.
  private func finish(
    from page: PageSnapshot,
    _ browser: FormSession,
    _ scene: Scene
  ) async throws {
    #expect(page.path == "/sign-in/second-factor")
    let app = try await scene.backstage.authenticatorCode(of: "user_mia")
    #expect(try await browser.submit(["code": app]).page == "account")
  }

  @Test("does not spoil the code of a sign-up whose number is still to be verified")
  func signUpCodeOfTwo() async throws {
    try await play(#"{"phone": "required"}"#) { scene, answers in
      let browser = scene.newBrowser()
      try await browser.open("/sign-up")
      try await browser.submit([
        "email_address": "noor@example.com", "phone_number": "+12015550199",
        "password": Self.newPassword,
      ])
      let code = try await scene.backstage.latestCode(to: "noor@example.com")
      let page = try await submitTwice(
        ["code": code],
        losing: "attempt_verification",
        browser,
        answers
      )
      #expect(page.path == "/sign-up/verify")
      #expect(page.facts["sent_to"] as? String == "+12015550199")
    }
  }

  @Test("does not spoil the code of a password reset, or the new password before a second factor")
  func passwordReset() async throws {
    try await play { scene, answers in
      let browser = scene.newBrowser()
      try await browser.forgotPassword("mia@example.com")
      let code = try await scene.backstage.latestCode(to: "mia@example.com")
      let new = try await submitTwice(
        ["code": code],
        losing: "attempt_first_factor",
        browser,
        answers
      )
      #expect(new.path == "/forgot-password/new")
      let second = try await submitTwice(
        ["password": Self.newPassword],
        losing: "reset_password",
        browser,
        answers
      )
      try await finish(from: second, browser, scene)
    }
  }

  @Test("does not spoil a code as first factor before a second one")
  func firstFactor() async throws {
    try await play { scene, answers in
      let browser = scene.newBrowser()
      try await browser.signIn("mia@example.com", "not-this-one-42")
      try await browser.open("/sign-in/methods")
      try await browser.submit(form: "email_code")
      let code = try await scene.backstage.latestCode(to: "mia@example.com")
      let second = try await submitTwice(
        ["code": code],
        losing: "attempt_first_factor",
        browser,
        answers
      )
      try await finish(from: second, browser, scene)
    }
  }

  @Test("spoils a link that was followed, and its page says that another one is needed")
  func link() async throws {
    try await play { scene, answers in
      let browser = scene.newBrowser()
      try await browser.signIn("link@example.com")
      let message = try await scene.backstage.latestMessage(to: "link@example.com")
      try await browser.open(EmailLinkJourneys.path(of: message))
      answers.loseNext("complete")
      #expect(try await browser.submit().status == 502)
      try await browser.open("/sign-in/link")
      let checked = try await browser.submit()
      #expect(checked.path == "/sign-in/link" && checked.noticeCodes.isEmpty)
      #expect(checked.errorCodes == ["link_used"])
      try await scene.backstage.advanceClock(by: .seconds(31))
      let resent = try await browser.submit(form: "resend")
      #expect(resent.noticeCodes == ["code_resent"])
      let another = try await scene.backstage.latestMessage(to: "link@example.com")
      try await browser.open(EmailLinkJourneys.path(of: another))
      #expect(try await browser.submit().page == "account")
    }
  }

  @Test("does not spoil a sent code, although the pages do not know that it was sent")
  func sentCode() async throws {
    try await play { scene, answers in
      let browser = scene.newBrowser()
      answers.loseNext("prepare_second_factor")
      let methods = try await browser.signIn("ezra@example.com")
      #expect(methods.path == "/sign-in/second-factor/methods")
      let asked = try await browser.submit(form: "email_code")
      #expect(asked.path == "/sign-in/second-factor")
      #expect(asked.form("resend")?.availableAt != nil)
      let code = try await scene.backstage.latestCode(to: "ezra@example.com")
      #expect(try await browser.submit(["code": code]).page == "account")
    }
  }
}

/// Loses answers when told to; the calls are carried out all the same.
private final class LostAnswers: Sendable {
  private let next = Locked<String?>(nil)

  /// Loses the answer to the next call that ends with that segment.
  func loseNext(_ segment: String) { next.withLock { $0 = segment } }

  func around(_ handler: any HTTPHandler) -> any HTTPHandler {
    Losing(handler: handler, answers: self)
  }

  private struct Losing: HTTPHandler {
    let handler: any HTTPHandler
    let answers: LostAnswers

    func respond(to request: Request) async -> Response {
      let response = await handler.respond(to: request)
      let isLost = answers.next.withLock { next in
        guard let segment = next, request.path.hasSuffix("/" + segment) else { return false }
        next = nil
        return true
      }
      return isLost ? Response(status: .badGateway) : response
    }
  }
}
