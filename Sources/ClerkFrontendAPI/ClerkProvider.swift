internal import AuthAPIClient
public import AuthFlow
internal import Foundation
public import HTTPExchange
public import HTTPTypes

/// An `AuthProvider` that speaks Clerk's Frontend API in native mode.
///
/// One value serves every browser; what it knows of one browser is in that browser's memory. Reuse
/// the value, since it caches the instance's settings. The flows are in the folders of their names.
///
/// Source: <doc:ClerkTransport#Our-profile>.
public struct ClerkProvider: MethodMemoryProvider {
  var api: FrontendAPI
  let instance: InstanceSource
  /// Returns that many random bytes.
  let random: @Sendable (Int) -> [UInt8]
  private let resendWait: @Sendable () -> Duration
  /// The addresses that links in messages lead to; nil if none can be sent.
  var linkAddresses: LinkAddresses?

  /// - Parameters:
  ///   - transport: The way to the API; its base URL and time limits are the transport's.
  ///   - clock: The time of day that answers are measured by.
  ///   - additionalHeaderFields: Sent with every request, such as the name of a world.
  ///   - environmentLifetime: How long an answer about the instance is valid.
  ///   - instanceRevision: The revision of the instance's settings, if it is known without a call.
  ///   - resendWait: How long to wait for another code, which the API does not report.
  ///   - userAgent: The product that calls, as in `User-Agent`.
  ///   - random: Returns that many random bytes.
  public init(
    transport: any HTTPTransport,
    clock: WallClock,
    additionalHeaderFields: HTTPFields = [:],
    environmentLifetime: Duration = .seconds(60),
    instanceRevision: @escaping @Sendable () -> Int? = { nil },
    resendWait: @escaping @Sendable () -> Duration = { .seconds(30) },
    userAgent: String = "Vestibule",
    random: @escaping @Sendable (Int) -> [UInt8] = systemRandomBytes
  ) {
    let api = FrontendAPI(
      connection: APIConnection(
        transport: transport,
        clock: clock,
        additionalHeaderFields: additionalHeaderFields,
        userAgent: userAgent
      )
    )
    self.api = api
    self.random = random
    self.resendWait = resendWait
    instance = InstanceSource(
      lifetime: environmentLifetime,
      revision: instanceRevision,
      fetch: { () throws(AuthError) in try await api.environment() }
    )
  }

  /// When another code may be asked for, if one has been sent just now.
  var nextResend: Date { api.clock.now.addingTimeInterval(resendWait() / .seconds(1)) }

  public func describeInstance() async throws(AuthError) -> InstanceDescription {
    try await instance.description()
  }

  public var lastKnownInstance: InstanceDescription? { instance.lastKnown }

  public func calling(in language: String) -> any AuthProvider {
    var provider = self
    provider.api = api.calling(in: language)
    return provider
  }

  public func lastUsedMethod(in memory: ProviderMemory) -> Factor.Kind? {
    memory.lastStrategy.flatMap(Factor.Kind.init(rawValue:))
  }

  /// Makes a call and requires the resource that it is about.
  ///
  /// - Throws: `RefusedCall`, also where there is no resource in the answer.
  func ask<Resource: Decodable & Sendable>(
    _ call: Call,
    for type: Resource.Type,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> (resource: Resource, client: ClientResource?) {
    let envelope = try await api.ask(
      call,
      for: type,
      passwordRules: instance.lastKnown?.passwordRules,
      memory: &memory
    )
    guard let resource = envelope.response else { throw RefusedCall(.nonsense("no-\(type)")) }
    return (resource, envelope.client)
  }

  /// The client as it is now; nil if the API knows none for this browser.
  func client(
    purpose: Call.Purpose,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> ClientResource? {
    let call = Call(.get, "client", purpose: purpose)
    return try await api.ask(call, for: ClientResource.self, memory: &memory).response
  }
}

extension FrontendAPI {
  /// The body of the environment, undecoded.
  func environment() async throws(AuthError) -> [UInt8] {
    let call = Call(.get, "environment", purpose: .signIn)
    do throws(RefusedCall) {
      let response = try await send(call, token: nil)
      guard response.status.kind == .successful else {
        throw ErrorReading(purpose: call.purpose, now: clock.now).refusal(of: response)
      }
      return response.body
    } catch {
      throw error.error
    }
  }
}
