internal import HTTPTypes

/// The calls of the Frontend API that are emulated.
enum ClerkRoute: Hashable, Sendable {
  case environment, updateEnvironment
  case createDevelopmentBrowser
  case readClient, createClient, deleteClient, deleteSessions
  case createSignIn
  case completeMagicLink, verifyLink
  case joinWaitingList
  case readSignIn(String)
  case prepareFirstFactor(String), attemptFirstFactor(String)
  case prepareSecondFactor(String), attemptSecondFactor(String)
  case resetPassword(String)
  case createSignUp
  case readSignUp(String), updateSignUp(String)
  case prepareSignUp(String), attemptSignUp(String)
  case readSession(String), touchSession(String), endSession(String), removeSession(String)
  case sessionToken(String)
  case activeSessions, revokeSession(String)
  case readUser, updateUser, changePassword
  case organization(OrganizationRoute)
  case secondFactor(SecondFactorRoute)
  case user(UserRoute)
  case reverification(ReverificationRoute)
  case health

  /// Nil for a call that is not emulated.
  init?(_ call: ClerkCall) {
    if let route = OrganizationRoute(call) {
      self = .organization(route)
      return
    }
    if let route = SecondFactorRoute(call) {
      self = .secondFactor(route)
      return
    }
    if let route = UserRoute(call) {
      self = .user(route)
      return
    }
    if let route = ReverificationRoute(call) {
      self = .reverification(route)
      return
    }
    let path = call.path
    switch (call.method, path.count) {
    case (_, 1): self.init(call.method, path[0])
    case (_, 2): self.init(call.method, path[0], path[1])
    case (_, 3): self.init(call.method, path[0], path[1], path[2])
    case (_, 4): self.init(call.method, path[0], path[1], path[2], path[3])
    case (.post, 5) where path[1] == "sessions" && path[3] == "tokens":
      self = .sessionToken(String(path[2]))
    default: return nil
    }
  }

  private init?(_ method: HTTPRequest.Method, _ first: Substring) {
    switch (method, first) {
    case (.get, "environment"): self = .environment
    case (.patch, "environment"): self = .updateEnvironment
    case (.post, "dev_browser"): self = .createDevelopmentBrowser
    case (.get, "health"): self = .health
    case (.get, "verify"): self = .verifyLink
    case (.post, "waitlist"): self = .joinWaitingList
    case (.get, "client"): self = .readClient
    case (.put, "client"), (.post, "client"): self = .createClient
    case (.delete, "client"): self = .deleteClient
    case (.get, "me"): self = .readUser
    case (.patch, "me"): self = .updateUser
    default: return nil
    }
  }

  private init?(_ method: HTTPRequest.Method, _ first: Substring, _ second: Substring) {
    switch (method, first, second) {
    case (.delete, "client", "sessions"): self = .deleteSessions
    case (.post, "client", "sign_ins"): self = .createSignIn
    case (.post, "client", "sign_ups"): self = .createSignUp
    case (.post, "me", "change_password"): self = .changePassword
    default: return nil
    }
  }

  private init?(
    _ method: HTTPRequest.Method,
    _ first: Substring,
    _ second: Substring,
    _ third: Substring
  ) {
    let id = String(third)
    switch (method, first, second) {
    case (.post, "client", "magic_links") where id == "complete": self = .completeMagicLink
    case (.get, "client", "sign_ins"): self = .readSignIn(id)
    case (.get, "client", "sign_ups"): self = .readSignUp(id)
    case (.patch, "client", "sign_ups"): self = .updateSignUp(id)
    case (.get, "client", "sessions"): self = .readSession(id)
    case (.get, "me", "sessions") where id == "active": self = .activeSessions
    default: return nil
    }
  }

  private init?(
    _ method: HTTPRequest.Method,
    _ first: Substring,
    _ second: Substring,
    _ third: Substring,
    _ action: Substring
  ) {
    let id = String(third)
    guard method == .post else { return nil }
    switch (first, second, action) {
    case ("client", "sign_ins", "prepare_first_factor"): self = .prepareFirstFactor(id)
    case ("client", "sign_ins", "attempt_first_factor"): self = .attemptFirstFactor(id)
    case ("client", "sign_ins", "prepare_second_factor"): self = .prepareSecondFactor(id)
    case ("client", "sign_ins", "attempt_second_factor"): self = .attemptSecondFactor(id)
    case ("client", "sign_ins", "reset_password"): self = .resetPassword(id)
    case ("client", "sign_ups", "prepare_verification"): self = .prepareSignUp(id)
    case ("client", "sign_ups", "attempt_verification"): self = .attemptSignUp(id)
    case ("client", "sessions", "touch"): self = .touchSession(id)
    case ("client", "sessions", "end"): self = .endSession(id)
    case ("client", "sessions", "remove"): self = .removeSession(id)
    case ("client", "sessions", "tokens"): self = .sessionToken(id)
    case ("me", "sessions", "revoke"): self = .revokeSession(id)
    default: return nil
    }
  }
}
