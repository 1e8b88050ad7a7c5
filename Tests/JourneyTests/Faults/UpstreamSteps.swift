import HTTPExchange
import VestibuleTesting

/// A page that is about to be submitted.
struct UpstreamStep: Sendable {
  var name: String
  var form: String?
  /// What is typed there, by field; worked out once the page is open.
  var typed: @Sendable (Scene) async throws -> [String: String]
  /// Leads a browser to the page.
  var lead: @Sendable (FormSession, Scene) async throws -> Void
  /// Whether the step was taken, by the page that it led to.
  var isTaken: @Sendable (PageSnapshot) -> Bool

  init(
    _ name: String,
    form: String? = nil,
    isTaken: (@Sendable (PageSnapshot) -> Bool)? = nil,
    typing typed: @escaping @Sendable (Scene) async throws -> [String: String],
    after lead: @escaping @Sendable (FormSession, Scene) async throws -> Void
  ) {
    self.name = name
    self.form = form
    self.typed = typed
    self.lead = lead
    self.isTaken = isTaken ?? { $0.page != name }
  }

  private static func code(
    to address: String,
    _ purpose: String
  ) -> @Sendable (Scene) async throws -> [String: String] {
    { ["code": try await $0.backstage.latestCode(to: address, purpose: purpose)] }
  }

  /// Every page that asks that API something.
  static func all(over api: Stage.API) -> [UpstreamStep] { both + (api == .clerk ? clerk : entra) }

  private static let newPassword = "Quite-another-secret-9"

  private static let both = [
    UpstreamStep(
      "sign-in",
      typing: { _ in ["identifier": "ada@example.com", "password": password] }
    ) {
      browser,
      _ in
      try await browser.open("/sign-in")
    },
    UpstreamStep("sign-in-code", typing: code(to: "cody@example.com", "sign_in")) { browser, _ in
      try await browser.signIn("cody@example.com", "")
    },
    UpstreamStep("sign-in-second-factor", typing: code(to: "ezra@example.com", "second_factor")) {
      browser,
      _ in
      try await browser.signIn("ezra@example.com")
    },
    UpstreamStep(
      "sign-up",
      typing: { _ in ["email_address": "one@example.com", "password": newPassword] }
    ) { browser, _ in
      try await browser.open("/sign-up")
    },
    UpstreamStep("sign-up-verify", typing: code(to: "two@example.com", "sign_up")) { browser, _ in
      try await browser.signUp("two@example.com")
    },
    UpstreamStep("forgot-password", typing: { _ in ["identifier": "ada@example.com"] }) {
      browser,
      _ in
      try await browser.open("/forgot-password")
    },
    UpstreamStep("forgot-password-code", typing: code(to: "pia@example.com", "reset_password")) {
      browser,
      _ in
      try await browser.forgotPassword("pia@example.com")
    },
    UpstreamStep("forgot-password-new", typing: { _ in ["password": newPassword] }) {
      browser,
      scene in
      try await browser.forgotPassword("cora@example.com")
      let code = try await scene.backstage.latestCode(
        to: "cora@example.com",
        purpose: "reset_password"
      )
      try await browser.submit(["code": code])
    },
  ]

  private static let clerk = [
    UpstreamStep("sign-in-methods", form: "email_code", typing: { _ in [:] }) { browser, _ in
      try await browser.signIn("cora@example.com")
    },
    UpstreamStep(
      "sign-in-second-factor-backup-code",
      typing: { _ in ["code": "mia-0000-0001"] }
    ) { browser, _ in
      try await browser.signIn("mia@example.com")
      try await browser.open("/sign-in/second-factor/backup-code")
    },
    UpstreamStep("sign-in-device", typing: code(to: "nia@example.com", "client_trust")) {
      browser,
      _ in
      try await browser.signIn("nia@example.com")
    },
    UpstreamStep("tasks-reset-password", typing: { _ in ["password": newPassword] }) { browser, _ in
      try await browser.signIn("kurt")
    },
    UpstreamStep(
      "tasks-choose-organization",
      typing: { _ in ["organization_name": "Acme", "organization_slug": "acme"] }
    ) { browser, _ in
      try await browser.signIn("olga@example.com")
    },
    UpstreamStep("tasks-setup-mfa", typing: { _ in [:] }) { browser, scene in
      try await browser.signIn("tess@example.com")
      try await browser.submit(form: "authenticator")
      let code = try await scene.backstage.authenticatorCode(of: "user_tess")
      try await browser.submit(["code": code])
    },
  ]

  private static let entra = [
    UpstreamStep("sign-in-second-factor-methods", form: "phone_code", typing: { _ in [:] }) {
      browser,
      _ in
      try await browser.signIn("mia@example.com")
    },
    UpstreamStep(
      "sign-in-enrolment",
      isTaken: { $0.step == "code" },
      typing: { _ in ["method": "phone", "contact": "+12015550171"] }
    ) { browser, _ in
      try await browser.signIn("rita@example.com")
    },
    UpstreamStep("sign-in-enrolment", typing: code(to: "+12015550172", "second_factor")) {
      browser,
      _ in
      try await browser.signIn("rita@example.com")
      try await browser.submit(["method": "phone", "contact": "+12015550172"])
    },
    UpstreamStep("continue", form: "finished", typing: { _ in [:] }) { browser, scene in
      let page = try await browser.signIn("sven@example.com", "")
      try await browser.open(try await scene.signInAtTenant(by: page).target)
    },
    UpstreamStep("sign-up-continue", typing: { _ in ["password": newPassword] }) { browser, scene in
      try await browser.signUp("three@example.com", "")
      let code = try await scene.backstage.latestCode(to: "three@example.com", purpose: "sign_up")
      try await browser.submit(["code": code])
    },
    UpstreamStep("forgot-password-waiting", form: "check", typing: { _ in [:] }) { browser, scene in
      try await browser.forgotPassword("iris@example.com")
      let code = try await scene.backstage.latestCode(
        to: "iris@example.com",
        purpose: "reset_password"
      )
      try await browser.submit(["code": code])
      try await browser.submit(["password": newPassword])
    },
    UpstreamStep(
      "account",
      form: "get-token",
      isTaken: { $0.noticeCodes == ["token_renewed"] },
      typing: { _ in ["scopes": "api://orders/Read"] }
    ) { browser, _ in
      try await browser.signIn("ada@example.com")
    },
  ]
}
