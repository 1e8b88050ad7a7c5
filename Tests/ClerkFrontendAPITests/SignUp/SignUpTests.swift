@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Sign-up")
struct SignUpTests {
  static let id = "sua_39aKh8LcR4sZoE2pWxF6vTn9jGa"

  /// As in <doc:ClerkSigningUp#The-sign-up-resource>, with what varies.
  static func signUp(
    _ status: String = "missing_requirements",
    missing: [String] = [],
    unverified: [String] = [],
    email: String = "null",
    phone: String = "null",
    session: String = "null"
  ) -> String {
    """
    {
      "object": "sign_up_attempt", "id": "\(id)", "status": "\(status)",
      "required_fields": ["email_address", "password"],
      "optional_fields": ["first_name", "last_name"],
      "missing_fields": [\(missing.map { "\"\($0)\"" }.joined(separator: ","))],
      "unverified_fields": [\(unverified.map { "\"\($0)\"" }.joined(separator: ","))],
      "verifications": {
        "email_address": \(email), "phone_number": \(phone), "web3_wallet": null,
        "external_account": null
      },
      "username": null, "email_address": "noor@example.com", "phone_number": "+12015550123",
      "web3_wallet": null, "password_enabled": true, "first_name": "Noor", "last_name": null,
      "unsafe_metadata": {}, "public_metadata": {}, "custom_action": false, "external_id": null,
      "created_session_id": \(session), "created_user_id": null, "abandon_at": 1767312000000,
      "legal_accepted_at": null
    }
    """
  }

  static func verification(
    _ action: String,
    status: String = "unverified",
    strategies: String = #"["email_code"]"#,
    expiresAt: String = "1767226200000"
  ) -> String {
    """
    {"object": "verification_otp", "status": "\(status)", "strategy": "email_code",
     "attempts": null, "expire_at": \(expiresAt), "next_action": "\(action)",
     "supported_strategies": \(strategies)}
    """
  }

  static let unverifiedEmail = signUp(
    unverified: ["email_address"],
    email: verification("needs_prepare", expiresAt: "1767312000000")
  )
  static let sentEmail = signUp(
    unverified: ["email_address"],
    email: verification("needs_attempt")
  )

