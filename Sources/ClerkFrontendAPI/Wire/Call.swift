internal import HTTPExchange
internal import HTTPTypes

/// One request to the Frontend API, before it becomes HTTP.
struct Call: Hashable, Sendable {
  /// The purpose of a call; the same error code means different things for different purposes.
  enum Purpose: Hashable, Sendable {
    /// An attempt to sign in; a password is one that the person already has.
    case signIn
    case signUp
    /// A password is one that the person has just chosen.
    case newPassword
    /// Something that a session does; the person counts as signed in.
    case session
    /// The same, with a resource of the session's own: if that is gone, the session has not ended.
    case task

    var isOfSession: Bool {
      switch self {
      case .session, .task: true
      case .signIn, .signUp, .newPassword: false
      }
    }
  }

  var method: HTTPRequest.Method
  /// The segments below `/v1`, not escaped.
  var path: [String]
  /// The session that acts; sent on `/me…` and `/organizations…` (<doc:ClerkTransport#Requests>).
  var sessionID: String?
  /// Parameters in addition to those of every call.
  var query: FormData = [:]
  var form: FormData
  var purpose: Purpose

  init(
    _ method: HTTPRequest.Method,
    _ path: String...,
    sessionID: String? = nil,
    form: FormData = [:],
    purpose: Purpose
  ) {
    self.method = method
    self.path = path
    self.sessionID = sessionID
    self.form = form
    self.purpose = purpose
  }

  /// The form for a reader of that language, which the start of an attempt names as the SDKs do.
  ///
  /// Source: <doc:ClerkSigningIn>, <doc:ClerkSigningUp>.
  func form(in language: String?) -> FormData {
    guard let language, method == .post, Self.beginnings.contains(path) else { return form }
    var form = form
    form.append("locale", language)
    return form
  }

  private static let beginnings = [["client", "sign_ins"], ["client", "sign_ups"]]

  /// The parameter that a browser brings back from a provider's page.
  static let nonceName = "rotating_token_nonce"

  private static let secretNames: Set<String> = [
    "password", "new_password", "current_password", "code", "ticket", "token", "approval_token",
    "code_verifier", nonceName,
  ]

  /// The values that must never be shown.
  var secrets: [String] {
    form.values(ofAny: Self.secretNames) + query.values(ofAny: Self.secretNames)
  }

  /// The request target; ids are escaped, so that none can change the path.
  var target: String {
    let path = "/v1/" + path.map(PercentEncoding.segment).joined(separator: "/")
    let session = sessionID.map { "&_clerk_session_id=" + PercentEncoding.segment($0) } ?? ""
    let own = query.fields.isEmpty ? "" : "&" + query.text
    return path + "?_is_native=1" + session + own
  }
}
