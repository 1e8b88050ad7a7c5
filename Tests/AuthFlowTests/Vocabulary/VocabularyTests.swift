@_spi(Provider) import AuthFlow
import Foundation
import Testing
import TestSupport

@Suite("What is typed, and what is kept of it (F8)")
struct TypedTests {
  @Test(
    "identifiers are trimmed; phone numbers lose their punctuation",
    arguments: [
      ("ada@example.com", "ada@example.com", .emailAddress),
      ("  ada@example.com\n", "ada@example.com", .emailAddress),
      ("Ada@Example.com", "Ada@Example.com", .emailAddress),
      ("ada.l-o/v@example.com", "ada.l-o/v@example.com", .emailAddress),
      ("+44 20 7946-0000", "+442079460000", .phoneNumber),
      (" +44 (20) 7946.0000 ", "+442079460000", .phoneNumber),
      ("+44\u{A0}20\u{2011}7946\u{2013}0000", "+442079460000", .phoneNumber),
      ("+44\u{202F}20\t7946\u{2014}0000", "+442079460000", .phoneNumber),
      ("\u{FF08}+44\u{FF09}[20]\u{3000}7946\u{2212}0000\u{200E}", "+442079460000", .phoneNumber),
      ("+\u{664}\u{664} 20 7946 0000", "+442079460000", .phoneNumber),
      ("\u{FF0B}\u{FF14}\u{FF14}\u{3000}20 7946 0000", "+442079460000", .phoneNumber),
      ("020 7946 0000", "020 7946 0000", .username), ("+", "+", .username),
      ("+ada", "+ada", .username), ("ada-l", "ada-l", .username), ("ada@", "ada@", .emailAddress),
    ] as [(String, String, Identifier.Kind)]
  )
  func identifiers(typed: String, text: String, kind: Identifier.Kind) throws {
    let identifier = try #require(Identifier(typed: typed))
    #expect(identifier.text == text)
    #expect(identifier.kind == kind)
  }

  @Test("blank input is not an identifier or a code", arguments: ["", " ", "\t\n", "\u{A0}"])
  func empty(typed: String) {
    #expect(Identifier(typed: typed) == nil)
    #expect(VerificationCode(typed: typed) == nil)
    #expect(VerificationCode(typedBackupCode: typed) == nil)
  }

  @Test(
    "passwords are kept as they were typed (S18)",
    arguments: [" ", "  padded  ", "a\u{308}", "\u{e4}", "p\u{0}w", "🔑"]
  )
  func passwords(typed: String) {
    #expect(Password(typed: typed).map { Array($0.secret.utf8) } == Array(typed.utf8))
    #expect(Password(typed: "") == nil)
  }

  @Test(
    "codes lose characters that are pasted along, and their digits become ASCII",
    arguments: [
      ("424242", "424242"), (" 424 242 ", "424242"), ("424-242", "424242"),
      ("4.2.4.2.4.2", "424242"),
      ("\u{FF14}\u{FF12}\u{FF14}242", "424242"), ("\u{664}\u{662}\u{664}242", "424242"),
      ("\u{6F4}\u{6F2}\u{6F4}242", "424242"), ("424\u{A0}242", "424242"),
      ("\u{200B}424242", "424242"),
      ("424\u{2013}242", "424242"), ("42424a", "42424a"), ("424\u{2014}242", "424242"),
      ("424\u{FF0D}242", "424242"), ("424\u{FF0E}242", "424242"), ("424\u{FE63}242", "424242"),
    ]
  )
  func codes(typed: String, secret: String) {
    #expect(VerificationCode(typed: typed)?.secret == secret)
  }

  @Test(
    "backup codes lose case and dashes",
    arguments: [("k3v9q2xw", "k3v9q2xw"), ("K3V9-Q2XW", "k3v9q2xw"), (" k3v9 q2xw ", "k3v9q2xw")]
  )
  func backupCodes(typed: String, secret: String) {
    #expect(VerificationCode(typedBackupCode: typed)?.secret == secret)
  }

  @Test("only ASCII digits count")
  func digits() throws {
    #expect(try Example.code("424242").hasDigits(6))
    #expect(try !Example.code("42424").hasDigits(6))
    #expect(try !Example.code("42424a").hasDigits(6))
    #expect(try !Example.code("42424\u{967}").hasDigits(6))
  }

