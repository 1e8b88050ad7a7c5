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
  public var obstacles: [Obstacle]
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
      obstacles: Self.obstacles(resource)
    )
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
