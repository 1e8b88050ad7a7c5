internal import AuthFlow
internal import ClerkFrontendAPI
internal import Emulators
internal import EntraNativeAuth
internal import Foundation
internal import HTTPClientTransport
internal import HTTPExchange
internal import Pages

/// What a configuration says, what the auth API offers, and what stands in the way of both.
public struct Checkup: Sendable {
  public enum Verdict: Hashable, Sendable {
    case ready
    /// The API answers, but it would not serve these pages; `lines` say why.
    case obstructed
    /// The API does not answer, and why.
    case outOfReach(String)
  }

  /// For people: one fact a line.
  public private(set) var lines: [String] = []
  public private(set) var verdict = Verdict.ready

  /// Looks at everything that a start would look at, without opening a socket or a data folder.
  ///
  /// - Throws: `StartFailure` where the configuration itself is bad.
  public static func of(_ configuration: Configuration) async throws(StartFailure) -> Checkup {
    var checkup = Checkup()
    try configuration.refuseExposure()
    try checkup.tell(configuration)
    switch configuration.authAPI {
    case .emulatedClerk:
      await checkup.ask(
        ClerkProvider(
          transport: InProcessTransport(to: try configuration.passingEmulator()),
          clock: WallClock { Date() }
        ),
        configuration,
        obstacle: { nil }
      )
    case .emulatedEntra:
      await checkup.ask(
        EntraProvider(
          transport: InProcessTransport(to: try configuration.passingEmulator()),
          tenant: configuration.emulatedTenant,
          clock: .machine
        ),
        obstacle: { nil }
      )
    case .entra(let tenant):
      let transport = configuration.socket(to: tenant.origin)
      await checkup.ask(
        EntraProvider(
          transport: transport,
          tenant: configuration.native(tenant),
          clock: .machine
        ),
        obstacle: transport.obstacle
      )
      await transport.shutdown()
    case .clerk(let baseURL):
      let transport = configuration.socket(to: baseURL)
      await checkup.ask(
        ClerkProvider(transport: transport, clock: WallClock { Date() }),
        configuration,
        obstacle: transport.obstacle
      )
      await transport.shutdown()
    }
    return checkup
  }

  private mutating func say(_ name: String, _ value: String) {
    lines.append("  \(name.padding(toLength: 15, withPad: " ", startingAt: 0)) \(value)")
  }

  private mutating func say(_ name: String, _ values: [String]) {
    say(name, values.isEmpty ? "none" : values.joined(separator: ", "))
  }
}

// MARK: - The configuration

extension Checkup {
  private mutating func tell(_ configuration: Configuration) throws(StartFailure) {
    lines.append("Configuration")
    switch configuration.authAPI {
    case .emulatedClerk: say("auth API", "emulated Clerk, in process")
    case .emulatedEntra: say("auth API", "emulated Entra, in process")
    case .clerk(let baseURL): say("auth API", "Clerk Frontend API at \(baseURL)")
    case .entra(let tenant): say("auth API", "Entra tenant at \(tenant.origin)\(tenant.path)")
    }
    if let proxy = configuration.upstreamProxy { say("by way of", proxy.description) }
    if let pages = configuration.pages {
      say("pages", configuration.address(of: pages, port: pages.port))
      say("public URL", try configuration.checkedPublicOrigin(port: pages.port).description)
      try configuration.checkPageFiles()
      say("templates", configuration.templates)
      say("static files", configuration.publicFolder)
    }
    if !configuration.redirectOrigins.isEmpty {
      say("may lead to", configuration.redirectOrigins)
    }
    if !configuration.trustedProxies.isEmpty {
      say("proxies", configuration.trustedProxies.map(\.description))
    }
    say("own limits", configuration.hasThrottle ? "on" : "off")
    say("data", configuration.dataFolder ?? "in memory")
    if let keyFile = configuration.keyFile { say("sealing keys", keyFile) }
  }
}

// MARK: - The auth API

