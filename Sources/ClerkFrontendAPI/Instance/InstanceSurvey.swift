internal import HTTPExchange
public import AuthFlow
internal import Foundation

/// What an instance offers, for whoever sets it up; the flows read `InstanceDescription`.
///
/// Source: <doc:ClerkInstanceSettings#The-environment>.
public struct InstanceSurvey: Hashable, Sendable {
  /// A setting that keeps these pages from working with the instance.
  public enum Obstacle: Hashable, Sendable {
    /// Servers cannot speak for browsers.
    case nativeAPIOff
    /// Devices have to prove what they are, which a server cannot.
    case deviceAttestation(mode: String)
    /// There is nothing that anybody could type to say who they are.
    case noIdentifier
    /// There is nothing by which they could prove it here, or at a page that these pages lead on to.
    case noFirstFactor
  }

  public var applicationName: String
  /// `development`, `staging`, `production`, or what the API says else.
  public var environmentType: String
  /// By the API's own names, such as `email_address`.
  public var identifiers: [String]
  public var firstFactors: [String]
  public var secondFactors: [String]
  public var signUpMode: String
  /// What may become a task of a new session.
  public var tasks: [String]
  /// Whether several accounts may be signed in with one browser: these pages know one.
  public var allowsSeveralSessions: Bool
  public var obstacles: [Obstacle]
}

extension InstanceSurvey {
  /// Of the first factors those that no form asks for, and that lead on to a provider's page where nothing else does.
  public var browserFirstFactors: [String] {
    strangeFirstFactors.filter { Factor.needsBrowser(strategy: $0) }
  }

  /// Of the first factors those that these pages have nothing for, such as a passkey.
  public var unknownFirstFactors: [String] {
    strangeFirstFactors.filter { !Factor.needsBrowser(strategy: $0) }
  }

  /// An invitation's ticket comes by a link, so that no form has to ask for it.
  private var strangeFirstFactors: [String] {
    firstFactors.filter { Factor.kind(strategy: $0) == nil && $0 != "ticket" }
  }

  /// What nobody can sign in without.
  private var missing: [Obstacle] {
    var missing: [Obstacle] = []
    // Of who signs in at an organization's page the domain is enough, whatever the instance takes else.
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
      applicationName: resource.display.applicationName ?? "(without a name)",
      environmentType: resource.display.environmentType ?? "unknown",
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