  @Test("a second factor of the same kind has a name of its own")
  func names() {
    let factors = [Example.phoneCode, Example.emailCode, Example.otherPhoneCode, Example.phoneCode]
    #expect(
      factors.named.map(\.name) == ["phone_code", "email_code", "phone_code-2", "phone_code-3"]
    )
  }

  @Test("a sign-in asks for some identifier, whatever the auth API says")
  func neverWithoutIdentifier() {
    var description = InstanceDescription.unknown
    description = InstanceDescription(
      applicationName: "A",
      environment: nil,
      signInIdentifiers: [],
      signInForm: .identifierFirst,
      signUp: description.signUp,
      passwordRules: description.passwordRules
    )
    #expect(description.signInIdentifiers == [.emailAddress])
    description.signInIdentifiers = [.username]
    #expect(description.signInIdentifiers == [.username])
    description.signInIdentifiers = []
    #expect(description.signInIdentifiers == [.emailAddress])
  }
}

@Suite("Secrets do not print (S28)")
struct SecretTests {
  @Test("a secret prints as a placeholder, even inside other values")
  func placeholders() throws {
    var memory = ProviderMemory()
    memory["key"] = "canary"
    let continuation = Continuation("canary")
    let password = try Example.password("canary")
    let code = try Example.code("canary")
    for (value, word) in [
      (password, "<password>"), (code, "<code>"), (continuation, "<continuation>"),
      (memory, "<memory>"),
    ] as [(any Sendable, String)] {
      #expect("\(value)" == word)
      #expect(String(reflecting: value) == word)
      #expect("\([value])" == "[\(word)]")
      var dumped = ""
      dump(value, to: &dumped)
      #expect(!dumped.contains("canary"), "\(dumped)")
    }
    #expect("\(try Example.identifier())" == "<identifier>")
  }

  @Test("states, inputs and details print without their secrets")
  func containers() throws {
    let values: [Any] = [
      try Example.signInStates(), try Example.resetStates(), try Example.signUpStates(),
      SignInInput.password(try Example.password("canary")),
      SignInInput.code(try Example.code("canary")),
      PasswordResetInput.newPassword(try Example.password("canary"), signOutOfOtherSessions: true),
      SignUpDetails(password: try Example.password("canary")),
    ]
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      #expect(!dumped.contains("canary"))
      #expect(!"\(value)".contains("canary"))
      #expect(!String(reflecting: value).contains("canary"))
    }
  }
}

@Suite("States survive being sealed and opened")
struct CodingTests {
  private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
    // An array, since a state alone may be a bare string.
    let data = try JSONEncoder().encode([value])
    return try #require(JSONDecoder().decode([Value].self, from: data).first)
  }

  @Test("every state of every flow comes back unchanged")
  func states() throws {
    for state in try Example.signInStates() { #expect(try roundTrip(state) == state) }
    for state in try Example.resetStates() { #expect(try roundTrip(state) == state) }
    for state in try Example.signUpStates() { #expect(try roundTrip(state) == state) }
  }

  @Test("a browser that is away, back, or has brought something is stored in the same form as ever")
  func browsers() throws {
    let kept: [(BrowserPrompt.Browser, String)] = [
      (.away, #"{"hasReturned":false,"identifier":{"text":"ada@example.com"}}"#),
      (.returned, #"{"hasReturned":true,"identifier":{"text":"ada@example.com"}}"#),
      (
        .brought(Continuation("n0")),
        #"{"hasReturned":true,"identifier":{"text":"ada@example.com"},"returned":"n0"}"#
      ),
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    for (browser, text) in kept {
      let prompt = BrowserPrompt(identifier: try Example.identifier(), browser: browser)
      #expect(try roundTrip(prompt) == prompt)
      #expect(prompt.hasReturned == (browser != .away))
      #expect(String(decoding: try encoder.encode(prompt), as: UTF8.self) == text)
    }
  }

  @Test("every reason comes back unchanged", arguments: PresentationTests.reasons)
  func reasons(reason: Reason) throws {
    let error = Example.error(reason, at: .password)
    #expect(try roundTrip(error) == error)
  }

  @Test("memory and session come back unchanged")
  func others() throws {
    var memory = ProviderMemory()
    memory["client_token"] = "token"
    #expect(try roundTrip(memory) == memory)
    #expect(try roundTrip(Example.session()) == Example.session())
  }
}
