@_spi(Provider) internal import AuthFlow
internal import HTTPExchange

/// One request to the native authentication API, before it becomes HTTP.
///
/// Source: <doc:EntraCalls#Endpoints>.
struct Call: Hashable, Sendable {
  enum Endpoint: String, Hashable, Sendable, CaseIterable {
    case initiate = "/oauth2/v2.0/initiate"
    case challenge = "/oauth2/v2.0/challenge"
    case introspect = "/oauth2/v2.0/introspect"
    case token = "/oauth2/v2.0/token"
    case signUpStart = "/signup/v1.0/start"
    case signUpChallenge = "/signup/v1.0/challenge"
    case signUpContinue = "/signup/v1.0/continue"
    case resetStart = "/resetpassword/v1.0/start"
    case resetChallenge = "/resetpassword/v1.0/challenge"
    case resetContinue = "/resetpassword/v1.0/continue"
    case resetSubmit = "/resetpassword/v1.0/submit"
    case resetPoll = "/resetpassword/v1.0/poll_completion"
    case registerIntrospect = "/register/v1.0/introspect"
    case registerChallenge = "/register/v1.0/challenge"
    case registerContinue = "/register/v1.0/continue"
  }

  var endpoint: Endpoint
  var form: FormData
  /// Whether repeating it has no further effect (<doc:EntraCalls#A-second-try>).
  var isRepeatable = false
}

extension Call {
  private static let secretNames: Set<String> = [
    "password", "new_password", "oob", "continuation_token", "refresh_token", "code",
    "code_verifier",
  ]

  /// The values that must never be shown.
  var secrets: [String] { form.values(ofAny: Self.secretNames) }
}

extension Call {
  /// In MSAL's order; sent everywhere (<doc:EntraChallengeTypes#Types-and-capabilities>).
  private static let challengeTypes = "oob password redirect"
  private static let capabilities = "mfa_required registration_required"

  static func initiate(_ username: Identifier) -> Call {
    Call(endpoint: .initiate, form: start(username), isRepeatable: true)
  }

  /// Asks for the first factor, or has the code of the second factor with that id sent.
  static func challenge(_ continuation: Continuation, method: String? = nil) -> Call {
    var form = continuation.form
    if let method {
      form.append("id", method)
    } else {
      form.append("challenge_type", challengeTypes)
    }
    return Call(endpoint: .challenge, form: form)
  }

  static func introspect(_ continuation: Continuation) -> Call {
    Call(endpoint: .introspect, form: continuation.form, isRepeatable: true)
  }

  static func startSignUp(_ username: Identifier, password: Password?) -> Call {
    var form = start(username)
    if let password { form.append("password", password.secret) }
    return Call(endpoint: .signUpStart, form: form)
  }

  static func challengeSignUp(_ continuation: Continuation) -> Call {
    var form = continuation.form
    form.append("challenge_type", challengeTypes)
    return Call(endpoint: .signUpChallenge, form: form)
  }

  static func continueSignUp(_ continuation: Continuation, code: VerificationCode) -> Call {
    Call(endpoint: .signUpContinue, form: continuation.form("oob", "oob", code.secret))
  }

  static func continueSignUp(_ continuation: Continuation, password: Password) -> Call {
    Call(
      endpoint: .signUpContinue,
      form: continuation.form("password", "password", password.secret)
    )
  }

  static func continueSignUp(
    _ continuation: Continuation,
    attributes: [(name: String, value: String)]
  ) -> Call {
    Call(
      endpoint: .signUpContinue,
      form: continuation.form("attributes", "attributes", AttributesJSON.text(of: attributes))
    )
  }

  static func startReset(_ username: Identifier) -> Call {
    Call(endpoint: .resetStart, form: start(username))
  }

  static func challengeReset(_ continuation: Continuation) -> Call {
    var form = continuation.form
    form.append("challenge_type", "oob redirect")
    return Call(endpoint: .resetChallenge, form: form)
  }

