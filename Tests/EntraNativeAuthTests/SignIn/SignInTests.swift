import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

@Suite("Signing in over the wire")
struct SignInTests {
  private func transport(_ answers: Response...) async throws -> ScriptedTransport {
    ScriptedTransport(
      answers.map(ScriptedTransport.Answer.success),
      documents: try await SigningTenant.shared.value.documents
    )
  }

  private func signIn(
    _ transport: ScriptedTransport,
    _ memory: inout ProviderMemory
  ) async throws -> Outcome<SignInState> {
    await provider(transport).beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
  }

  @Test("the API is told the reader's language with every call")
  func language() async throws {
    let transport = try await transport(.json(Fixture.begun), .json(Fixture.password))
    var memory = ProviderMemory()
    _ = await provider(transport).calling(in: "pt-BR").beginSignIn(
      identifier: try .typed(),
      password: nil,
      memory: &memory
    )
    #expect(
      transport.requests.map { $0.headerFields[.acceptLanguage] } == ["pt-BR", "pt-BR"]
    )
  }

  @Test("a password takes three calls, whose forms have exactly the documented fields")
  func password() async throws {
    let tenant = try await SigningTenant.shared.value
    let transport = try await transport(
      .json(Fixture.begun),
      .json(Fixture.password),
      try await tenant.tokens()
    )
    var memory = ProviderMemory()
    let outcome = try await signIn(transport, &memory)
    guard case .complete(let session)? = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(session.user.id == "2c9f0e71")
    #expect(session.user.firstName == "Mara Fern")
    #expect(session.id == "sid-1")
    #expect(session.access?.scopes.last == "api://orders/Write")
    #expect(
      transport.paths == [
        "/oauth2/v2.0/initiate", "/oauth2/v2.0/challenge", "/oauth2/v2.0/token",
      ]
    )
    #expect(
      transport.forms[0] == [
        "client_id": Fixture.clientID, "username": "mara@example.com",
        "challenge_type": "oob password redirect",
        "capabilities": "mfa_required registration_required",
      ]
    )
    #expect(
      transport.forms[1] == [
        "client_id": Fixture.clientID, "continuation_token": "CT-sign-01",
        "challenge_type": "oob password redirect",
      ]
    )
    #expect(
      transport.forms[2] == [
        "client_id": Fixture.clientID, "continuation_token": "CT-sign-02",
        "grant_type": "password", "password": "correct horse & co",
        "username": "mara@example.com",
        "scope": "openid profile offline_access api://orders/Read api://orders/Write",
        "client_info": "true", "claims": #"{"access_token":{"xms_cc":{"values":["cp1"]}}}"#,
      ]
    )
    for request in transport.requests {
      #expect(request.headerFields[.contentType] == "application/x-www-form-urlencoded")
      #expect(request.headerFields[.accept] == "application/json")
      #expect(request.headerFields[.clientRequestID] == "correlation-1")
      #expect(request.headerFields[.clientSKU] == "Vestibule")
      #expect(request.headerFields[.clientVersion] == "1.2.3")
    }
    #expect(memory.tokens?.refreshToken == "rt")
  }

  @Test("a wrong password keeps the attempt and its token")
  func wrongPassword() async throws {
    let transport = try await transport(
      .json(Fixture.begun),
      .json(Fixture.password),
      .error(Fixture.wrongPassword)
    )
    var memory = ProviderMemory()
    let outcome = try await signIn(transport, &memory)
    #expect(outcome.error?.problems.map(\.reason) == [.passwordOrIdentifierIncorrect])
    #expect(outcome.error?.problems.map(\.field) == [.password])
    #expect(outcome.error?.problems.allSatisfy { $0.message == nil } == true)
    guard case .passwordRequired(let prompt)? = outcome.standing else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.attempt.continuation.token == "CT-sign-02")
    #expect(memory.tokens == nil)
  }

  @Test("an account without a password gets a code; a typed password is dropped")
  func code() async throws {
    let tenant = try await SigningTenant.shared.value
    let transport = try await transport(
      .json(Fixture.begun),
      .json(Fixture.code),
      .error(Fixture.wrongCode),
      try await tenant.tokens()
    )
    var memory = ProviderMemory()
    let outcome = try await signIn(transport, &memory)
    guard case .codeRequired(let prompt)? = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.code.length == 8)
    #expect(prompt.factor.destination == "m***a@fe***od.example")
    #expect(prompt.code.resendAvailableAt == Fixture.now.addingTimeInterval(300))
    #expect(transport.forms.allSatisfy { $0["password"] == nil })
    let provider = provider(transport)
    let wrong = await provider.submit(try .typed(), for: prompt, memory: &memory)
    #expect(wrong.error?.problems.map(\.code) == ["invalid_grant/invalid_oob_value"])
    #expect(wrong.error?.traceID == "7b1e90aa-64d2-4f0f-9a3c-2f1d6e85c4b9")
    #expect(wrong.standing == nil)
    let right = await provider.submit(try .typed(), for: prompt, memory: &memory)
    #expect(right.moved != nil)
    #expect(
      transport.forms.suffix(2).map { $0["continuation_token"] } == ["CT-sign-03", "CT-sign-03"]
    )
    #expect(transport.forms.last?["grant_type"] == "oob")
  }

  @Test("a second factor is introspected, chosen, sent and redeemed")
  func secondFactor() async throws {
    let tenant = try await SigningTenant.shared.value
    let transport = try await transport(
      .json(Fixture.begun),
      .json(Fixture.password),
      .error(Fixture.mfaRequired),
      .json(Fixture.methods),
      .json(Fixture.code),
      try await tenant.tokens()
    )
    var memory = ProviderMemory()
    let outcome = try await signIn(transport, &memory)
    guard case .factorRequired(let choice)? = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(choice.factors.map(\.kind) == [.emailCode, .phoneCode])
    let provider = provider(transport)
    let chosen = await provider.choose(choice.factors[0], for: choice, memory: &memory)
    guard case .codeRequired(let prompt)? = chosen.moved else {
      Issue.record("\(chosen)")
      return
    }
    #expect(prompt.otherFactors?.factors.map(\.kind) == [.phoneCode])
    let entered = await provider.submit(try .typed(), for: prompt, memory: &memory)
    #expect(entered.moved != nil)
    let forms = transport.forms
    #expect(forms[3]["continuation_token"] == "CT-sign-M1")
    #expect(forms[4]["id"] == "6e3b1c50-8f12-4b7e-9d10-0a5f2c77e410")
    #expect(forms[4]["continuation_token"] == "CT-sign-04")
    #expect(forms[5]["grant_type"] == "mfa_oob")
  }

  @Test("a first factor cannot be chosen, since the service decides, and no call is made")
  func firstFactor() async throws {
    let email = Factor(kind: .emailCode, reference: "6e3b1c50-8f12-4b7e-9d10-0a5f2c77e410")
    let attempt = SignInAttempt(
      identifier: try .typed(),
      continuation: Continuation("CT-sign-04"),
      firstFactors: [email]
    )
    let prompt = try #require(
      FactorPrompt(attempt: attempt, stage: .firstFactor, factors: [email])
    )
    let transport = try await transport()
    var memory = ProviderMemory()
    let outcome = await provider(transport).choose(email, for: prompt, memory: &memory)
    #expect(outcome.error?.problems.map(\.reason) == [.methodUnavailable])
    #expect(transport.requests.isEmpty)
  }

  private static let blocked = #"{"error":"access_denied","suberror":"provider_blocked_by_rep"}"#
  private static let goneMethod = #"""
    {"error":"invalid_request","error_codes":[90100],
     "error_description":"AADSTS90100: id parameter is empty or not valid."}
    """#

  @Test(
    "a method that is blocked or gone is taken off the list, and the rest stays",
    arguments: [(blocked, Reason.contactBlocked), (goneMethod, .methodUnavailable)]
  )
  func unusableMethod(body: String, reason: Reason) async throws {
    let transport = try await transport(
      .json(Fixture.begun),
      .json(Fixture.password),
      .error(Fixture.mfaRequired),
      .json(Fixture.methods),
      .error(body)
    )
    var memory = ProviderMemory()
    guard case .factorRequired(let choice)? = try await signIn(transport, &memory).moved
    else {
      Issue.record("no choice")
      return
    }
    let outcome = await provider(transport).choose(choice.factors[1], for: choice, memory: &memory)
    #expect(outcome.error?.problems.map(\.reason) == [reason])
    guard case .factorRequired(let rest)? = outcome.standing else {
      Issue.record("\(outcome)")
      return
    }
    #expect(rest.factors.map(\.kind) == [.emailCode])
  }

  @Test(
    "if the only method is blocked or gone, the attempt ends",
    arguments: [
      (blocked, "access_denied/provider_blocked_by_rep"), (goneMethod, "invalid_request"),
    ]
  )
  func onlyMethodUnusable(body: String, code: String) async throws {
    let one = #"""
      {"continuation_token":"CT-sign-04","methods":[
       {"id":"a90d42f7","challenge_type":"oob","challenge_channel":"sms","login_hint":"+4********71"}]}
      """#
    let transport = try await transport(
      .json(Fixture.begun),
      .json(Fixture.password),
      .error(Fixture.mfaRequired),
      .json(one),
      .error(body)
    )
    var memory = ProviderMemory()
    guard case .factorRequired(let choice)? = try await signIn(transport, &memory).moved else {
      Issue.record("no choice")
      return
    }
    let outcome = await provider(transport).choose(choice.factors[0], for: choice, memory: &memory)
    #expect(outcome.error?.problems.map(\.reason) == [.noUsableMethod])
    #expect(outcome.error?.problems.map(\.code) == [code])
    #expect(outcome.error?.advice == .contactSupport)
    #expect(outcome.error?.endsAttempt == true)
  }

  @Test("an interval of more than 15 minutes counts as 15 minutes, not as none")
  func longInterval() async throws {
    let transport = try await transport(
      .json(Fixture.begun),
      .json(Fixture.code.replacing(#""interval":300"#, with: #""interval":1800"#))
    )
    let clock = MovableClock(Fixture.now)
    let flow = SignInFlow(
      provider: provider(transport, clock: clock.wallClock),
      clock: clock.wallClock
    )
    var memory = ProviderMemory()
    let begun = await flow.advance(
      .identifierRequired,
      with: .identifier(try .typed()),
      memory: &memory
    )
    guard case .moved(let state, _, _) = begun else {
      Issue.record("\(begun)")
      return
    }
    let early = await flow.advance(state, with: .resendCode, memory: &memory)
    guard case .refused(let error, _) = early else {
      Issue.record("\(early)")
      return
    }
    let until = Fixture.now.addingTimeInterval(900)
    #expect(error.problems.map(\.reason) == [.resendTooSoon(until: until)])
    #expect(transport.isDone)
  }

  @Test(
    "a resend that is not answered with a code is not reported as sent",
    arguments: [[Fixture.redirect], [Fixture.expired, Fixture.begun, Fixture.password]]
  )
  func otherwiseThanByCode(bodies: [String]) async throws {
    let answers = bodies.map { $0 == Fixture.expired ? Response.error($0) : .json($0) }
    let transport = ScriptedTransport(
      ([.json(Fixture.begun), .json(Fixture.code)] + answers)
        .map(ScriptedTransport.Answer.success),
      documents: try await SigningTenant.shared.value.documents
    )
    let clock = MovableClock(Fixture.now)
    let flow = SignInFlow(
      provider: provider(transport, clock: clock.wallClock),
      clock: clock.wallClock
    )
    var memory = ProviderMemory()
    let begun = await flow.advance(
      .identifierRequired,
      with: .identifier(try .typed()),
      memory: &memory
    )
    guard case .moved(let state, [.codeSent], _) = begun else {
      Issue.record("\(begun)")
      return
    }
    clock.advance(301)
    let resent = await flow.advance(state, with: .resendCode, memory: &memory)
    guard case .moved(let next, let notices, _) = resent else {
      Issue.record("\(resent)")
      return
    }
    #expect(notices == [])
    #expect(next != state)
    #expect(transport.isDone)
  }

  @Test(
    "a refusal has the same reason as at a renewal; only a stale attempt ends as such",
    arguments: [
      (#"{"error":"invalid_grant","error_codes":[53003]}"#, Reason.deviceRequirementUnmet),
      (
        #"{"error":"invalid_grant","suberror":"additional_action","error_codes":[53000]}"#,
        .deviceRequirementUnmet
      ),
      (#"{"error":"invalid_grant","error_codes":[50055]}"#, .passwordResetRequired),
      (
        #"{"error":"invalid_grant","suberror":"user_password_expired"}"#, .passwordResetRequired
      ),
      (#"{"error":"invalid_grant","suberror":"message_only"}"#, .noUsableMethod),
      (#"{"error":"invalid_grant","error_codes":[90033]}"#, .unrecognised),
      (#"{"error":"invalid_grant"}"#, .attemptEnded),
      (#"{"error":"invalid_grant","error_codes":[55200]}"#, .attemptEnded),
      (#"{"error":"invalid_grant","error_codes":[55000]}"#, .attemptEnded),
      (#"{"error":"invalid_grant","error_codes":[552003]}"#, .attemptEnded),
      // Without a way to a browser and back, only the reason is left.
      (#"{"error":"invalid_grant","error_codes":[65001]}"#, .consentRequired),
      (#"{"error":"invalid_grant","suberror":"consent_required"}"#, .consentRequired),
      (#"{"error":"invalid_grant","suberror":"basic_action"}"#, .extraVerificationRequired),
    ]
  )
  func knownRefusals(body: String, reason: Reason) async throws {
    let transport = try await transport(
      .json(Fixture.begun),
      .json(Fixture.password),
      .error(body)
    )
    var memory = ProviderMemory()
    let outcome = try await signIn(transport, &memory)
    #expect(outcome.error?.problems.map(\.reason) == [reason])
  }

  @Test(
    "a refusal that a browser can mend leads there, with the reason's name, not its prose",
    arguments: [
      (#"{"error":"invalid_grant","error_codes":[65001]}"#, "AADSTS65001"),
      (
        #"{"error":"invalid_grant","suberror":"consent_required","error_description":"AADSTS65001: …"}"#,
        "consent_required"
      ),
      (
        #"{"error":"invalid_grant","suberror":"basic_action","error_codes":[50076]}"#,
        "basic_action"
      ),
      (#"{"error":"INVALID_GRANT","suberror":"consent_required"}"#, "consent_required"),
    ]
  )
  func browserMends(body: String, reason: String) async throws {
    let transport = try await transport(
      .json(Fixture.begun),
      .json(Fixture.password),
      .error(body)
    )
    var memory = ProviderMemory()
    let outcome = await provider(transport).sending(Self.links, browserBase: "https://login.test")
      .beginSignIn(identifier: try .typed(), password: try .typed(), memory: &memory)
    guard case .browserRequired(let prompt)? = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(prompt.address != nil)
    #expect(prompt.explanation == reason)
    // The password was right: the page must not say that there is none here.
    #expect(prompt.attempt?.secondFactors.map(\.kind) == [.enterprise])
  }

  @Test(
    "a strong method is registered by a code, or at once if it is already proven",
    arguments: [true, false]
  )
  func registration(isProven: Bool) async throws {
    let tenant = try await SigningTenant.shared.value
    var answers: [Response] = [
      .json(Fixture.begun), .json(Fixture.password), .error(Fixture.registrationRequired),
      .json(Fixture.methods),
      .json(isProven ? Fixture.preverified : Fixture.registerCode),
      .json(#"{"continuation_token":"CT-reg-03"}"#),
    ]
    answers.append(try await tenant.tokens())
    let transport = ScriptedTransport(
      answers.map(ScriptedTransport.Answer.success),
      documents: tenant.documents
    )
    var memory = ProviderMemory()
    guard case .enrolmentRequired(let prompt)? = try await signIn(transport, &memory).moved else {
      Issue.record("no enrolment")
      return
    }
    let provider = provider(transport)
    let enrolment = try #require(
      Enrolment(method: prompt.methods[0], typed: "mara@example.com")
    )
    var outcome = await provider.enrol(enrolment, for: prompt, memory: &memory)
    if case .codeRequired(let code)? = outcome.moved {
      #expect(!isProven)
      outcome = await provider.submit(try .typed(), for: code, memory: &memory)
    }
    guard case .complete? = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    let forms = transport.forms
    #expect(forms[4]["challenge_target"] == "mara@example.com")
    #expect(forms[4]["challenge_type"] == "oob")
    #expect(forms[5]["grant_type"] == (isProven ? "continuation_token" : "oob"))
    #expect(forms[6]["grant_type"] == "continuation_token")
    #expect(forms[6]["continuation_token"] == "CT-reg-03")
    #expect(transport.isDone)
  }

  @Test("another code of a registration goes to the same contact, even if no answer repeats it")
  func unrepeatedContact() async throws {
    let silent = Fixture.registerCode.replacing(#""mara@example.com""#, with: "\"\"")
    let transport = try await transport(
      .json(Fixture.begun),
      .json(Fixture.password),
      .error(Fixture.registrationRequired),
      .json(Fixture.methods),
      .json(silent),
      .json(silent)
    )
    var memory = ProviderMemory()
    guard case .enrolmentRequired(let prompt)? = try await signIn(transport, &memory).moved else {
      Issue.record("no enrolment")
      return
    }
    let provider = provider(transport)
    let enrolment = try #require(
      Enrolment(method: prompt.methods[0], typed: "mara@example.com")
    )
    let outcome = await provider.enrol(enrolment, for: prompt, memory: &memory)
    guard case .codeRequired(let code)? = outcome.moved else {
      Issue.record("\(outcome)")
      return
    }
    #expect(code.factor.destination == "mara@example.com")
    _ = await provider.resend(code, memory: &memory)
    #expect(transport.forms.last?["challenge_target"] == "mara@example.com")
    #expect(transport.isDone)
  }

  private static let links = LinkAddresses(
    origin: "http://a.test",
    paths: .init(signIn: "/sign-in/link", signUp: "/sign-up/link", browserReturn: "/continue")
  )

  @Test("a redirect after the first factor is told apart from one in its place")
  func redirectPastFirstFactor() async throws {
    let choosing = [Fixture.begun, Fixture.password, Fixture.mfaRequired, Fixture.methods]
    for (bodies, isPast) in [
      ([Fixture.begun], false), ([Fixture.begun, Fixture.password], true), (choosing, true),
      (choosing + [Fixture.code], true),
    ] {
      let answers = (bodies + [Fixture.redirect]).map { body in
        body == Fixture.mfaRequired ? Response.error(body) : .json(body)
      }
      let transport = ScriptedTransport(
        answers.map(ScriptedTransport.Answer.success),
        documents: try await SigningTenant.shared.value.documents
      )
      let provider = provider(transport).sending(Self.links, browserBase: "https://login.test")
      var memory = ProviderMemory()
      var outcome = await provider.beginSignIn(
        identifier: try .typed(),
        password: try .typed(),
        memory: &memory
      )
      if case .factorRequired(let choice)? = outcome.moved {
        outcome = await provider.choose(choice.factors[0], for: choice, memory: &memory)
      }
      if case .codeRequired(let code)? = outcome.moved {
        outcome = await provider.resend(code, memory: &memory)
      }
      guard case .browserRequired(let prompt)? = outcome.moved else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(prompt.attempt?.secondFactors.isEmpty == !isPast, "\(bodies.count)")
      #expect(transport.isDone)
    }
  }

  @Test("a redirect at any step leads to the browser, with the reason")
  func redirect() async throws {
    for count in 0..<3 {
      var answers: [Response] = [.json(Fixture.begun), .json(Fixture.password)]
      answers = Array(answers.prefix(count)) + [.json(Fixture.redirect)]
      let transport = ScriptedTransport(
        answers.map(ScriptedTransport.Answer.success),
        documents: try await SigningTenant.shared.value.documents
      )
      var memory = ProviderMemory()
      guard case .browserRequired(let prompt)? = try await signIn(transport, &memory).moved else {
        Issue.record("no browser after \(count) answers")
        continue
      }
      #expect(prompt.explanation == "Client is missing registration_required capability")
      #expect(transport.isDone)
    }
  }

  @Test("an expired attempt is begun again when a new code is asked for")
  func expired() async throws {
    let transport = try await transport(
      .json(Fixture.begun),
      .json(Fixture.code),
      .error(Fixture.expired),
      .error(Fixture.expired),
      .json(Fixture.begun),
      .json(Fixture.code)
    )
    var memory = ProviderMemory()
    guard case .codeRequired(let prompt)? = try await signIn(transport, &memory).moved else {
      Issue.record("no code")
      return
    }
    let provider = provider(transport)
    let late = await provider.submit(try .typed(), for: prompt, memory: &memory)
    #expect(late.error?.problems.map(\.reason) == [.codeExpired])
    #expect(late.error?.problems.map(\.field) == [.code])
    let resent = await provider.resend(prompt, memory: &memory)
    #expect(resent.moved != nil)
    #expect(transport.isDone)
  }

  @Test(
    "answers that make no sense become a banner with a reference, never a crash",
    arguments: [
      "", "null", "7", "[]", "{}", #"{"continuation_token":""}"#, #"{"continuation_token":7}"#,
      #"{"error":"user_not_found"}"#, "<html>", "too deep", "too large",
    ]
  )
  func nonsense(_ named: String) async throws {
    let body =
      switch named {
      case "too deep": String(repeating: "[", count: 5_000)
      case "too large": #"{"continuation_token":"\#(String(repeating: "a", count: 1 << 20))"}"#
      default: named
      }
    for status: HTTPResponse.Status in [.ok, .badRequest, .created, .seeOther, .notFound] {
      if status == .badRequest, body.contains("user_not_found") { continue }
      let transport = try await transport(.json(body, status: status))
      var memory = ProviderMemory()
      let outcome = try await signIn(transport, &memory)
      #expect(outcome.error?.problems.map(\.code) == ["service_answered_nonsense"])
      #expect(outcome.error?.traceID == "correlation-1")
      #expect(transport.requests.count == 1)
    }
  }
}
