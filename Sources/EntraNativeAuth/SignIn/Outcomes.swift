@_spi(Provider) internal import AuthFlow
internal import Foundation

extension EntraProvider {
  /// What a failure means for a sign-in: some are steps.
  func outcome(
    of failure: Failure,
    at step: Step,
    for identifier: Identifier,
    standing: SignInState? = nil
  ) -> Outcome<SignInState> {
    switch failure {
    case .browserRequired(let reason):
      .moved(to: .browserRequired(browserPrompt(for: identifier, reason)))
    case .failed(let error): .refused(error, at: standing)
    case .refused(let server, let traceID):
      .refused(Catalogue.error(server, at: step, traceID: traceID), at: standing)
    }
  }

  /// Where a browser goes on; the service does not say who asks for it.
  func browserPrompt(for identifier: Identifier, _ reason: String?) -> BrowserPrompt {
    BrowserPrompt(
      identifier: identifier,
      providerName: "Microsoft",
      address: api.tenant.browserOrigin.map { origin in
        let query = [
          "client_id": api.tenant.clientID, "response_type": "code",
          "scope": Scopes.requested(api.tenant.scopes).joined(separator: " "),
          "login_hint": identifier.text,
        ]
        var components = URLComponents()
        components.queryItems = query.sorted { $0.key < $1.key }.map(URLQueryItem.init)
        return "\(origin)\(api.tenant.path)/oauth2/v2.0/authorize?"
          + (components.percentEncodedQuery ?? "")
      },
      explanation: reason
    )
  }
}

extension Failure {
  /// Whether the attempt's time is over.
  var isExpired: Bool {
    if case .refused(let server, _) = self { return server.error == "expired_token" }
    return false
  }
}

extension AuthError {
  static var methodUnavailable: AuthError {
    AuthError(Problem(.methodUnavailable, code: "unsupported_challenge_type"))
  }

  /// The attempt leads nowhere any more.
  static func ended(traceID: String?, _ why: String) -> AuthError {
    AuthError(
      Problem(.attemptEnded, code: OwnCode.attemptEnded),
      traceID: traceID,
      diagnosis: why
    )
  }
}
