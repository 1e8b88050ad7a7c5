/// Every address of the pages.
///
/// This is the single list from which page names, templates, routes, form actions and the map of
/// the flows derive, with the pages of each flow in this order.
public enum Address: String, CaseIterable, Sendable {
  case signIn = "/sign-in"
  case restartSignIn = "/sign-in/restart"
  case password = "/sign-in/password"
  case methods = "/sign-in/methods"
  case code = "/sign-in/code"
  case resendCode = "/sign-in/code/resend"
  case link = "/sign-in/link"
  case resendLink = "/sign-in/link/resend"
  case device = "/sign-in/device"
  case resendDevice = "/sign-in/device/resend"
  case secondFactor = "/sign-in/second-factor"
  case resendSecondFactor = "/sign-in/second-factor/resend"
  case secondFactorMethods = "/sign-in/second-factor/methods"
  case backupCode = "/sign-in/second-factor/backup-code"
  case enrolment = "/sign-in/enrolment"
  case resendEnrolment = "/sign-in/enrolment/resend"
  case permissions = "/permissions"
  case browser = "/continue"

  case signUp = "/sign-up"
  case restartSignUp = "/sign-up/restart"
  case verifyContact = "/sign-up/verify"
  case resendContactCode = "/sign-up/verify/resend"
  case signUpLink = "/sign-up/link"
  case resendSignUpLink = "/sign-up/link/resend"
  case missingDetails = "/sign-up/continue"

  case forgotPassword = "/forgot-password"
  case restartPasswordReset = "/forgot-password/restart"
  case resetCode = "/forgot-password/code"
  case resendResetCode = "/forgot-password/code/resend"
  case newPassword = "/forgot-password/new"
  case resetWaiting = "/forgot-password/waiting"

  case resetPasswordTask = "/tasks/reset-password"
  case chooseOrganizationTask = "/tasks/choose-organization"
  case setUpSecondFactorTask = "/tasks/setup-mfa"
  case resendSetUpCode = "/tasks/setup-mfa/resend"

  case account = "/account"
  /// Gets a token of the session.
  case accountToken = "/account/token"
  /// Ends sessions of the person.
  case accountSessions = "/account/sessions"
  case signOut = "/sign-out"
  case locked = "/locked"
  case blocked = "/blocked"

  private static let byPath: [String: Address] = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.path, $0) } + [("/", .account)]
  )

  /// The address whose path is exactly this one, without any normalisation (S3).
  public init?(path: some StringProtocol) {
    guard let address = Self.byPath[String(path)] else { return nil }
    self = address
  }

  public var path: String { rawValue }
}

extension Address {
  /// What an address serves.
  public enum Kind: Hashable, Sendable {
    /// A page that is only looked at.
    case view(Part)
    /// A page whose own form is posted to the same address.
    case form(Part)
    /// Not a page: the target of another form on that page.
    case action(of: Address)
  }

  /// Pages that one handler answers for.
  public enum Part: Hashable, Sendable {
    case signIn, signInLink, signUp, signUpLink, passwordReset
    case resetPasswordTask, chooseOrganizationTask, setUpSecondFactorTask
    case account, signOut
    /// The pages for locked and blocked accounts.
    case standstill
  }

  public var kind: Kind {
    switch self {
    case .account: .view(.account)
    case .locked, .blocked: .view(.standstill)
    case .signOut: .form(.signOut)
    case .signIn, .password, .methods, .code, .secondFactor, .secondFactorMethods, .backupCode,
      .device, .enrolment, .permissions, .browser:
      .form(.signIn)
    case .link: .form(.signInLink)
    case .signUp, .missingDetails, .verifyContact: .form(.signUp)
    case .signUpLink: .form(.signUpLink)
    case .forgotPassword, .resetCode, .newPassword, .resetWaiting: .form(.passwordReset)
    case .resetPasswordTask: .form(.resetPasswordTask)
    case .chooseOrganizationTask: .form(.chooseOrganizationTask)
    case .setUpSecondFactorTask: .form(.setUpSecondFactorTask)
    case .accountToken, .accountSessions: .action(of: .account)
    case .restartSignIn: .action(of: .signIn)
    case .resendCode: .action(of: .code)
    case .resendLink: .action(of: .link)
    case .resendSecondFactor: .action(of: .secondFactor)
    case .resendDevice: .action(of: .device)
    case .resendEnrolment: .action(of: .enrolment)
    case .restartSignUp: .action(of: .signUp)
    case .resendContactCode: .action(of: .verifyContact)
    case .resendSignUpLink: .action(of: .signUpLink)
    case .restartPasswordReset: .action(of: .forgotPassword)
    case .resendResetCode: .action(of: .resetCode)
    case .resendSetUpCode: .action(of: .setUpSecondFactorTask)
    }
  }

  public var part: Part {
    switch kind {
    case .view(let part), .form(let part): part
    case .action(let page): page.part
    }
  }

  /// Whether the page there has a form that is posted to it.
  public var hasForm: Bool {
    switch kind {
    case .form: true
    case .view, .action: false
    }
  }

  /// The page at this address, or the one whose form is posted to it.
  public var page: Address {
    switch kind {
    case .view, .form: self
    case .action(let page): page
    }
  }

  /// Every address at which a page can be opened.
  public static let pages = allCases.filter { $0.page == $0 }

  /// What the page at this address is called: its path, slashes as dashes.
  public var pageName: String { Self.pageNames[page] ?? "" }

  /// Computed once, since a name is looked up for every page that is shown.
  private static let pageNames = Dictionary(
    uniqueKeysWithValues: pages.map { ($0, String($0.path.dropFirst().replacing("/", with: "-"))) }
  )

  /// The path's last part, after which a page's main form is named.
  var lastPart: String { String(path.split(separator: "/").last ?? "") }

  /// The path with one query value, percent-encoded (RFC 3986, section 2).
  func adding(_ name: String, _ value: String) -> String {
    // Foundation's encoding would take a sixtieth of the time of a refused form, and this module
    // imports nothing of HTTP.
    var text = Array("\(path)?\(name)=".utf8)
    for byte in value.utf8 {
      if Self.unreserved.contains(byte) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 0xF)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let unreserved = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8
  )
  private static let digits = Array("0123456789ABCDEF".utf8)
}

extension FlowName {
  /// Where the flow begins.
  public var start: Address {
    switch self {
    case .signIn, .task, .session: .signIn
    case .signUp: .signUp
    case .passwordReset: .forgotPassword
    }
  }

  /// The address of the form that restarts the flow.
  var restart: Address {
    switch self {
    case .signIn, .task, .session: .restartSignIn
    case .signUp: .restartSignUp
    case .passwordReset: .restartPasswordReset
    }
  }
}
