/// The capabilities of an auth API; each is nil where the provider does not conform to its
/// protocol.
extension AuthProvider {
  public var emailLinks: (any EmailLinkProvider)? { self as? any EmailLinkProvider }
  public var browserSignIn: (any BrowserSignInProvider)? { self as? any BrowserSignInProvider }
  public var enrolment: (any EnrolmentProvider)? { self as? any EnrolmentProvider }
  public var methodMemory: (any MethodMemoryProvider)? { self as? any MethodMemoryProvider }
  public var signUp: (any SignUpProvider)? { self as? any SignUpProvider }
  public var contactLinks: (any ContactLinkProvider)? { self as? any ContactLinkProvider }
  public var invitations: (any InvitationProvider)? { self as? any InvitationProvider }
  public var waitingList: (any WaitingListProvider)? { self as? any WaitingListProvider }
  public var passwordReset: (any PasswordResetProvider)? { self as? any PasswordResetProvider }
  public var passwordResetProgress: (any PasswordResetProgressProvider)? {
    self as? any PasswordResetProgressProvider
  }
  public var accessTokens: (any AccessTokenProvider)? { self as? any AccessTokenProvider }
  public var standingSessions: (any StandingSessionProvider)? {
    self as? any StandingSessionProvider
  }
  public var activeSessions: (any ActiveSessionProvider)? { self as? any ActiveSessionProvider }
  public var callingBrowser: (any CallingBrowserProvider)? {
    self as? any CallingBrowserProvider
  }
  public var resetPasswordTask: (any ResetPasswordTaskProvider)? {
    self as? any ResetPasswordTaskProvider
  }
  public var chooseOrganizationTask: (any ChooseOrganizationTaskProvider)? {
    self as? any ChooseOrganizationTaskProvider
  }
  public var setUpSecondFactorTask: (any SetUpSecondFactorTaskProvider)? {
    self as? any SetUpSecondFactorTaskProvider
  }
}

extension AuthError {
  /// The refusal where the auth API lacks a capability.
  static func unavailable(_ code: OwnCode) -> AuthError {
    AuthError(Problem(.methodUnavailable, code: code))
  }
}
