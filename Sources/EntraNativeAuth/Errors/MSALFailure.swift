internal import AuthFlow

/// An error of the service, as MSAL would report it.
///
/// Source: <doc:EntraLibraryErrors#Runtime-errors>, <doc:EntraLibraryErrors#Internal-errors>.
struct MSALFailure: Hashable, Sendable {
  var error: MSALError
  var internalError: MSALInternalError?

  /// Classifies an error of the service.
  init(_ server: ServerError) {
    switch (server.error.lowercased(), server.suberror?.lowercased()) {
    case ("interaction_required", _): self.init(.interactionRequired)
    case ("access_denied", let suberror) where suberror?.hasPrefix("provider_blocked") != true:
      self.init(.userCanceled)
    case ("unauthorized_client", "protection_policy_required"?):
      self.init(.serverProtectionPoliciesRequired)
    case ("invalid_grant", "insufficient_device_strength"?):
      self.init(.insufficientDeviceStrength)
    case ("invalid_request", _) where server.codes.contains(50142):
      self.init(.serverInvalidRequestResetPasswordRequired)
    case ("server_error", _): self.init(.serverError)
    case (let word, _): self.init(.internal, Self.behind(word))
    }
  }

  init(_ error: MSALError, _ internalError: MSALInternalError? = nil) {
    self.error = error
    self.internalError = internalError
  }

  private static func behind(_ word: String) -> MSALInternalError {
    switch word {
    case "invalid_request": .invalidRequest
    case "invalid_client": .invalidClient
    case "invalid_grant": .invalidGrant
    case "invalid_scope": .invalidScope
    case "unauthorized_client": .unauthorizedClient
    default: .authorizationFailed
    }
  }

  /// `{"domain": …, "code": …, "internal_code": …}`.
  var fact: JSONValue.Member {
    JSONValue.Member(
      "msal",
      .object([
        JSONValue.Member("domain", .string("MSALErrorDomain")),
        JSONValue.Member("code", .number(error.rawValue)),
        JSONValue.Member("internal_code", internalError.map { .number($0.rawValue) } ?? .null),
      ])
    )
  }

  /// The detail for support if the service itself said nothing of use.
  func detail(ofCall traceID: String?) -> ErrorDetail { ErrorDetail(unanswered: traceID, fact) }

  /// For logs: only names and codes.
  var name: String { internalError?.name ?? error.name }
}

extension ErrorDetail {
  /// A detail with null under every name of the service's errors, except the id of the call.
  init(unanswered traceID: String?, _ msal: JSONValue.Member) {
    let unsaid = ["error", "suberror", "error_codes"].map { JSONValue.Member($0, .null) }
    let call = JSONValue.Member("correlation_id", .string(orNull: traceID))
    self.init(.client, facts: unsaid + [call, msal])
  }
}

extension ServerError {
  /// The diagnosis for logs and traces.
  var diagnosis: String {
    let numbers = codes.prefix(4).map(String.init).joined(separator: "+")
    return [code, numbers, MSALFailure(self).name].filter { !$0.isEmpty }.joined(separator: ";")
  }

  /// `setUp` if the error is about the app or the tenant, which every call names.
  ///
  /// Source: <doc:EntraErrorCodes#Configuration>; 90002 is a tenant that does not exist, 550022 one
  /// without native authentication. An `invalid_scope` does not tell whose scopes it is about.
  var blame: AuthError.Blame? {
    let isOfSetUp =
      switch error.lowercased() {
      case "unauthorized_client": suberror?.lowercased() != "protection_policy_required"
      case "invalid_client", "unsupported_challenge_type", "unsupported_grant_type",
        "unsupported_auth_method":
        true
      case "invalid_request":
        codes.contains { [90002, 550_022, 901_007].contains($0) }
          || codes.first == 90100 && names("client_id")
      default: false
      }
    return isOfSetUp ? .setUp : nil
  }

  func problem(_ reason: Reason, at field: Field? = nil, code: String? = nil) -> Problem {
    Problem(reason, at: field, code: code ?? self.code, detail: detail)
  }

  /// The service's error under its own names, with MSAL's classification; its prose is for
  /// developers, and shown only in place of our words.
  var detail: ErrorDetail {
    ErrorDetail(
      .api,
      message: description,
      facts: [
        JSONValue.Member("error", .string(error)),
        JSONValue.Member("suberror", .string(orNull: suberror)),
        JSONValue.Member("error_codes", .array(codes.prefix(8).map(JSONValue.number))),
        JSONValue.Member("correlation_id", .string(orNull: correlationID)),
        MSALFailure(self).fact,
      ]
    )
  }
}
