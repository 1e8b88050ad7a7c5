internal import HTTPExchange
public import AuthFlow
internal import Foundation

/// What an instance offers, for its operator; the flows read `InstanceDescription`.
///
/// Source: <doc:ClerkInstanceSettings#The-environment>.
public struct InstanceSurvey: Hashable, Sendable {
  /// A setting that keeps these pages from working with the instance.
  public enum Obstacle: Hashable, Sendable {
    /// The Native API, by which a server can act for browsers, is off.
    case nativeAPIOff
    /// Devices have to attest themselves, which a server cannot.
    case deviceAttestation(mode: String)
    /// There is no identifier that anybody could type.
    case noIdentifier
    /// There is no first factor that these pages, or a page that they lead to, could ask for.
    case noFirstFactor
  }

  public var applicationName: String
  /// `development`, `staging`, `production`, or another word of the API.
  public var environmentType: String
  /// By the API's own names, such as `email_address`.
  public var identifiers: [String]
  public var firstFactors: [String]
  public var secondFactors: [String]
  public var signUpMode: String
  /// The possible tasks of a new session.
  public var tasks: [String]
  /// Whether several accounts may be signed in with one browser: these pages support one.
  public var allowsSeveralSessions: Bool
  public var obstacles: [Obstacle]
}

extension InstanceSurvey {
  /// The first factors without a form that lead to a provider's page if nothing else is offered.
  public var browserFirstFactors: [String] {
    strangeFirstFactors.filter { Factor.needsBrowser(strategy: $0) }
  }

  /// The first factors that these pages do not support, such as a passkey.
  public var unknownFirstFactors: [String] {
    strangeFirstFactors.filter { !Factor.needsBrowser(strategy: $0) }
  }

  /// The first factors without a form; an invitation's ticket needs none, since it comes in a link.
  private var strangeFirstFactors: [String] {
    firstFactors.filter { Factor.kind(strategy: $0) == nil && $0 != "ticket" }
  }

  /// The obstacles for which nobody can sign in.
  private var missing: [Obstacle] {
    var missing: [Obstacle] = []
    // To sign in at an organization's page, the domain is enough, whatever other identifiers there
    // are.
    let isByDomain = firstFactors.contains { Factor.kind(strategy: $0) == .enterprise }
    if identifiers.isEmpty, !isByDomain { missing.append(.noIdentifier) }
    let isProvable = firstFactors.contains {
      Factor.kind(strategy: $0) != nil || Factor.needsBrowser(strategy: $0)
    }
    if !isProvable { missing.append(.noFirstFactor) }
    return missing
  }
}

extension ClerkProvider {
  /// Asks what the instance offers, and whether it would serve us.
  ///
  /// - Throws: `AuthError` when the API cannot be reached, answers nonsense, or refuses.
  public func survey() async throws(AuthError) -> InstanceSurvey {
    let body = try await api.environment()
    guard let resource = JSONBody.decode(EnvironmentResource.self, from: body) else {
      throw .nonsense("no-\(EnvironmentResource.self)")
    }
    var survey = InstanceSurvey(resource)
    guard survey.obstacles.isEmpty else { return survey }
    // The document may promise what the API then refuses: one call in native mode settles it.
    var memory = ProviderMemory()
    do {
      _ = try await client(purpose: .signIn, memory: &memory)
    } catch {
      guard error.has("native_api_disabled") else { throw error.error }
      survey.obstacles.append(.nativeAPIOff)
    }
    return survey
  }
}

extension InstanceSurvey {
  init(_ resource: EnvironmentResource) {
    let identifiers = ["email_address", "phone_number", "username"]
    let attributes = resource.user.attributes.filter(\.value.isEnabled)
    self.init(
      applicationName: resource.display?.applicationName ?? "(without a name)",
      environmentType: resource.display?.environmentType ?? "unknown",
      identifiers: identifiers.filter { attributes[$0]?.isUsedForFirstFactor == true },
      firstFactors: resource.auth?.firstFactors
        ?? Self.union(attributes.values.map(\.firstFactors))
        + (attributes["password"] == nil ? [] : ["password"]),
      secondFactors: resource.auth?.secondFactors
        ?? Self.union(attributes.values.map(\.secondFactors)),
      signUpMode: resource.user.signUp?.mode ?? "public",
      tasks: Self.tasks(resource, hasPasswords: attributes["password"] != nil),
      allowsSeveralSessions: resource.auth?.isSingleSession == false,
      obstacles: Self.obstacles(resource)
    )
    obstacles += missing
  }

  private static func tasks(_ resource: EnvironmentResource, hasPasswords: Bool) -> [String] {
    [
      ("choose-organization", resource.organizations?.isSelectionForced == true),
      ("reset-password", hasPasswords),
      ("setup-mfa", resource.user.isSecondFactorRequired),
    ].compactMap { name, isPossible in isPossible ? name : nil }
  }

  private static func obstacles(_ resource: EnvironmentResource) -> [Obstacle] {
    var obstacles: [Obstacle] = []
    if resource.auth?.isNativeAPIOn == false { obstacles.append(.nativeAPIOff) }
    if let mode = resource.attestationMode, mode != "disabled" {
      obstacles.append(.deviceAttestation(mode: mode))
    }
    return obstacles
  }

  private static func union(_ lists: [[String]]) -> [String] {
    Set(lists.joined()).sorted()
  }
}
