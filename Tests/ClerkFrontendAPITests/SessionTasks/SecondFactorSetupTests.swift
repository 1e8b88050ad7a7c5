@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("The task of setting up a second factor")
struct SecondFactorSetupTests {
  private static let session = Fixture.mara(tasks: [.setUpSecondFactor])
  private static let query = "_is_native=1&_clerk_session_id=\(Fixture.sessionID)"
  private static let address = "otpauth://totp/Harbour%20Demo:mara?secret=MFRGGZDFMZTWQ2LK"

  /// As in <doc:ClerkUsers#Authenticator-apps-and-backup-codes>.
  private static func totp(
    secret: String? = "MFRGGZDFMZTWQ2LK",
    address: String? = address,
    codes: String = "null"
  ) -> String {
    func text(_ text: String?) -> String { text.map { #""\#($0)""# } ?? "null" }
    return """
      {"object": "totp", "id": "totp_1", "secret": \(text(secret)), "uri": \(text(address)),
       "verified": false, "backup_codes": \(codes), "created_at": 1, "updated_at": 1}
      """
  }

  /// As in <doc:ClerkUsers#The-user-resource>.
  private static func phone(
    status: String? = nil,
    isReserved: Bool = false,
    codes: String = "null"
  ) -> String {
    let verification =
      status.map {
        """
        {"object": "verification_otp", "status": "\($0)", "strategy": "phone_code",
         "attempts": 0, "expire_at": 1767226200000}
        """
      } ?? "null"
    return """
      {"object": "phone_number", "id": "idn_9", "phone_number": "+12015557788",
       "reserved_for_second_factor": \(isReserved), "default_second_factor": false,
       "reserved": false, "verification": \(verification), "linked_to": [],
       "backup_codes": \(codes), "created_at": 1, "updated_at": 1}
      """
  }

  private static func client(_ status: String = "active", tasks: String = "[]") -> String {
    Fixture.client(sessions: [Fixture.session(status: status, tasks: tasks)])
  }

  private static let codes = #"["k3v9q2xw", "h7m4zt8c"]"#

  private static func offered() throws -> SessionTaskState {
    let codes = try #require(BackupCodes(["k3v9q2xw", "h7m4zt8c"]))
    return .setUpSecondFactorTask(session, .backupCodesOffered(codes))
  }

  private static func prompt(resend seconds: Double = 30) -> PhonePrompt {
    PhonePrompt(
      phoneNumber: "+12015557788",
      reference: "idn_9",
      expiresAt: now.addingTimeInterval(600),
      resendAvailableAt: now.addingTimeInterval(seconds)
    )
  }

  // MARK: Authenticator app

  private func begin(_ transport: ScriptedTransport) async -> Outcome<SessionTaskState> {
    var memory = memory()
    return await provider(transport).beginAuthenticatorSetup(for: Self.session, memory: &memory)
  }

  private func submit(_ transport: ScriptedTransport) async throws -> Outcome<SessionTaskState> {
    var memory = memory()
    let secret = try #require(
      AuthenticatorSecret(base32: "MFRGGZDFMZTWQ2LK", address: Self.address)
    )
    return await provider(transport).submit(
      try .typed(),
      for: AuthenticatorPrompt(secret: secret),
      of: Self.session,
      memory: &memory
    )
  }

  @Test("a secret is made for the app, with the address that apps read")
  func secret() async throws {
    let transport = ScriptedTransport(.enveloped(Self.totp()))
    let state = try #require(await begin(transport).moved)
    guard case .setUpSecondFactorTask(Self.session, .authenticatorRequired(let prompt)) = state
    else {
      Issue.record("\(state)")
      return
    }
    #expect(prompt.secret.base32 == "MFRGGZDFMZTWQ2LK")
    #expect(prompt.secret.address == Self.address)
    #expect(transport.calls == ["POST /v1/me/totp?\(Self.query)"])
  }

  @Test("an address that is not an otpauth address, or a bad secret, never reaches a page")
  func malformed() async throws {
    for resource in [
      Self.totp(address: "javascript:alert(1)"), Self.totp(secret: nil), Self.totp(secret: "1"),
    ] {
      let outcome = await begin(ScriptedTransport(.enveloped(resource)))
      #expect(outcome.error?.reasons == [.serviceAnsweredNonsense])
    }
  }

  @Test("the right code brings the backup codes; the session is touched once they are kept")
  func rightCode() async throws {
    let proven = Self.totp(secret: nil, address: nil, codes: Self.codes)
    let transport = ScriptedTransport(.enveloped(proven, client: Self.client()))
    #expect(try await submit(transport) == .moved(to: try Self.offered()))
    #expect(
      transport.calls == ["POST /v1/me/totp/attempt_verification?\(Self.query) code=424242"]
    )
    let client = Self.client()
    let finishing = ScriptedTransport(
      .enveloped(client, client: client),
      .enveloped(Fixture.session())
    )
    var memory = memory()
    let outcome = await provider(finishing).finishSecondFactorSetup(
      of: Self.session,
      memory: &memory
    )
    #expect(outcome == .moved(to: Fixture.mara()))
    #expect(finishing.calls == ["GET /v1/client?_is_native=1", ChangePasswordTests.touch])
  }