  @Test("a sign-up sends what was filled in, and then asks for the first code")
  func begin() async throws {
    let transport = ScriptedTransport(
      .enveloped(Self.unverifiedEmail, token: "token-1"),
      .enveloped(Self.sentEmail)
    )
    var memory = ProviderMemory()
    let outcome = await provider(transport).beginSignUp(
      SignUpDetails(
        values: [
          .emailAddress: "noor@example.com", .firstName: "Noor & Co", .username: "noor",
          Field(named: "admin"): "true",
        ],
        password: try .typed("p"),
        acceptsTerms: true
      ),
      memory: &memory
    )
    guard case .codeRequired(let prompt) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.contact == .emailAddress && prompt.destination == "noor@example.com")
    #expect(prompt.code.expiresAt == Date(timeIntervalSince1970: 1_767_226_200))
    #expect(prompt.code.resendAvailableAt == now.addingTimeInterval(30))
    #expect(prompt.attempt.continuation.token == Self.id)
    #expect(prompt.attempt.endsAt == now.addingTimeInterval(86_400))
    #expect(
      prompt.attempt.values == [
        .emailAddress: "noor@example.com", .phoneNumber: "+12015550123", .firstName: "Noor",
      ]
    )
    #expect(
      transport.calls == [
        "POST /v1/client/sign_ups?_is_native=1 first_name=Noor+%26+Co&username=noor"
          + "&email_address=noor%40example.com&password=p&legal_accepted=true",
        "POST /v1/client/sign_ups/\(Self.id)/prepare_verification?_is_native=1 strategy=email_code",
      ]
    )
    #expect(transport.requests.last?.headerFields[.authorization] == "token-1")
  }

  @Test("a sign-up that the API accepts takes the place of another, even if no code is sent")
  func notSent() async throws {
    let refused = Response.error("dev_monthly_email_limit_exceeded", status: 400)
    let transport = ScriptedTransport(refused, .enveloped(Self.unverifiedEmail), refused)
    var memory = memory()
    for standing in [nil, SignUpState.detailsRequired] {
      let outcome = await provider(transport).beginSignUp(SignUpDetails(), memory: &memory)
      #expect(outcome.error?.reasons == [.messageQuotaUsed])
      #expect(outcome.standing == standing)
    }
  }

  @Test("a code that is already on its way is not sent twice")
  func alreadySent() async throws {
    let transport = ScriptedTransport(.enveloped(Self.sentEmail))
    var memory = memory()
    let outcome = await provider(transport).beginSignUp(SignUpDetails(), memory: &memory)
    guard case .codeRequired = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(transport.calls.count == 1)
  }

  @Test(
    "a code that has ended is sent again",
    arguments: [
      verification("needs_attempt", status: "expired"),
      verification("needs_attempt", expiresAt: "1767225599000"), "null",
    ]
  )
  func ended(verification: String) async throws {
    let transport = ScriptedTransport(
      .enveloped(Self.signUp(unverified: ["email_address"], email: verification)),
      .enveloped(Self.sentEmail)
    )
    var memory = memory()
    _ = await provider(transport).beginSignUp(SignUpDetails(), memory: &memory)
    #expect(transport.isDone)
  }

  @Test("missing details are asked for first, in the order of the page")
  func missing() async throws {
    let transport = ScriptedTransport(
      .enveloped(
        Self.signUp(
          missing: ["password", "web3_wallet", "last_name"],
          unverified: ["email_address"]
        )
      )
    )
    var memory = memory()
    let outcome = await provider(transport).beginSignUp(SignUpDetails(), memory: &memory)
    guard case .detailsMissing(let prompt) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.fields == [.lastName, .password])
  }

  @Test("missing details are sent by PATCH")
  func patch() async throws {
    let transport = ScriptedTransport(
      .enveloped(
        Self.signUp("complete", session: #""\#(Fixture.sessionID)""#),
        client: Fixture.client(sessions: [Fixture.session()]),
        token: "token-2"
      )
    )
    var memory = memory()
    let prompt = try #require(MissingDetailsPrompt(attempt: attempt(), fields: [.lastName]))
    let outcome = await provider(transport).submit(
      SignUpDetails(values: [.lastName: "Haddad"], acceptsTerms: false),
      for: prompt,
      memory: &memory
    )
    #expect(outcome == .moved(to: .continuing(.complete(Fixture.mara()))))
    #expect(memory.clientToken == "token-2")
    #expect(
      transport.calls == [
        "PATCH /v1/client/sign_ups/\(Self.id)?_is_native=1 last_name=Haddad&legal_accepted=false"
      ]
    )
  }

  @Test(
    "a code is attempted by its contact's strategy; the next contact follows",
    arguments: [(Contact.emailAddress, "email_code"), (.phoneNumber, "phone_code")]
  )
  func code(contact: Contact, strategy: String) async throws {
    let transport = ScriptedTransport(
      .enveloped(Self.signUp(unverified: ["phone_number"])),
      .enveloped(Self.signUp(unverified: ["phone_number"], phone: Self.verification("")))
    )
    var memory = memory()
    let outcome = await provider(transport).submit(
      try .typed(),
      for: ContactPrompt(attempt: attempt(), contact: contact, destination: "x"),
      memory: &memory
    )
    guard case .codeRequired(let next) = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(next.contact == .phoneNumber && next.destination == "+12015550123")
    let path = "POST /v1/client/sign_ups/\(Self.id)/"
    #expect(
      transport.calls == [
        path + "attempt_verification?_is_native=1 strategy=\(strategy)&code=424242",
        path + "prepare_verification?_is_native=1 strategy=phone_code",
      ]
    )
  }

  @Test("a code is sent again, but not too soon")
  func resend() async throws {
    let transport = ScriptedTransport(
      .enveloped(Self.sentEmail),
      .error("verification_code_too_many_requests", status: 429, headerFields: [.retryAfter: "5"])
    )
    let prompt = ContactPrompt(
      attempt: attempt(),
      contact: .emailAddress,
      destination: "noor@example.com"
    )
    var memory = memory()
    let again = await provider(transport).resend(prompt, memory: &memory)
    guard case .codeRequired(let next) = again.moved else {
      Issue.record("\(again)")
      return
    }
    #expect(next.code.resendAvailableAt == now.addingTimeInterval(30))
    let tooSoon = await provider(transport).resend(prompt, memory: &memory)
    guard case .codeRequired(let standing) = tooSoon.standing else {
      Issue.record("\(tooSoon)")
      return
    }
    #expect(standing.code.resendAvailableAt == now.addingTimeInterval(5))
    #expect(transport.isDone)
  }

  @Test("a code that was tried too often stays void while the next one has to be waited for")
  func voidTooSoon() async throws {
    let transport = ScriptedTransport(
      .error("verification_failed", status: 400),
      .error("verification_code_too_many_requests", status: 429, headerFields: [.retryAfter: "5"])
    )
    let prompt = ContactPrompt(
      attempt: attempt(),
      contact: .emailAddress,
      destination: "noor@example.com"
    )
    let flow = SignUpFlow(provider: provider(transport), clock: WallClock { now })
    let form = InstanceDescription.unknown.signUp
    var memory = memory()
    let tried = await flow.advance(
      .codeRequired(prompt),
      with: .code(try .typed()),
      form: form,
      memory: &memory
    )
    guard case .refused(_, at: let void) = tried else {
      Issue.record("\(tried)")
      return
    }
    let resent = await flow.advance(void, with: .resendCode, form: form, memory: &memory)
    guard case .refused(_, at: .codeRequired(let standing)) = resent else {
      Issue.record("\(resent)")
      return
    }
    #expect(standing.code.isVoid)
    #expect(standing.code.resendAvailableAt == now.addingTimeInterval(5))
    #expect(transport.isDone)
  }

  @Test(
    "sign-ups that lead nowhere are refused by name",
    arguments: [
      (signUp("abandoned"), .attemptEnded, "attempt_ended"),
      (signUp("never_heard_of"), .unrecognised, "never_heard_of"),
      (signUp(missing: ["web3_wallet"]), .stepUnsupported, "missing_requirements"),
      (signUp(missing: ["oauth_google"]), .stepUnsupported, "missing_requirements"),
      (signUp(unverified: ["web3_wallet"]), .stepUnsupported, "missing_requirements"),
      (signUp(), .stepUnsupported, "missing_requirements"),
      (signUp(missing: ["protect_check"]), .stepUnsupported, "missing_requirements"),
      (
        signUp(
          unverified: ["email_address"],
          email: verification("needs_prepare", strategies: #"["email_link"]"#)
        ),
        .methodUnavailable, "strategy_for_user_invalid"
      ),
      // A link goes to an email address only.
      (
        signUp(
          unverified: ["phone_number"],
          phone: verification("needs_prepare", strategies: #"["email_link"]"#)
        ),
        .methodUnavailable, "strategy_for_user_invalid"
      ),
      (signUp("complete"), .serviceAnsweredNonsense, "service_answered_nonsense"),
    ] as [(String, Reason, String)]
  )
  func deadEnd(resource: String, reason: Reason, code: String) async {
    var memory = memory()
    let outcome = await provider(ScriptedTransport(.enveloped(resource)))
      .beginSignUp(SignUpDetails(), memory: &memory)
    let error = AuthError(Problem(reason, code: code))
    #expect(outcome.plain == .refused(error, at: .detailsRequired))
  }

  @Test("fields that these pages cannot ask for are named for support")
  func unsupported() async {
    let resource = Self.signUp(missing: ["web3_wallet"], unverified: ["email_address"])
    var memory = memory()
    let outcome = await provider(ScriptedTransport(.enveloped(resource)))
      .beginSignUp(SignUpDetails(), memory: &memory)
    #expect(
      outcome.error?.problems.first?.detail?.facts == [
        .init("missing_fields", .array([.string("web3_wallet")])),
        .init("unverified_fields", .array([.string("email_address")])),
      ]
    )
  }

  @Test(
    "refusals have their reason, at their fields",
    arguments: [
      ("form_identifier_exists", "email_address", .identifierTaken, .emailAddress),
      ("form_password_pwned", "password", .passwordBreached, .password),
      ("form_password_compromised", "password", .passwordBreached, .password),
      ("form_param_nil", "legal_accepted", .termsNotAccepted, .legalAccepted),
      ("sign_up_mode_restricted", nil, .signUpClosed, nil),
      ("session_exists", nil, .alreadySignedIn, nil),
      ("authentication_invalid", nil, .attemptEnded, nil),
      ("signed_out", nil, .attemptEnded, nil), ("resource_not_found", nil, .attemptEnded, nil),
    ] as [(String, String?, Reason, Field?)]
  )
  func refused(code: String, parameter: String?, reason: Reason, field: Field?) async {
    var memory = memory()
    let outcome = await provider(ScriptedTransport(.error(code, parameter)))
      .beginSignUp(SignUpDetails(), memory: &memory)
    #expect(outcome.error?.problems.map(\.reason) == [reason])
    #expect(outcome.error?.problems.map(\.field) == [field])
  }

  @Test("a first code that cannot be sent refuses the form, at which no other attempt is left")
  func cannotSend() async {
    let transport = ScriptedTransport(
      .enveloped(Self.unverifiedEmail),
      .error("dev_monthly_email_limit_exceeded", status: 400)
    )
    var memory = memory()
    let outcome = await provider(transport).beginSignUp(SignUpDetails(), memory: &memory)
    #expect(outcome.error?.reasons == [.messageQuotaUsed])
    #expect(outcome.standing == .detailsRequired)
  }

  @Test("an identifier that was taken meanwhile ends the attempt with that reason")
  func claimed() async throws {
    let left = Self.signUp(email: Self.verification("", status: "verified"))
    let prompt = ContactPrompt(attempt: attempt(), contact: .emailAddress, destination: "x")
    let scripts: [[Response]] = [
      [.error("identification_claimed", status: 400)],
      // The first refusal got lost, and the code was submitted once more.
      [.error("verification_already_verified", status: 400), .enveloped(left)],
    ]
    var memory = memory()
    for script in scripts {
      let transport = ScriptedTransport(script.map(ScriptedTransport.Answer.success))
      let outcome = await provider(transport).submit(try .typed(), for: prompt, memory: &memory)
      #expect(outcome.error?.reasons == [.identifierTaken, .attemptEnded])
      #expect(outcome.error?.problems.first?.code == "identification_claimed")
      #expect(outcome.error?.advice == .startOver && transport.isDone)
    }
    let waiting = ContactLinkPrompt(
      attempt: attempt(),
      destination: "x",
      proof: Continuation("proof")
    )
    let checked = await provider(ScriptedTransport(.enveloped(left)))
      .check(waiting, memory: &memory)
    #expect(checked.error?.reasons == [.identifierTaken, .attemptEnded])
    // On the form itself it is a thing to correct like others.
    let begun = await provider(ScriptedTransport(.error("identification_claimed", status: 400)))
      .beginSignUp(SignUpDetails(), memory: &memory)
    #expect(begun.error?.reasons == [.identifierTaken])
  }

  @Test("a step that may have been taken before counts as taken only if the sign-up has gone on")
  func takenBefore() async throws {
    let refusal = Response.error("client_state_invalid", status: 400)
    let complete = Response.enveloped(
      Self.signUp("complete", session: #""\#(Fixture.sessionID)""#),
      client: Fixture.client(sessions: [Fixture.session()])
    )
    let prompt = ContactPrompt(attempt: attempt(), contact: .emailAddress, destination: "x")
    let missing = try #require(MissingDetailsPrompt(attempt: attempt(), fields: [.lastName]))
    var memory = memory()
    for (present, isTaken) in [(Response.enveloped(Self.sentEmail), false), (complete, true)] {
      let transport = ScriptedTransport(refusal, present, refusal, present)
      let provider = provider(transport)
      let proven = await provider.submit(try .typed(), for: prompt, memory: &memory)
      let filled = await provider.submit(
        SignUpDetails(values: [.lastName: "Haddad"]),
        for: missing,
        memory: &memory
      )
      for outcome in [proven, filled] {
        #expect(outcome.moved == (isTaken ? .continuing(.complete(Fixture.mara())) : nil))
        #expect((outcome.error == nil) == isTaken)
      }
      #expect(transport.isDone)
    }
  }

  private func attempt() -> SignUpAttempt {
    SignUpAttempt(continuation: Continuation(Self.id), values: [:])
  }
}
