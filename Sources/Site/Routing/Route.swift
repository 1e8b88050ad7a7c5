internal import HTTPTypes
internal import Pages

/// Every address of the pages: the site's table of contents.
enum Route: Hashable, Sendable {
  case account
  case signIn, password, factors, code, link, secondFactor, secondFactorFactors, backupCode, device
  case enrolment, permissions
  case browser
  case signUp, missingDetails, verifyContact, signUpLink
  case forgotPassword, resetCode, newPassword, resetWaiting
  case task(TaskRoute)
  case locked, blocked
  case signOut
  /// Gets a token of the session.
  case accountToken
  /// Sends another code of the page it stands on.
  case resend(CodeRoute)
  case restart(FlowRoute)

  enum TaskRoute: String, Hashable, Sendable, CaseIterable {
    case resetPassword = "reset-password"
    case chooseOrganization = "choose-organization"
    case setUpSecondFactor = "setup-mfa"
  }

  enum CodeRoute: Hashable, Sendable, CaseIterable {
    case code, link, secondFactor, device, enrolment, verifyContact, signUpLink, resetCode
    case secondFactorSetup
  }

  enum FlowRoute: Hashable, Sendable, CaseIterable {
    case signIn, signUp, passwordReset
  }

  private static let pages: [Route] =
    [
      .account, .signIn, .password, .factors, .code, .link, .secondFactor, .secondFactorFactors,
      .backupCode, .device, .enrolment, .permissions, .browser, .signUp, .missingDetails,
      .verifyContact, .signUpLink, .forgotPassword, .resetCode, .newPassword, .resetWaiting,
      .locked, .blocked, .signOut, .accountToken,
    ] + TaskRoute.allCases.map(Route.task) + CodeRoute.allCases.map(Route.resend)
    + FlowRoute.allCases.map(Route.restart)

  private static let byPath: [String: Route] = Dictionary(
    uniqueKeysWithValues: pages.map { ($0.path, $0) } + [("/", .account)]
  )

  /// The route of a raw path: exactly that, or none (S3).
  init?(path: Substring) {
    guard let route = Self.byPath[String(path)] else { return nil }
    self = route
  }

  var path: String {
    switch self {
    case .account: "/account"
    case .signIn: "/sign-in"
    case .password: "/sign-in/password"
    case .factors: "/sign-in/methods"
    case .code: "/sign-in/code"
    case .link: "/sign-in/link"
    case .secondFactor: "/sign-in/second-factor"
    case .secondFactorFactors: "/sign-in/second-factor/methods"
    case .backupCode: "/sign-in/second-factor/backup-code"
    case .device: "/sign-in/device"
    case .enrolment: "/sign-in/enrolment"
    case .permissions: "/permissions"
    case .browser: "/continue"
    case .signUp: "/sign-up"
    case .missingDetails: "/sign-up/continue"
    case .verifyContact: "/sign-up/verify"
    case .signUpLink: "/sign-up/link"
    case .forgotPassword: "/forgot-password"
    case .resetCode: "/forgot-password/code"
    case .newPassword: "/forgot-password/new"
    case .resetWaiting: "/forgot-password/waiting"
    case .task(let task): "/tasks/\(task.rawValue)"
    case .locked: "/locked"
    case .blocked: "/blocked"
    case .signOut: "/sign-out"
    case .accountToken: "/account/token"
    case .resend(let code): "\(code.page.path)/resend"
    case .restart(let flow): "\(flow.start.path)/restart"
    }
  }

  /// Which methods it answers; HEAD goes wherever GET goes.
  var methods: [HTTPRequest.Method] {
    switch self {
    case .account, .locked, .blocked: [.get, .head]
    case .signIn, .password, .factors, .code, .link, .secondFactor, .secondFactorFactors,
      .backupCode, .device, .enrolment, .permissions, .browser, .signUp, .missingDetails,
      .verifyContact,
      .signUpLink, .forgotPassword, .resetCode, .newPassword, .resetWaiting,
      .task, .signOut:
      [.get, .head, .post]
    case .resend, .restart, .accountToken: [.post]
    }
  }

  /// The page that shows this route, and whose form is posted to it.
  var page: Route {
    switch self {
    case .resend(let code): code.page
    case .restart(let flow): flow.start
    case .accountToken: .account
    default: self
    }
  }

  /// The flow that a person on this route is in.
  var flow: FlowRoute {
    switch self {
    case .signUp, .missingDetails, .verifyContact, .signUpLink, .resend(.verifyContact),
      .resend(.signUpLink), .restart(.signUp):
      .signUp
    case .forgotPassword, .resetCode, .newPassword, .resetWaiting, .resend(.resetCode),
      .restart(.passwordReset):
      .passwordReset
    case .account, .signIn, .password, .factors, .code, .link, .secondFactor,
      .secondFactorFactors, .backupCode, .device, .enrolment, .permissions, .browser, .task,
      .locked, .blocked, .signOut, .accountToken, .resend, .restart:
      .signIn
    }
  }

  /// The address to which a form of this page is posted, by the form's name.
  ///
  /// Form tokens are bound to it.
  func action(ofForm name: String) -> String {
    switch name {
    case "sign-out": Route.signOut.path
    case "resend": "\(page.path)/resend"
    case "restart": Route.restart(flow).path
    case "get-token": Route.accountToken.path
    default: page.path
    }
  }
}

extension Route.CodeRoute {
  var page: Route {
    switch self {
    case .code: .code
    case .link: .link
    case .secondFactor: .secondFactor
    case .device: .device
    case .enrolment: .enrolment
    case .secondFactorSetup: .task(.setUpSecondFactor)
    case .verifyContact: .verifyContact
    case .signUpLink: .signUpLink
    case .resetCode: .resetCode
    }
  }
}

extension Route.FlowRoute {
  /// Where the flow begins.
  var start: Route {
    switch self {
    case .signIn: .signIn
    case .signUp: .signUp
    case .passwordReset: .forgotPassword
    }
  }
}