  @Test("without backup codes the session goes on at once")
  func noCodes() async throws {
    let transport = ScriptedTransport(
      .enveloped(Self.totp(secret: nil, address: nil), client: Self.client()),
      .enveloped(Fixture.session())
    )
    #expect(try await submit(transport) == .moved(to: .complete(Fixture.mara())))
  }

  @Test(
    "a wrong code is reported at its field; a missing secret ends the attempt, not the session"
  )
  func wrongCode() async throws {
    let wrong = try await submit(ScriptedTransport(.error("form_code_incorrect", "code")))
    #expect(wrong.error?.reasons == [.codeIncorrect])
    #expect(wrong.error?.problems.map(\.field) == [.code])
    let gone = try await submit(ScriptedTransport(.error("resource_not_found", status: 404)))
    #expect(gone.error?.reasons == [.attemptEnded])
    let over = try await submit(ScriptedTransport(.error("authentication_invalid", status: 401)))
    #expect(over.error?.reasons == [.signInAgain])
  }

  @Test("an app that was set up elsewhere has met the task")
  func already() async throws {
    for attempt in [begin, { try await submit($0) }] {
      let client = Self.client()
      let transport = ScriptedTransport(
        .error("totp_already_enabled", status: 400),
        .enveloped(client, client: client),
        .enveloped(Fixture.session())
      )
      #expect(try await attempt(transport) == .moved(to: .complete(Fixture.mara())))
    }
    let client = Self.client()
    let twice = ScriptedTransport(
      .error("verification_already_verified", status: 400),
      .enveloped(client, client: client),
      .enveloped(Fixture.session())
    )
    #expect(try await submit(twice) == .moved(to: .complete(Fixture.mara())))
    let pending = Self.client("pending", tasks: #"[{"key": "setup-mfa"}]"#)
    let outcome = await begin(
      ScriptedTransport(
        .error("totp_already_enabled", status: 400),
        .enveloped(pending, client: pending)
      )
    )
    #expect(outcome.error?.problems.map(\.code) == ["totp_already_enabled"])
  }

  // MARK: Phone

  private func add(_ transport: ScriptedTransport) async -> Outcome<SessionTaskState> {
    var memory = memory()
    return await provider(transport).beginPhoneSetup(
      "+12015557788",
      for: Self.session,
      memory: &memory
    )
  }

  private func submitPhone(
    _ transport: ScriptedTransport
  ) async throws -> Outcome<SessionTaskState> {
    var memory = memory()
    return await provider(transport).submit(
      try .typed(),
      for: Self.prompt(),
      of: Self.session,
      memory: &memory
    )
  }

  private static let create = "POST /v1/me/phone_numbers?\(query) phone_number=%2B12015557788"
  private static let prepare =
    "POST /v1/me/phone_numbers/idn_9/prepare_verification?\(query) strategy=phone_code"
  private static let attempt =
    "POST /v1/me/phone_numbers/idn_9/attempt_verification?\(query) code=424242"
  private static let reserve =
    "PATCH /v1/me/phone_numbers/idn_9?\(query) reserved_for_second_factor=true"

  @Test("a number is added, and a code sent to it")
  func add() async throws {
    let transport = ScriptedTransport(
      .enveloped(Self.phone()),
      .enveloped(Self.phone(status: "unverified"))
    )
    let outcome = await add(transport)
    #expect(
      outcome == .moved(to: .setUpSecondFactorTask(Self.session, .codeRequired(Self.prompt())))
    )
    #expect(transport.calls == [Self.create, Self.prepare])
  }

