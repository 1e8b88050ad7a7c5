import AuthAPIClient
import AuthFlow
@testable import ClerkFrontendAPI
import HTTPExchange
import HTTPTypes
import Locking
import Testing
import TestSupport

@Suite("What the instance asks for")
struct InstanceTests {
  @Test("the documented environment is read")
  func documented() async throws {
    let transport = ScriptedTransport(.json(Fixture.environment))
    let description = try await provider(transport).describeInstance()
    #expect(
      description
        == InstanceDescription(
          applicationName: "Harbour Demo",
          environment: .development,
          signInIdentifiers: [.emailAddress, .phoneNumber],
          signInForm: .identifierAndPassword,
          signUp: SignUpForm(
            mode: .open,
            fields: [
              SignUpForm.Entry(.firstName, isRequired: false),
              SignUpForm.Entry(.lastName, isRequired: false),
              SignUpForm.Entry(.emailAddress, isRequired: true),
              SignUpForm.Entry(.phoneNumber, isRequired: false),
              SignUpForm.Entry(.password, isRequired: true),
            ]
          ),
          passwordRules: PasswordRules(minimumLength: 8, maximumLength: 72),
          supportAddress: "help@example.test",
          homeAddress: "https://demo.example.test"
        )
    )
    #expect(transport.calls == ["GET /v1/environment?_is_native=1"])
    #expect(transport.requests.first?.headerFields[.authorization] == nil)
  }

  /// One setting, changed in the documented environment, and how the description shows it.
  struct Setting: Sendable {
    let was: String
    let becomes: String
    let shows: @Sendable (InstanceDescription) -> Bool

    init(
      _ was: String,
      _ becomes: String,
      _ shows: @escaping @Sendable (InstanceDescription) -> Bool
    ) {
      self.was = was
      self.becomes = becomes
      self.shows = shows
    }
  }

  static let settings: [Setting] = [
    Setting(
      #""preferred_sign_in_strategy": "password""#,
      #""preferred_sign_in_strategy": "otp""#,
      { $0.signInForm == .identifierFirst }
    ),
    Setting(#""mode": "public""#, #""mode": "waitlist""#, { $0.signUp.mode == .closed(.waitlist) }),
    Setting(
      #""mode": "public""#,
      #""mode": "restricted""#,
      { $0.signUp.mode == .closed(.restricted) }
    ),
    Setting(#""mode": "public""#, #""mode": "later""#, { $0.signUp.mode == .open }),
    Setting(
      #""phone_number": "on""#,
      #""phone_number": "off""#,
      { !$0.signUp.fields.map(\.field).contains(.phoneNumber) }
    ),
    // Where none is used, an email address is asked for all the same.
    Setting(
      #""used_for_first_factor": true"#,
      #""used_for_first_factor": false"#,
      { $0.signInIdentifiers == [.emailAddress] }
    ),
    Setting(
      #""phone_number": "on""#,
      #""phone_number": "required""#,
      { $0.signUp.fields.contains(SignUpForm.Entry(.phoneNumber, isRequired: true)) }
    ),
    Setting(
      #""legal_consent_enabled": false"#,
      #""legal_consent_enabled": true"#,
      { $0.signUp.fields.last == SignUpForm.Entry(.legalAccepted, isRequired: true) }
    ),
    Setting(#""min_length": 8"#, #""min_length": 0"#, { $0.passwordRules.minimumLength == 8 }),
    Setting(#""min_length": 8"#, #""min_length": 12"#, { $0.passwordRules.minimumLength == 12 }),
    Setting(#""max_length": 72"#, #""max_length": 0"#, { $0.passwordRules.maximumLength == 72 }),
    Setting(#""max_length": 72"#, #""max_length": 100"#, { $0.passwordRules.maximumLength == 72 }),
    Setting(#""max_length": 72"#, #""max_length": 20"#, { $0.passwordRules.maximumLength == 20 }),
    Setting(
      #""require_uppercase": false"#,
      #""require_uppercase": true"#,
      { $0.passwordRules.required == [.upper] }
    ),
    Setting(
      #""support_email": "help@example.test""#,
      #""support_email": """#,
      { $0.supportAddress == nil }
    ),
    Setting(
      #""home_url": "https://demo.example.test""#,
      #""home_url": null"#,
      { $0.homeAddress == nil }
    ),
    Setting(
      #""instance_environment_type": "development""#,
      #""instance_environment_type": "moon""#,
      { $0.environment == nil }
    ),
    Setting(
      #""attributes": {"#,
      #""attributes": {"future": true, "other": null, "third": [1],"#,
      { $0.signInIdentifiers == [.emailAddress, .phoneNumber] }
    ),
    Setting(
      #""display_config": {"#,
      #""display_config": null, "other": {"#,
      { $0.applicationName == InstanceDescription.unknown.applicationName }
    ),
  ]

  @Test("settings of the environment show in the description", arguments: settings)
  func setting(setting: Setting) async throws {
    let changed = Fixture.environment.replacing(setting.was, with: setting.becomes)
    #expect(changed != Fixture.environment)
    let transport = ScriptedTransport(.json(changed))
    #expect(setting.shows(try await provider(transport).describeInstance()))
  }

  @Test("an answer is not asked for again within its lifetime")
  func lifetime() async throws {
    let time = Locked(ContinuousClock.now)
    let transport = ScriptedTransport(.json(Fixture.environment), .json(Fixture.renamed))
    let source = source(transport, lifetime: .seconds(60)) { time.withLock(\.self) }
    #expect(try await source.description().applicationName == "Harbour Demo")
    time.withLock { $0 += .seconds(59) }
    #expect(try await source.description().applicationName == "Harbour Demo")
    #expect(transport.calls.count == 1)
    time.withLock { $0 += .seconds(1) }
    #expect(try await source.description().applicationName == "Pier Demo")
  }

  @Test(
    "when asking fails, the last good answer is used for another lifetime",
    arguments: [
      .failure(.timedOut), .success(.json("<html>")), .success(Response(status: .badGateway)),
    ] as [ScriptedTransport.Answer]
  )
  func fallback(failure: ScriptedTransport.Answer) async throws {
    let time = Locked(ContinuousClock.now)
    let transport = ScriptedTransport([.success(.json(Fixture.environment)), failure])
    let source = source(transport, lifetime: .seconds(60)) { time.withLock(\.self) }
    _ = try await source.description()
    time.withLock { $0 += .seconds(61) }
    #expect(try await source.description().applicationName == "Harbour Demo")
    #expect(transport.isDone)
    #expect(try await source.description().applicationName == "Harbour Demo")
  }

  @Test(
    "when the first request fails, the error says why",
    arguments: [
      (.failure(.offline), .offline, "offline"),
      (.failure(.timedOut), .serviceTimedOut, "service_timed_out"),
      (.success(.json("{}")), .serviceAnsweredNonsense, "service_answered_nonsense"),
      (.success(.json("<html>")), .serviceAnsweredNonsense, "service_answered_nonsense"),
      (
        .success(.error("native_api_disabled", status: 400)), .unrecognised, "native_api_disabled"
      ),
    ] as [(ScriptedTransport.Answer, Reason, String)]
  )
  func failure(answer: ScriptedTransport.Answer, reason: Reason, code: String) async {
    let transport = ScriptedTransport([answer])
    let error = await #expect(throws: AuthError.self) {
      try await provider(transport).describeInstance()
    }
    #expect(error?.reasons == [reason])
    #expect(error?.problems.map(\.code) == [code])
  }

  @Test("an answer is good for as long as the revision stays the same")
  func revision() async throws {
    let revision = Locked<Int?>(1)
    let transport = ScriptedTransport(
      .json(Fixture.environment),
      .json(Fixture.renamed),
      .json(Fixture.environment)
    )
    let provider = ClerkProvider(
      transport: transport,
      clock: WallClock { now },
      environmentLifetime: .zero,
      instanceRevision: { revision.withLock(\.self) }
    )
    for _ in 0..<3 {
      #expect(try await provider.describeInstance().applicationName == "Harbour Demo")
    }
    #expect(transport.calls.count == 1)
    revision.withLock { $0 = 2 }
    #expect(try await provider.describeInstance().applicationName == "Pier Demo")
    revision.withLock { $0 = nil }
    #expect(try await provider.describeInstance().applicationName == "Harbour Demo")
    #expect(transport.calls.count == 3)
  }

  @Test("callers at the same time share one request", .timeLimit(.minutes(1)))
  func shared() async throws {
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let fetches = Locked(0)
    let arrivals = Locked(0)
    let source = InstanceSource(
      lifetime: .zero,
      now: {
        arrivals.withLock { $0 += 1 }
        return ContinuousClock.now
      },
      fetch: { () throws(AuthError) in
        if fetches.withLock({ count in
          count += 1
          return count
        }) > 1 {
          for await _ in gate { break }
        }
        return Array(Fixture.environment.utf8)
      }
    )
    // Once an answer is kept, each caller looks at the time and joins the request at once.
    _ = try await source.description()
    let before = arrivals.withLock(\.self)
    async let first = source.description()
    async let second = source.description()
    while arrivals.withLock(\.self) < before + 2 { await Task.yield() }
    opening.finish()
    #expect(try await first == second)
    #expect(fetches.withLock(\.self) == 2)
  }

  @Test("a caller without time left gives up alone, and the request goes on for the others")
  func deadline() async throws {
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let source = InstanceSource(
      lifetime: .seconds(60),
      fetch: { () throws(AuthError) in
        #expect(AnswerDeadline.current == nil)
        for await _ in gate { break }
        return Array(Fixture.environment.utf8)
      }
    )
    let error = await AnswerDeadline.$current.withValue(.now + .milliseconds(20)) {
      await #expect(throws: AuthError.self) { try await source.description() }
    }
    #expect(error?.reasons == [.serviceTimedOut])
    #expect(
      error?.problems.first?.detail?.facts.map(\.name)
        == ["code", "message", "long_message", "parameter", "meta", "trace_id"]
    )
    async let other = source.description()
    opening.finish()
    #expect(try await other.applicationName == "Harbour Demo")
  }

  /// A source whose second answer comes when the gate is opened.
  ///
  /// Each answer is good for a minute.
  private struct Hanging {
    let source: InstanceSource
    let opening: AsyncStream<Void>.Continuation
    let time: Locked<ContinuousClock.Instant>
    let fetches: Locked<Int>

    init(patience: Duration, revision: @escaping @Sendable () -> Int? = { nil }) {
      let (gate, opening) = AsyncStream.makeStream(of: Void.self)
      let time = Locked(ContinuousClock.now)
      let fetches = Locked(0)
      source = InstanceSource(
        lifetime: .seconds(60),
        patience: patience,
        revision: revision,
        now: { time.withLock(\.self) },
        fetch: { () throws(AuthError) in
          let number = fetches.withLock { count in
            count += 1
            return count
          }
          guard number > 1 else { return Array(Fixture.environment.utf8) }
          for await _ in gate { break }
          return Array(Fixture.renamed.utf8)
        }
      )
      self.opening = opening
      self.time = time
      self.fetches = fetches
    }

    /// Asks once, and lets the answer grow old.
    func outlive() async throws {
      #expect(try await source.description().applicationName == "Harbour Demo")
      time.withLock { $0 += .seconds(61) }
    }
  }

  @Test(
    "while the API hangs, the last answer is used, and the new one once it is there",
    .timeLimit(.minutes(1))
  )
  func hangs() async throws {
    let hanging = Hanging(patience: .zero)
    try await hanging.outlive()
    for _ in 0..<3 {
      #expect(try await hanging.source.description().applicationName == "Harbour Demo")
    }
    hanging.opening.finish()
    while try await hanging.source.description().applicationName != "Pier Demo" {
      await Task.yield()
    }
    #expect(hanging.fetches.withLock(\.self) == 2)
  }

  @Test(
    "a caller without time left, and one while the new answer is late, get the last answer",
    .timeLimit(.minutes(1))
  )
  func late() async throws {
    let hanging = Hanging(patience: .seconds(600))
    try await hanging.outlive()
    let known = try await AnswerDeadline.$current.withValue(.now) {
      try await hanging.source.description()
    }
    #expect(known.applicationName == "Harbour Demo")
    hanging.time.withLock { $0 += .seconds(600) }
    #expect(try await hanging.source.description().applicationName == "Harbour Demo")
    hanging.opening.finish()
  }

  @Test("a setting that is known to have changed is waited for", .timeLimit(.minutes(1)))
  func changed() async throws {
    let revision = Locked(1)
    let hanging = Hanging(patience: .zero) { revision.withLock(\.self) }
    try await hanging.outlive()
    revision.withLock { $0 = 2 }
    hanging.opening.finish()
    #expect(try await hanging.source.description().applicationName == "Pier Demo")
  }

  private func source(
    _ transport: ScriptedTransport,
    lifetime: Duration,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) -> InstanceSource {
    InstanceSource(lifetime: lifetime, now: now) { () throws(AuthError) in
      do throws(TransportError) {
        return try await transport.send(Request(method: .get, target: "/")).body
      } catch {
        throw AuthError(CallFault(error))
      }
    }
  }
}

extension Fixture {
  static let renamed = environment.replacing("Harbour Demo", with: "Pier Demo")
}