  static func continueReset(_ continuation: Continuation, code: VerificationCode) -> Call {
    Call(endpoint: .resetContinue, form: continuation.form("oob", "oob", code.secret))
  }

  static func submitReset(_ continuation: Continuation, password: Password) -> Call {
    var form = continuation.form
    form.append("new_password", password.secret)
    return Call(endpoint: .resetSubmit, form: form)
  }

  static func pollReset(_ continuation: Continuation) -> Call {
    Call(endpoint: .resetPoll, form: continuation.form, isRepeatable: true)
  }

  static func introspectRegistration(_ continuation: Continuation) -> Call {
    Call(endpoint: .registerIntrospect, form: continuation.form, isRepeatable: true)
  }

  static func challengeRegistration(
    _ continuation: Continuation,
    contact: String,
    channel: String
  ) -> Call {
    var form = continuation.form
    form.append("challenge_type", "oob")
    form.append("challenge_target", contact)
    form.append("challenge_channel", channel)
    return Call(endpoint: .registerChallenge, form: form)
  }

  static func continueRegistration(_ continuation: Continuation, code: VerificationCode) -> Call {
    Call(endpoint: .registerContinue, form: continuation.form("oob", "oob", code.secret))
  }

  /// Registers a contact that was proven before.
  static func continueRegistration(_ continuation: Continuation) -> Call {
    var form = continuation.form
    form.append("grant_type", "continuation_token")
    return Call(endpoint: .registerContinue, form: form)
  }

  private static func start(_ username: Identifier) -> FormData {
    [
      "username": username.text, "challenge_type": challengeTypes, "capabilities": capabilities,
    ]
  }
}

/// What is redeemed for tokens.
///
/// Source: <doc:EntraCalls#Grants>.
enum Grant: Hashable, Sendable {
  case password(Password, Continuation, Identifier)
  case code(VerificationCode, Continuation)
  case secondFactorCode(VerificationCode, Continuation)
  /// After a sign-up, a reset or a registration; the last without a username.
  case continuation(Continuation, Identifier?)
  /// The code that a browser brought back.
  case authorizationCode(String, verifier: String, redirectURI: String)
  case refresh(String)

  fileprivate var form: FormData {
    switch self {
    case .password(let password, let continuation, let username):
      var form = continuation.form("password", "password", password.secret)
      form.append("username", username.text)
      return form
    case .code(let code, let continuation): return continuation.form("oob", "oob", code.secret)
    case .secondFactorCode(let code, let continuation):
      return continuation.form("mfa_oob", "oob", code.secret)
    case .continuation(let continuation, let username):
      var form = continuation.form
      form.append("grant_type", "continuation_token")
      if let username { form.append("username", username.text) }
      return form
    case .authorizationCode(let code, let verifier, let redirectURI):
      return [
        "grant_type": "authorization_code", "code": code, "code_verifier": verifier,
        "redirect_uri": redirectURI,
      ]
    case .refresh(let token): return ["grant_type": "refresh_token", "refresh_token": token]
    }
  }

  fileprivate var isRepeatable: Bool {
    switch self {
    case .refresh: true
    case .password, .code, .secondFactorCode, .continuation, .authorizationCode: false
    }
  }
}

extension Call {
  static func token(_ grant: Grant, scopes: [String], claims: String?) -> Call {
    var form = grant.form
    form.append("scope", Scopes.requested(scopes).joined(separator: " "))
    form.append("client_info", "true")
    if let claims { form.append("claims", claims) }
    return Call(endpoint: .token, form: form, isRepeatable: grant.isRepeatable)
  }
}

extension Continuation {
  fileprivate var form: FormData { ["continuation_token": token] }

  fileprivate func form(_ grant: String, _ name: String, _ value: String) -> FormData {
    ["continuation_token": token, "grant_type": grant, name: value]
  }
}
