internal import AuthFlow
internal import ClerkFrontendAPI
internal import Emulators
internal import HTTPClientTransport
internal import HTTPExchange
internal import HTTPTypes

extension EmulatedAuthAPI {
  /// Clerk's Frontend API.
  public static let clerk = EmulatedAuthAPI(
    name: "Clerk",
    api: .clerk,
    emulator: { worlds, place in
      ClerkEmulator(
        worlds: worlds,
        address: place.address,
        hasOwnPort: place.hasOwnPort,
        pagesOrigin: place.pagesOrigin,
        origins: place.origins,
        report: place.report
      )
    },
    operations: ClerkEmulator.operations,
    isBrowserPage: { ClerkEmulator.isBrowserPage($0) },
    refusal: { status, code, words, _ in
      // Clerk has its own name for that.
      let code = code == "internal_error" ? "internal_clerk_error" : code
      return ClerkEmulator.refusal(status: status.code, code: code, words)
    },
    provider: { world in
      let provider = ClerkProvider(
        transport: world.transport,
        clock: world.clock,
        additionalHeaderFields: world.headerFields,
        environmentLifetime: .zero,
        instanceRevision: { world.instanceRevision },
        resendWait: { .seconds(world.settings?.resendCooldownSeconds ?? 30) }
      )
      return { provider.sending($0) }
    },
    survey: { .clerk(key: nil, settings: $0) }
  )
}

extension RemoteAuthAPI {
  /// A Clerk Frontend API at that address, and the key that named it, if any.
  ///
  /// - Throws: `StartFailure` unless the address is https, or http to this machine (S26), and if it ends in `/v1`, with
  ///   which every call begins.
  public static func clerk(
    at address: String,
    key: PublishableKey? = nil
  ) throws(StartFailure) -> Self {
    let origin = try BaseURL(checking: address)
    // The scheme and the host are the first two parts.
    let parts = origin.description.split(separator: "/")
    guard parts.count <= 2 || parts.last != "v1" else {
      throw StartFailure(.configuration, "leave off /v1 at its end: every call adds it")
    }
    return RemoteAuthAPI(
      description: "Clerk Frontend API at \(origin)",
      origin: origin,
      provider: { transport in
        let provider = ClerkProvider(transport: transport, clock: .machine)
        return { provider.sending($0) }
      },
      survey: .clerk(key: key)
    )
  }
}

extension AuthAPISurvey {
  /// - Parameters:
  ///   - key: The key that named the instance, if any.
  ///   - settings: The settings of an emulated instance, which describes itself less fully.
  /// - Returns: What `check` asks and shows.
  fileprivate static func clerk(key: PublishableKey?, settings: InstanceSettings? = nil) -> Self {
    AuthAPISurvey(
      ask: { transport throws(AuthError) in
        let provider = ClerkProvider(transport: transport, clock: .machine)
        let survey = try await provider.survey()
        let instance = try await provider.describeInstance()
        var facts: [(name: String, value: String)] = [
          ("name", survey.applicationName.printable),
          ("environment", survey.environmentType.printable),
          ("identifiers", survey.identifiers.listed),
          ("first factors", survey.firstFactors.listed),
          ("second factors", survey.secondFactors.listed),
          ("sign-up", survey.signUpMode.printable), ("tasks", survey.tasks.listed),
          ("sign-up asks", instance.signUp.askedFields),
          ("legal consent", instance.signUp.consent),
          ("new passwords", instance.passwordRules.words),
        ]
        if let settings { facts.append(("lock", settings.lock)) }
        return Answer(
          heading: "Instance",
          facts: facts,
          notes: survey.notes,
          obstacles: survey.obstacles.map(\.words) + (key?.mismatches(with: survey) ?? [])
        )
      },
      obstacles: { error in error.problems.map(words) }
    )
  }

  private static func words(_ problem: Problem) -> String {
    switch problem.code {
    case "native_api_disabled": InstanceSurvey.Obstacle.nativeAPIOff.words
    case "host_invalid", "publishable_key_invalid", "resource_not_found",
      "service_answered_nonsense":
      "no Clerk instance answers at this address (\(problem.code)): "
        + "is the publishable key, or --frontend-api-url, the right one?"
    default:
      "the auth API refuses: \(problem.code.printable)"
        + (problem.message.map { ", \($0.printable)" } ?? "")
    }
  }
}

extension InstanceSurvey {
  /// What the pages do about features that they lack.
  fileprivate var notes: [String] {
    let ofFactors = [
      (browserFirstFactors, "is sent to a page in a browser"),
      (unknownFirstFactors, "is told so"),
    ].filter { !$0.0.isEmpty }.map { factors, outcome in
      "no form here asks for \(factors.listed): anyone with no other way to sign in \(outcome)"
    }
    return ofFactors + (allowsSeveralSessions ? [Self.severalSessions] : [])
  }

  private static let severalSessions =
    "the instance lets one browser be signed in to several accounts (single_session_mode is "
    + "off): these pages show only one of them, and signing out ends them all"
}

extension InstanceSurvey.Obstacle {
  fileprivate var words: String {
    switch self {
    case .nativeAPIOff:
      "the instance's Native API is off (native_api_disabled): "
        + "turn it on in the Clerk Dashboard, under Native applications"
    case .deviceAttestation(let mode):
      "the instance asks for device attestation (\(mode.printable)), which a server cannot give: "
        + "turn it off in the Clerk Dashboard"
    case .noIdentifier:
      "nobody can identify themselves on these pages: the instance takes no email address, phone "
        + "number or username at sign-in; turn one on in the Clerk Dashboard, under User & "
        + "authentication"
    case .noFirstFactor:
      "nobody can sign in on these pages: the instance takes neither a password nor a code or link "
        + "by email or phone; turn one on in the Clerk Dashboard, under User & authentication"
    }
  }
}

extension PublishableKey {
  /// A key tells the type of its instance; if another type answers, it is another instance.
  fileprivate func mismatches(with survey: InstanceSurvey) -> [String] {
    guard isProduction != (survey.environmentType == "production") else { return [] }
    return [
      "the publishable key is \(isProduction ? "a production" : "a development") instance's, but "
        + "\(survey.environmentType.printable) answers: is it the right key?"
    ]
  }
}
