internal import AuthAPIClient
@_spi(Provider) public import AuthFlow
public import Foundation
public import HTTPExchange
public import HTTPTypes

/// An `AuthProvider` that speaks Microsoft Entra native authentication, version 1.
///
/// One value serves every browser; what it knows of one browser, tokens included, is in that
/// browser's memory. Reuse the value, since it caches the tenant's keys. The flows are in the
/// folders of their names.
///
/// Source: the native authentication reference; sections in this room's comments are its.
public struct EntraProvider: AuthProvider {
  var api: NativeAPI
  let documents: TenantDocuments
  let randomBytes: @Sendable (Int) -> [UInt8]
  let policy: @Sendable () -> AppPolicy
  /// The address that a browser returns to; nil if it cannot return.
  var browserReturn: String?

  /// - Parameters:
  ///   - transport: The way to the tenant's host; its time limits are the transport's.
  ///   - tenant: Which tenant and app.
  ///   - clock: The time of day that answers are measured by.
  ///   - policy: The app's set-up, called whenever it is needed.
  ///   - additionalHeaderFields: Sent with every request, such as the name of a world.
  ///   - keyRefetchInterval: How often, at most, unknown keys are looked up, in seconds.
  ///   - waiting: How time passes between two tries.
  ///   - userAgent: The product that calls, as in `User-Agent`.
  ///   - version: The version of that product; nil sends none.
  ///   - newCorrelationID: Makes the id of a call, a UUID.
  ///   - randomBytes: Returns that many bytes, for secrets.
  public init(
    transport: any HTTPTransport,
    tenant: NativeTenant,
    clock: WallClock,
    policy: @escaping @Sendable () -> AppPolicy = { AppPolicy() },
    additionalHeaderFields: HTTPFields = [:],
    keyRefetchInterval: TimeInterval = 300,
    waiting: Waiting = .real,
    userAgent: String = "Vestibule",
    version: String? = nil,
    newCorrelationID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() },
    randomBytes: @escaping @Sendable (Int) -> [UInt8] = systemRandomBytes
  ) {
    let api = NativeAPI(
      connection: APIConnection(
        transport: transport,
        clock: clock,
        additionalHeaderFields: additionalHeaderFields,
        userAgent: userAgent
      ),
      tenant: tenant,
      version: version,
      waiting: waiting,
      newCorrelationID: newCorrelationID
    )
    self.api = api
    documents = TenantDocuments(api: api, refetchInterval: keyRefetchInterval)
    self.randomBytes = randomBytes
    self.policy = policy
  }

  var now: Date { api.clock.now }

  /// The issuer of the tenant's tokens, as the tenant states it.
  ///
  /// - Throws: `AuthError` if no tenant answers.
  public func issuer() async throws(AuthError) -> String { try await documents.issuer() }

  /// The API does not describe itself: this follows from what every tenant takes, and from the
  /// app's policy.
  ///
  /// A password may be typed with the address; otherwise it is asked for after the code if the
  /// tenant wants one.
  public func describeInstance() async throws(AuthError) -> InstanceDescription { instance }

  public var lastKnownInstance: InstanceDescription? { instance }

  /// Made without a call, since the app's policy is all that there is to know.
  private var instance: InstanceDescription {
    let policy = policy()
    let address = SignUpForm.Entry(.emailAddress, isRequired: true)
    let password = SignUpForm.Entry(.password, isRequired: false)
    var instance = InstanceDescription(
      applicationName: "Vestibule",
      environment: nil,
      signInIdentifiers: [.emailAddress],
      signInForm: policy.asksIdentifierFirst || !policy.usesPasswords
        ? .identifierFirst : .identifierAndPassword,
      signUp: SignUpForm(
        mode: policy.takesSignUps ? .open : .closed(.restricted),
        fields: policy.usesPasswords ? [address, password] : [address]
      ),
      passwordRules: PasswordRules(
        minimumLength: policy.shortestPassword,
        maximumLength: PasswordLimits.maximum,
        required: policy.requiredCharacterClasses,
        classCount: PasswordLimits.classCount
      ),
      supportAddress: policy.supportAddress
    )
    instance.offersPasswordReset = policy.usesPasswords
    return instance
  }

  public func calling(in language: String) -> any AuthProvider {
    var provider = self
    provider.api.connection = api.connection.calling(in: language)
    return provider
  }

  /// Forgets the tokens: there is no call that ends a session.
  public func signOut(memory: inout ProviderMemory) async throws(AuthError) {
    memory.forgetTokens()
    memory.claimsDemand = nil
  }
}
