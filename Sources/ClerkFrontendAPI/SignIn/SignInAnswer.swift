internal import AuthAPIClient
@_spi(Provider) internal import AuthFlow

/// The meaning of an answer about a sign-in: a loose resource becomes one of a few cases.
///
/// Source: <doc:ClerkSigningIn#The-sign-in-resource>.
enum SignInAnswer: Sendable {
  case firstFactorNeeded(SignInAttempt)
  /// Only a browser can continue from here.
  case browserNeeded(SignInAttempt, BrowserMethod)
  case secondFactorNeeded(SignInAttempt, FactorStage, preferred: Factor?)
  case newPasswordNeeded(SignInAttempt)
  case complete(sessionID: String)
  case stuck(AuthError)

  init(_ resource: SignInResource, identifier: Identifier) {
    let attempt = SignInAttempt(resource, identifier: identifier)
    self =
      switch resource.status {
      case .known(.needsFirstFactor): Self.firstFactor(attempt, resource)
      case .known(.needsSecondFactor): Self.secondFactor(attempt, .secondFactor, resource)
      case .known(.needsClientTrust): Self.secondFactor(attempt, .deviceTrust, resource)
      case .known(.needsNewPassword): .newPasswordNeeded(attempt)
      case .known(.complete):
        resource.createdSessionID.map(Self.complete)
          ?? .stuck(.nonsense("complete-without-session"))
      case .known(.needsIdentifier), .known(.abandoned):
        .stuck(AuthError(Problem(.attemptEnded, code: OwnCode.attemptEnded)))
      case .known(.needsProtectCheck):
        .stuck(AuthError(Problem(.stepUnsupported, code: "needs_protect_check")))
      case .unknown(let word):
        .stuck(AuthError(Problem(.unrecognised, code: word.cut(to: 100))))
      }
  }

  private static func firstFactor(_ attempt: SignInAttempt, _ resource: SignInResource) -> Self {
    let others = attempt.firstFactors.filter { $0.kind != .enterprise }
    if !others.isEmpty { return .firstFactorNeeded(attempt) }
    return BrowserMethod(resource.firstFactors).map { .browserNeeded(attempt, $0) }
      ?? .stuck(.noUsableMethod())
  }

  private static func secondFactor(
    _ attempt: SignInAttempt,
    _ stage: FactorStage,
    _ resource: SignInResource
  ) -> Self {
    guard !attempt.secondFactors.isEmpty else {
      let strategies = resource.secondFactors.map(\.strategy)
      return .stuck(
        strategies.isEmpty
          ? .noUsableMethod()
          : .stepUnsupported(
            code: stage.dueStatus.rawValue,
            naming: [("supported_second_factors", strategies)]
          )
      )
    }
    let preferred = OfferedFactors(resource.secondFactors, areSecond: true).preferredSecond
    return .secondFactorNeeded(attempt, stage, preferred: preferred)
  }
}

extension SignInAttempt {
  init(_ resource: SignInResource, identifier: Identifier) {
    self.init(
      identifier: identifier,
      continuation: Continuation(resource.id),
      firstFactors: OfferedFactors(resource.firstFactors).usable,
      secondFactors: OfferedFactors(resource.secondFactors, areSecond: true).usable,
      endsAt: resource.abandonsAt
    )
  }
}

extension AuthError {
  static func noUsableMethod() -> AuthError {
    AuthError(Problem(.noUsableMethod, code: OwnCode.noUsableMethod))
  }

  /// The API asks for something that these pages do not have.
  ///
  /// - Parameters:
  ///   - code: The API's word for the attempt's status.
  ///   - lists: What it asks for, by its own names, for support only (E4).
  /// - Returns: An error of one problem.
  static func stepUnsupported(
    code: String,
    naming lists: [(name: String, words: [String])]
  ) -> AuthError {
    let facts = lists.map { JSONValue.Member($0.name, .array($0.words.map(JSONValue.string))) }
    return AuthError(
      Problem(.stepUnsupported, code: code, detail: ErrorDetail(.api, facts: facts))
    )
  }

  static func methodUnavailable() -> AuthError {
    AuthError(Problem(.methodUnavailable, code: "strategy_for_user_invalid"))
  }
}
