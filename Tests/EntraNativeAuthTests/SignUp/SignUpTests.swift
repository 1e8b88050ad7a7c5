import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

@Suite("Signing up over the wire")
struct SignUpTests {
  private struct Unexpected: Error, CustomStringConvertible { var description: String }

  private func transport(_ answers: [Response]) async throws -> ScriptedTransport {
    ScriptedTransport(
      answers.map(ScriptedTransport.Answer.success),
      documents: try await SigningTenant.shared.value.documents
    )
  }

  private static let address = "mara@example.com"
  private static let begun: [Response] = [
    .json(#"{"continuation_token":"CT-up-01"}"#), .json(Fixture.code),
  ]

  private func begin(
    _ provider: EntraProvider,
    password: Password? = nil,
    _ memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    await provider.beginSignUp(
      SignUpDetails(values: [.emailAddress: Self.address], password: password),
      memory: &memory
    )
  }

  /// Goes past the code, with further answers.
  private func afterCode(
    _ answers: Response...
  ) async throws -> (Outcome<SignUpState>, EntraProvider, ScriptedTransport, ProviderMemory) {
    let transport = try await transport(Self.begun + answers)
    let provider = provider(transport)
    var memory = ProviderMemory()
    let begun = await begin(provider, &memory)
    guard case .codeRequired(let prompt)? = begun.moved else {
      throw Unexpected(description: "\(begun)")
    }
    let outcome = await provider.submit(try .typed(), for: prompt, memory: &memory)
    return (outcome, provider, transport, memory)
  }

  private func missing(_ outcome: Outcome<SignUpState>) throws -> MissingDetailsPrompt {
    guard case .detailsMissing(let prompt)? = outcome.moved else {
      throw Unexpected(description: "\(outcome)")
    }
    return prompt
  }

  @Test("each call has exactly its fields, and the sign-up's last token brings tokens")
  func requests() async throws {
    let tenant = try await SigningTenant.shared.value
    let transport = try await transport(
      Self.begun + [.json(#"{"continuation_token":"CT-up-05"}"#), try await tenant.tokens()]
    )
    let provider = provider(transport)
    var memory = ProviderMemory()
    let begun = await begin(provider, password: try .typed(), &memory)
    guard case .codeRequired(let prompt)? = begun.moved else {
      throw Unexpected(description: "\(begun)")
    }
    #expect(prompt.code.length == 8)
    #expect(prompt.destination == Self.address)
    let outcome = await provider.submit(try .typed(), for: prompt, memory: &memory)
    guard case .continuing(.complete)? = outcome.moved else {
      throw Unexpected(description: "\(outcome)")
    }
    #expect(
      transport.paths == [
        "/signup/v1.0/start", "/signup/v1.0/challenge", "/signup/v1.0/continue",
        "/oauth2/v2.0/token",
      ]
    )
    let forms = transport.forms
    #expect(
      forms[0] == [
        "client_id": Fixture.clientID, "username": Self.address,
        "challenge_type": "oob password redirect",
        "capabilities": "mfa_required registration_required", "password": "correct horse & co",
      ]
    )
    #expect(
      forms[1] == [
        "client_id": Fixture.clientID, "continuation_token": "CT-up-01",
        "challenge_type": "oob password redirect",
      ]
    )
    #expect(
      forms[2] == [
        "client_id": Fixture.clientID, "continuation_token": "CT-sign-03", "grant_type": "oob",
        "oob": "424242",
      ]
    )
    #expect(forms[3]["grant_type"] == "continuation_token")
    #expect(forms[3]["continuation_token"] == "CT-up-05")
    #expect(forms[3]["username"] == Self.address)
  }

  @Test("a password is asked for with the error's token, and then attributes with theirs")
  func stepByStep() async throws {
    let (asked, provider, transport, start) = try await afterCode(
      .error(Fixture.credentialRequired),
      .json(#"{"continuation_token":"CT-up-pw","challenge_type":"password"}"#),
      .error(Fixture.attributesRequired),
      .error(Fixture.attributesRequired.replacing("CT-up-04", with: "CT-up-06")),
      .error(Fixture.attributesInvalid)
    )
    var memory = start
    let password = try missing(asked)
    #expect(password.fields == [.password])
    #expect(transport.forms.last?["continuation_token"] == "CT-up-03")
    let details = await provider.submit(
      SignUpDetails(password: try .typed()),
      for: password,
      memory: &memory
    )
    #expect(transport.forms.last?["continuation_token"] == "CT-up-pw")
    #expect(transport.forms.last?["grant_type"] == "password")
    let first = try missing(details)
    #expect(first.fields.map(\.name) == ["displayName", "postalCode"])
    let name = Field(named: "displayName")
    let values = [name: #"Mara "the" Fern"#, Field(named: "postalCode"): "123"]
    let again = await provider.submit(SignUpDetails(values: values), for: first, memory: &memory)
    #expect(transport.forms.last?["continuation_token"] == "CT-up-04")
    #expect(transport.forms.last?["grant_type"] == "attributes")
    #expect(
      transport.forms.last?["attributes"]
        == #"{"displayName":"Mara \"the\" Fern","postalCode":"123"}"#
    )
    // The same attributes once more: a page with the new list, on the new token.
    let second = try missing(again)
    let bad = await provider.submit(SignUpDetails(values: values), for: second, memory: &memory)
    #expect(transport.forms.last?["continuation_token"] == "CT-up-06")
    #expect(bad.error?.problems.map(\.field) == [Field(named: "postalCode")])
    #expect(bad.error?.problems.map(\.reason) == [.valueInvalid])
  }

  @Test(
    "required details that cannot be read end the sign-up, and the log is told why",
    arguments: ["[]", "null", #"[{"name": 7}, "displayName"]"#]
  )
  func unreadableAttributes(list: String) async throws {
    let (outcome, _, _, _) = try await afterCode(
      .error(
        """
        {"error":"attributes_required","error_codes":[55106],"continuation_token":"CT-up-04",
         "required_attributes":\(list)}
        """
      )
    )
    let error = try #require(outcome.error)
    #expect(error.problems.map(\.reason) == [.stepUnsupported])
    #expect(error.advice == .contactSupport)
    #expect(error.problems.map(\.code) == ["attributes_required"])
    #expect(error.traceID != nil)
    #expect(error.diagnosis?.contains("55106") == true)
    #expect(error.diagnosis?.hasSuffix("no readable attribute") == true)
  }

  @Test(
    "after a fault past the code, the password page goes on from the newest token",
    arguments: [
      Response(status: .serviceUnavailable), .json(Fixture.throttled, status: .tooManyRequests),
    ]
  )
  func faultAfterCode(fault: Response) async throws {
    let (refused, provider, transport, start) = try await afterCode(
      .error(Fixture.credentialRequired),
      fault,
      fault,
      .json(#"{"continuation_token":"CT-up-pw","challenge_type":"password"}"#),
      .error(Fixture.passwordBanned),
      .json("{}")
    )
    var memory = start
    #expect(refused.error?.endsAttempt == false)
    guard case .detailsMissing(let prompt)? = refused.standing else {
      throw Unexpected(description: "\(refused)")
    }
    #expect(prompt.fields == [.password])
    let details = SignUpDetails(password: try .typed())
    let again = await provider.submit(details, for: prompt, memory: &memory)
    #expect(again.error != nil)
    #expect(again.standing == nil)
    let banned = await provider.submit(details, for: prompt, memory: &memory)
    #expect(banned.error?.problems.map(\.reason) == [.passwordBanned])
    guard case .detailsMissing(let challenged)? = banned.standing else {
      throw Unexpected(description: "\(banned)")
    }
    _ = await provider.submit(details, for: challenged, memory: &memory)
    #expect(
      transport.forms.dropFirst(3).map { $0["continuation_token"] } == [
        "CT-up-03", "CT-up-03", "CT-up-03", "CT-up-pw", "CT-up-pw",
      ]
    )
    #expect(transport.isDone)
  }

  @Test("a challenge that then does not ask for a password makes no sense, and ends the attempt")
  func noPassword() async throws {
    let (outcome, _, _, _) = try await afterCode(
      .error(Fixture.credentialRequired),
      .json(Fixture.code)
    )
    #expect(
      outcome.error?.problems.map(\.code) == ["service_answered_nonsense", "attempt_ended"]
    )
  }

  @Test(
    "after a sign-up that brings no token, the person signs in",
    arguments: ["{}", #"{"continuation_token":""}"#, #"{"continuation_token":null}"#]
  )
  func withoutToken(body: String) async throws {
    let (outcome, _, _, _) = try await afterCode(.json(body))
    #expect(outcome.moved == .continuing(.identifierRequired))
  }

  @Test("if tokens are refused afterwards, the person can sign in, and the error says why")
  func refusedTokens() async throws {
    let (outcome, _, _, memory) = try await afterCode(
      .json(Fixture.begun),
      .error(#"{"error":"invalid_grant","error_codes":[55200]}"#)
    )
    #expect(outcome.standing == .continuing(.identifierRequired))
    let error = try #require(outcome.error)
    #expect(error.reasons == [.attemptEnded])
    #expect(error.traceID != nil)
    #expect(error.diagnosis?.contains("55200") == true)
    #expect(memory.tokens == nil)
  }

  @Test("tokens that are refused for the set-up are reported along with the new account")
  func refusedForSetUp() async throws {
    let unknownApp = #"{"error":"unauthorized_client","error_codes":[700016]}"#
    let transport = try await transport(
      Self.begun + [.json(Fixture.begun), .error(unknownApp)]
    )
    let provider = provider(transport)
    var memory = ProviderMemory()
    let begun = await begin(provider, &memory)
    guard case .codeRequired(let prompt)? = begun.moved else {
      throw Unexpected(description: "\(begun)")
    }
    let flow = SignUpFlow(provider: provider, clock: WallClock { Fixture.now })
    let advance = await flow.advance(
      .codeRequired(prompt),
      with: .code(try .typed("12345678")),
      form: InstanceDescription.unknown.signUp,
      memory: &memory
    )
    guard
      case .moved(to: .continuing(.identifierRequired), let notices, let concern?) = advance
    else { throw Unexpected(description: "\(advance)") }
    #expect(notices == [.accountCreated])
    #expect(concern.blame == .setUp)
    #expect(transport.isDone)
  }

  @Test("a tenant without passwords is sent the address alone")
  func unsupportedPassword() async throws {
    let transport = try await transport(
      [.error(#"{"error":"unsupported_auth_method","error_codes":[]}"#)] + Self.begun
    )
    var memory = ProviderMemory()
    let outcome = await begin(provider(transport), password: try .typed(), &memory)
    guard case .codeRequired? = outcome.moved else { throw Unexpected(description: "\(outcome)") }
    #expect(transport.forms.map { $0["password"] } == ["correct horse & co", nil, nil])
  }

  @Test("a start without a password that is refused for the method is not repeated")
  func unsupportedMethod() async throws {
    let transport = try await transport([
      .error(#"{"error":"unsupported_auth_method","error_codes":[]}"#)
    ])
    var memory = ProviderMemory()
    let outcome = await begin(provider(transport), &memory)
    #expect(outcome.error != nil)
    #expect(transport.requests.count == 1)
  }

  @Test("a new code that is refused while the attempt goes on begins no other attempt")
  func noNewCode() async throws {
    let transport = try await transport(
      Self.begun + [.error(#"{"error":"invalid_request","error_codes":[701014]}"#)]
    )
    let provider = provider(transport)
    var memory = ProviderMemory()
    let begun = await begin(provider, &memory)
    guard case .codeRequired(let prompt)? = begun.moved else {
      throw Unexpected(description: "\(begun)")
    }
    let outcome = await provider.resend(prompt, memory: &memory)
    #expect(outcome.error?.problems.map(\.reason) == [.codeSendsExhausted])
    #expect(transport.requests.count == 3)
  }

  @Test("a password that is wanted before the address is proven ends the attempt")
  func passwordFirst() async throws {
    let transport = try await transport([.json(Fixture.begun), .json(Fixture.password)])
    var memory = ProviderMemory()
    let outcome = await begin(provider(transport), &memory)
    #expect(outcome.error?.problems.map(\.reason) == [.attemptEnded])
  }

  @Test("a wrong code is reported at its field, and leaves the attempt where it was")
  func wrongCode() async throws {
    let (outcome, _, _, _) = try await afterCode(.error(Fixture.wrongCode))
    #expect(outcome.error?.problems.map(\.reason) == [.codeNotAccepted])
    #expect(outcome.error?.problems.map(\.field) == [.code])
    #expect(outcome.standing == nil)
    #expect(outcome.error?.endsAttempt == false)
  }

  @Test("a redirect after the code leads to the browser, and is not a success")
  func redirect() async throws {
    let (outcome, _, _, _) = try await afterCode(.json(Fixture.redirect))
    guard case .continuing(.browserRequired(let prompt))? = outcome.moved else {
      throw Unexpected(description: "\(outcome)")
    }
    #expect(prompt.origin == .signUp)
  }
}