extension Checkup {
  private mutating func ask(
    _ provider: ClerkProvider,
    _ configuration: Configuration,
    obstacle: () async -> String?
  ) async {
    do {
      let survey = try await provider.survey()
      tell(survey)
      let obstacles = survey.obstacles.map(Self.words) + configuration.mismatches(with: survey)
      if !obstacles.isEmpty { verdict = .obstructed }
      lines += obstacles.map { "In the way: \($0)" }
      if obstacles.isEmpty { lines.append("Ready.") }
    } catch {
      await tell(error, configuration, obstacle: obstacle)
    }
  }

  /// The tenant does not describe itself beyond its issuer; that it answers is what can be known.
  private mutating func ask(
    _ provider: EntraProvider,
    obstacle: () async -> String?
  ) async {
    do {
      let issuer = try await provider.issuer()
      lines.append("Tenant")
      say("issuer", issuer.printable)
      lines.append("Ready.")
    } catch {
      let isOutOfReach = error.contains {
        [.offline, .serviceUnavailable, .serviceTimedOut].contains($0)
      }
      if isOutOfReach {
        let reason = await obstacle() ?? "it answers, but not to this question"
        lines.append("In the way: the auth API is out of reach: \(reason)")
        verdict = .outOfReach("The auth API is out of reach: \(reason)")
        return
      }
      verdict = .obstructed
      lines.append(
        "In the way: no Entra tenant answers at this address: is --authority the right one?"
      )
    }
  }

  private mutating func tell(_ survey: InstanceSurvey) {
    lines.append("Instance")
    say("name", survey.applicationName.printable)
    say("environment", survey.environmentType.printable)
    say("identifiers", survey.identifiers)
    say("first factors", survey.firstFactors.map(\.printable))
    say("second factors", survey.secondFactors.map(\.printable))
    say("sign-up", survey.signUpMode.printable)
    say("tasks", survey.tasks)
  }

  /// No answer is out of reach; an answer that is no instance's is in the way.
  private mutating func tell(
    _ error: AuthError,
    _ configuration: Configuration,
    obstacle: () async -> String?
  ) async {
    let isOutOfReach = error.contains {
      [.offline, .serviceUnavailable, .serviceTimedOut].contains($0)
    }
    if isOutOfReach {
      let reason = await obstacle() ?? "it answers, but not to this question"
      lines.append("In the way: the auth API is out of reach: \(reason)")
      verdict = .outOfReach("The auth API is out of reach: \(reason)")
      return
    }
    verdict = .obstructed
    lines += error.problems.map { problem in
      let reason: String
      switch problem.code {
      case "native_api_disabled":
        reason = Self.words(.nativeAPIOff)
      case "host_invalid", "publishable_key_invalid", "resource_not_found",
        "service_answered_nonsense":
        reason =
          "no Clerk instance answers at this address (\(problem.code)): "
          + "is the publishable key, or --frontend-api-url, the right one?"
      default:
        reason =
          "the auth API refuses: \(problem.code.printable)"
          + (problem.message.map { ", \($0.printable)" } ?? "")
      }
      return "In the way: \(reason)"
    }
  }

  private static func words(_ obstacle: InstanceSurvey.Obstacle) -> String {
    switch obstacle {
    case .nativeAPIOff:
      "the instance's Native API is off (native_api_disabled): "
        + "turn it on in the Clerk Dashboard, under Native applications"
    case .deviceAttestation(let mode):
      "the instance asks for device attestation (\(mode.printable)), which a server cannot give: "
        + "turn it off in the Clerk Dashboard"
    }
  }
}

extension Configuration {
  /// A key says of what type its instance is; one of another type is another instance's.
  fileprivate func mismatches(with survey: InstanceSurvey) -> [String] {
    guard let publishableKey else { return [] }
    let isProduction = survey.environmentType == "production"
    guard publishableKey.isProduction != isProduction else { return [] }
    let expected = publishableKey.isProduction ? "a production" : "a development"
    return [
      "the publishable key is \(expected) instance's, but \(survey.environmentType.printable) "
        + "answers: is it the right key?"
    ]
  }
}

extension String {
  /// Cut, and without what a terminal would act upon.
  fileprivate var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.prefix(200).map { scalar in
          scalar.properties.generalCategory == .control
            || scalar.properties.generalCategory == .format ? "?" : scalar
        }
      )
    )
  }
}