  @Test("a number that was added before is taken up again; a proven one needs no code")
  func known() async throws {
    let exists = Response.error("form_identifier_exists", "phone_number")
    let again = ScriptedTransport(
      exists,
      .json("[\(Self.phone(status: "unverified"))]"),
      .error("verification_code_too_many_requests", status: 429, headerFields: [.retryAfter: "12"])
    )
    let waiting = await add(again)
    #expect(
      waiting
        == .moved(to: .setUpSecondFactorTask(Self.session, .codeRequired(Self.prompt(resend: 12))))
    )
    #expect(
      again.calls == [Self.create, "GET /v1/me/phone_numbers?\(Self.query)", Self.prepare]
    )
    let proven = ScriptedTransport(
      exists,
      .json("[\(Self.phone(status: "verified"))]"),
      .enveloped(Self.phone(status: "verified", isReserved: true, codes: Self.codes))
    )
    #expect(await add(proven) == .moved(to: try Self.offered()))
    #expect(proven.calls.last == Self.reserve)
    let foreign = await add(ScriptedTransport(exists, .json("[]")))
    #expect(foreign.error?.problems.map(\.field) == [.phoneNumber])
    #expect(foreign.error?.reasons == [.identifierTaken])
  }

  @Test("a number that is a second factor already has met the task, and is not changed")
  func knownSecondFactor() async throws {
    let client = Self.client()
    let transport = ScriptedTransport(
      .error("form_identifier_exists", "phone_number"),
      .json("[\(Self.phone(status: "verified", isReserved: true))]"),
      .enveloped(client, client: client),
      .enveloped(Fixture.session())
    )
    #expect(await add(transport) == .moved(to: .complete(Fixture.mara())))
    #expect(
      transport.calls == [
        Self.create, "GET /v1/me/phone_numbers?\(Self.query)", "GET /v1/client?_is_native=1",
        ChangePasswordTests.touch,
      ]
    )
  }

  @Test("the right code makes the number a second factor, in a second call")
  func rightPhoneCode() async throws {
    let transport = ScriptedTransport(
      .enveloped(Self.phone(status: "verified")),
      .enveloped(Self.phone(status: "verified", isReserved: true, codes: Self.codes))
    )
    #expect(try await submitPhone(transport) == .moved(to: try Self.offered()))
    #expect(transport.calls == [Self.attempt, Self.reserve])
  }

  @Test("if the second call failed, the code counts as right the next time")
  func halfDone() async throws {
    let failed = ScriptedTransport([
      .success(.enveloped(Self.phone(status: "verified"))), .failure(.timedOut),
    ])
    #expect(try await submitPhone(failed).error?.reasons == [.serviceTimedOut])
    let retried = ScriptedTransport(
      .error("verification_already_verified", status: 400),
      .enveloped(Self.phone(status: "verified", isReserved: true, codes: Self.codes))
    )
    #expect(try await submitPhone(retried) == .moved(to: try Self.offered()))
    #expect(retried.calls == [Self.attempt, Self.reserve])
  }

  @Test("a new code has a new end; asking too soon moves the time at which one may ask")
  func resend() async throws {
    var memory = memory()
    let provider = provider(
      ScriptedTransport(
        .enveloped(Self.phone(status: "unverified")),
        .error("verification_code_too_many_requests", status: 429, headerFields: [.retryAfter: "9"])
      )
    )
    let sent = await provider.resend(Self.prompt(resend: 0), of: Self.session, memory: &memory)
    #expect(sent == .moved(to: .setUpSecondFactorTask(Self.session, .codeRequired(Self.prompt()))))
    let soon = await provider.resend(Self.prompt(resend: 0), of: Self.session, memory: &memory)
    #expect(soon.error?.reasons == [.resendTooSoon(until: now.addingTimeInterval(9))])
    #expect(
      soon.standing
        == .setUpSecondFactorTask(Self.session, .codeRequired(Self.prompt(resend: 9)))
    )
  }

  @Test("a code that was tried too often stays void while the next one has to be waited for")
  func voidTooSoon() async throws {
    let transport = ScriptedTransport(
      .error("verification_failed", status: 400),
      .error("verification_code_too_many_requests", status: 429, headerFields: [.retryAfter: "9"])
    )
    let flow = SessionTaskFlow(provider: provider(transport), clock: WallClock { now })
    var memory = memory()
    let tried = await flow.advance(
      .setUpSecondFactorTask(Self.session, .codeRequired(Self.prompt())),
      with: .secondFactor(.code(try .typed())),
      memory: &memory
    )
    guard case .refused(_, at: let void) = tried else {
      Issue.record("\(tried)")
      return
    }
    let resent = await flow.advance(void, with: .secondFactor(.resendCode), memory: &memory)
    guard case .refused(_, at: .setUpSecondFactorTask(_, .codeRequired(let standing))) = resent
    else {
      Issue.record("\(resent)")
      return
    }
    #expect(standing.code.isVoid)
    #expect(standing.code.resendAvailableAt == now.addingTimeInterval(9))
    #expect(transport.isDone)
  }

  @Test("only what the instance uses as a second factor can be set up")
  func methods() async throws {
    let both = try await provider(ScriptedTransport(.json(Fixture.environment)))
      .describeInstance()
    #expect(both.secondFactorMethods == [.authenticator, .phone])
    let none = Fixture.environment.replacing(
      #""used_for_second_factor": true"#,
      with: #""used_for_second_factor": false"#
    )
    let description = try await provider(ScriptedTransport(.json(none))).describeInstance()
    #expect(description.secondFactorMethods == [])
  }
}
