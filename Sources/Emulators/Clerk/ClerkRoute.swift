internal import GRDB
internal import HTTPTypes

/// The operations of the Frontend API that are emulated, by method and path.
///
/// The raw values are their names in Clerk's OpenAPI description.
package enum ClerkRoute: String, CaseIterable, Sendable {
  // The instance.
  case readEnvironment = "GET /v1/environment"
  case updateEnvironment = "PATCH /v1/environment"
  case readHealth = "GET /v1/health"
  case readKeys = "GET /.well-known/jwks.json"
  /// The one operation of the Backend API that an application's server needs to verify tokens.
  case readBackendKeys = "GET /v1/jwks"
  case readOpenIDConfiguration = "GET /.well-known/openid-configuration"
  // Browsers and clients.
  case handshake = "GET /v1/client/handshake"
  case createDevelopmentBrowser = "POST /v1/dev_browser"
  case readClient = "GET /v1/client"
  case createClient = "PUT /v1/client"
  case createClientByPost = "POST /v1/client"
  case deleteClient = "DELETE /v1/client"
  case deleteSessions = "DELETE /v1/client/sessions"
  // Signing in.
  case createSignIn = "POST /v1/client/sign_ins"
  case readSignIn = "GET /v1/client/sign_ins/{sign_in_id}"
  case prepareFirstFactor = "POST /v1/client/sign_ins/{sign_in_id}/prepare_first_factor"
  case attemptFirstFactor = "POST /v1/client/sign_ins/{sign_in_id}/attempt_first_factor"
  case prepareSecondFactor = "POST /v1/client/sign_ins/{sign_in_id}/prepare_second_factor"
  case attemptSecondFactor = "POST /v1/client/sign_ins/{sign_in_id}/attempt_second_factor"
  case resetPassword = "POST /v1/client/sign_ins/{sign_in_id}/reset_password"
  case completeMagicLink = "POST /v1/client/magic_links/complete"
  case verifyLink = "GET /v1/verify"
  // Signing up.
  case createSignUp = "POST /v1/client/sign_ups"
  case readSignUp = "GET /v1/client/sign_ups/{sign_up_id}"
  case updateSignUp = "PATCH /v1/client/sign_ups/{sign_up_id}"
  case prepareSignUp = "POST /v1/client/sign_ups/{sign_up_id}/prepare_verification"
  case attemptSignUp = "POST /v1/client/sign_ups/{sign_up_id}/attempt_verification"
  case joinWaitingList = "POST /v1/waitlist"
  // Sessions.
  case readSession = "GET /v1/client/sessions/{session_id}"
  case touchSession = "POST /v1/client/sessions/{session_id}/touch"
  case endSession = "POST /v1/client/sessions/{session_id}/end"
  case removeSession = "POST /v1/client/sessions/{session_id}/remove"
  case createSessionToken = "POST /v1/client/sessions/{session_id}/tokens"
  case createTemplateToken = "POST /v1/client/sessions/{session_id}/tokens/{template_name}"
  case beginReverification = "POST /v1/client/sessions/{session_id}/verify"
  case prepareFirstReverification =
    "POST /v1/client/sessions/{session_id}/verify/prepare_first_factor"
  case attemptFirstReverification =
    "POST /v1/client/sessions/{session_id}/verify/attempt_first_factor"
  case prepareSecondReverification =
    "POST /v1/client/sessions/{session_id}/verify/prepare_second_factor"
  case attemptSecondReverification =
    "POST /v1/client/sessions/{session_id}/verify/attempt_second_factor"
  case readAllSessions = "GET /v1/me/sessions"
  case readActiveSessions = "GET /v1/me/sessions/active"
  case revokeSession = "POST /v1/me/sessions/{session_id}/revoke"
  // The person.
  case readUser = "GET /v1/me"
  case updateUser = "PATCH /v1/me"
  case deleteUser = "DELETE /v1/me"
  case updateMetadata = "PATCH /v1/me/metadata"
  case changePassword = "POST /v1/me/change_password"
  case readEmailAddresses = "GET /v1/me/email_addresses"
  case createEmailAddress = "POST /v1/me/email_addresses"
  case readEmailAddress = "GET /v1/me/email_addresses/{email_address_id}"
  case deleteEmailAddress = "DELETE /v1/me/email_addresses/{email_address_id}"
  case prepareEmailAddress = "POST /v1/me/email_addresses/{email_address_id}/prepare_verification"
  case attemptEmailAddress = "POST /v1/me/email_addresses/{email_address_id}/attempt_verification"
  case readPhones = "GET /v1/me/phone_numbers"
  case createPhone = "POST /v1/me/phone_numbers"
  case readPhone = "GET /v1/me/phone_numbers/{phone_number_id}"
  case updatePhone = "PATCH /v1/me/phone_numbers/{phone_number_id}"
  case deletePhone = "DELETE /v1/me/phone_numbers/{phone_number_id}"
  case preparePhone = "POST /v1/me/phone_numbers/{phone_number_id}/prepare_verification"
  case attemptPhone = "POST /v1/me/phone_numbers/{phone_number_id}/attempt_verification"
  // Second factors.
  case createAuthenticator = "POST /v1/me/totp"
  case attemptAuthenticator = "POST /v1/me/totp/attempt_verification"
  case deleteAuthenticator = "DELETE /v1/me/totp"
  case createBackupCodes = "POST /v1/me/backup_codes"
  // Organizations.
  case createOrganization = "POST /v1/organizations"
  case readOrganization = "GET /v1/organizations/{organization_id}"
  case updateOrganization = "PATCH /v1/organizations/{organization_id}"
  case deleteOrganization = "DELETE /v1/organizations/{organization_id}"
  case readMemberships = "GET /v1/organizations/{organization_id}/memberships"
  case createMembership = "POST /v1/organizations/{organization_id}/memberships"
  case updateMembership = "PATCH /v1/organizations/{organization_id}/memberships/{user_id}"
  case deleteMembership = "DELETE /v1/organizations/{organization_id}/memberships/{user_id}"
  case readRoles = "GET /v1/organizations/{organization_id}/roles"
  case readInvitations = "GET /v1/organizations/{organization_id}/invitations"
  case readPendingInvitations = "GET /v1/organizations/{organization_id}/invitations/pending"
  case createInvitation = "POST /v1/organizations/{organization_id}/invitations"
  case revokeInvitation =
    "POST /v1/organizations/{organization_id}/invitations/{invitation_id}/revoke"
  case readOwnMemberships = "GET /v1/me/organization_memberships"
  case readOwnInvitations = "GET /v1/me/organization_invitations"
  case acceptInvitation = "POST /v1/me/organization_invitations/{invitation_id}/accept"
  case readSuggestions = "GET /v1/me/organization_suggestions"
  case acceptSuggestion = "POST /v1/me/organization_suggestions/{suggestion_id}/accept"
  case readCreationDefaults = "GET /v1/me/organization_creation_defaults"
}

extension ClerkRoute {
  static let table = RouteTable<ClerkRoute>()

  /// The operation with that method and path; nil if there is none.
  package init?(method: String, path: some StringProtocol) {
    guard let method = HTTPRequest.Method(method),
      let match = Self.table.match(method, path)
    else { return nil }
    self = match.operation
  }

  /// Who calls an operation.
  private enum Audience {
    /// Anybody: the operation describes the instance and changes nothing.
    case anybody
    /// The same, for servers and libraries that know nothing of the Frontend API.
    case anyServer
    /// A browser that an application's server redirects there.
    case browser
    /// A client of the Frontend API.
    case client
  }

  private var audience: Audience {
    switch self {
    case .readEnvironment, .updateEnvironment, .readHealth: .anybody
    case .readKeys, .readBackendKeys, .readOpenIDConfiguration: .anyServer
    case .handshake: .browser
    case .createDevelopmentBrowser, .readClient, .createClient, .createClientByPost, .deleteClient,
      .deleteSessions, .createSignIn, .readSignIn, .prepareFirstFactor, .attemptFirstFactor,
      .prepareSecondFactor, .attemptSecondFactor, .resetPassword, .completeMagicLink, .verifyLink,
      .createSignUp, .readSignUp, .updateSignUp, .prepareSignUp, .attemptSignUp, .joinWaitingList,
      .readSession, .touchSession, .endSession, .removeSession, .createSessionToken,
      .createTemplateToken, .beginReverification, .prepareFirstReverification,
      .attemptFirstReverification, .prepareSecondReverification, .attemptSecondReverification,
      .readAllSessions, .readActiveSessions, .revokeSession, .readUser, .updateUser, .deleteUser,
      .updateMetadata, .changePassword, .readEmailAddresses, .createEmailAddress,
      .readEmailAddress, .deleteEmailAddress, .prepareEmailAddress, .attemptEmailAddress,
      .readPhones, .createPhone, .readPhone, .updatePhone, .deletePhone, .preparePhone,
      .attemptPhone, .createAuthenticator, .attemptAuthenticator, .deleteAuthenticator,
      .createBackupCodes, .createOrganization, .readOrganization, .updateOrganization,
      .deleteOrganization, .readMemberships, .createMembership, .updateMembership,
      .deleteMembership, .readRoles, .readInvitations, .readPendingInvitations, .createInvitation,
      .revokeInvitation, .readOwnMemberships, .readOwnInvitations, .acceptInvitation,
      .readSuggestions, .acceptSuggestion, .readCreationDefaults:
      .client
    }
  }

  /// Whether its caller speaks a version of the Frontend API; servers name one of the Backend API.
  var hasVersion: Bool {
    switch audience {
    case .anybody, .client: true
    case .anyServer, .browser: false
    }
  }

  /// Whether the operation only describes the instance, and changes nothing.
  var isAboutInstance: Bool {
    switch audience {
    case .anybody, .anyServer: true
    case .browser, .client: false
    }
  }
}

extension ClerkTransaction {
  /// Carries out the operation of the call.
  func carryOut() throws -> ClerkOutcome {
    let id = call.firstParameter
    return switch call.route {
    case .readEnvironment: environment()
    case .updateEnvironment: try updateEnvironment()
    case .readHealth: .bare(["status": "healthy"])
    case .readKeys, .readBackendKeys: .bare(try publicKeys())
    case .readOpenIDConfiguration:
      .bare(ClerkOpenIDConfiguration(issuer: call.place.origin.text).json)
    case .createDevelopmentBrowser: try createDevelopmentBrowser()
    case .handshake: try handshake()
    case .readClient: try readClient()
    case .createClient, .createClientByPost: try createClient()
    case .deleteClient: try deleteWholeClient()
    case .deleteSessions: try deleteSessions()
    case .createSignIn: try createSignIn()
    case .readSignIn: try readSignIn(id)
    case .prepareFirstFactor: try prepareFirstFactor(id)
    case .attemptFirstFactor: try attemptFirstFactor(id)
    case .prepareSecondFactor: try prepareSecondFactor(id)
    case .attemptSecondFactor: try attemptSecondFactor(id)
    case .resetPassword: try resetPassword(id)
    case .completeMagicLink: try completeMagicLink()
    case .verifyLink: try verifyLink()
    case .createSignUp: try createSignUp()
    case .readSignUp: try readSignUp(id)
    case .updateSignUp: try updateSignUp(id)
    case .prepareSignUp: try prepareSignUp(id)
    case .attemptSignUp: try attemptSignUp(id)
    case .joinWaitingList: try joinWaitingList()
    case .readSession: try readSession(id)
    case .touchSession: try touchSession(id)
    case .endSession: try endSession(id)
    case .removeSession: try removeSession(id)
    case .createSessionToken: try sessionToken(id)
    case .createTemplateToken: try sessionToken(id, template: call.secondParameter)
    case .beginReverification: try beginReverification(id)
    case .prepareFirstReverification: try prepareFirstReverification(id)
    case .attemptFirstReverification: try attemptFirstReverification(id)
    case .prepareSecondReverification: try prepareSecondReverification(id)
    case .attemptSecondReverification: try attemptSecondReverification(id)
    case .readAllSessions: try allSessions()
    case .readActiveSessions: try activeSessions()
    case .revokeSession: try revokeSession(id)
    case .readUser: try readUser()
    case .updateUser: try updateUser()
    case .deleteUser: try deleteUser()
    case .updateMetadata: try updateMetadata()
    case .changePassword: try changePassword()
    case .readEmailAddresses: try readEmailAddresses()
    case .createEmailAddress: try createEmailAddress()
    case .readEmailAddress: try readEmailAddress(id)
    case .deleteEmailAddress: try deleteEmailAddress(id)
    case .prepareEmailAddress: try prepareEmailAddress(id)
    case .attemptEmailAddress: try attemptEmailAddress(id)
    case .readPhones: try readPhones()
    case .createPhone: try createPhone()
    case .readPhone: try readPhone(id)
    case .updatePhone: try updatePhone(id)
    case .deletePhone: try deletePhone(id)
    case .preparePhone: try preparePhone(id)
    case .attemptPhone: try attemptPhone(id)
    case .createAuthenticator: try createAuthenticator()
    case .attemptAuthenticator: try attemptAuthenticator()
    case .deleteAuthenticator: try deleteAuthenticator()
    case .createBackupCodes: try createBackupCodes()
    case .createOrganization: try createOrganization()
    case .readOrganization: try readOrganization(id)
    case .updateOrganization: try updateOrganization(id)
    case .deleteOrganization: try deleteOrganization(id)
    case .readMemberships: try readMemberships(in: id)
    case .createMembership: try createMembership(in: id)
    case .updateMembership: try updateMembership(in: id, of: call.secondParameter)
    case .deleteMembership: try deleteMembership(in: id, of: call.secondParameter)
    case .readRoles: try readRoles(in: id)
    case .readInvitations: try readInvitations(to: id)
    case .readPendingInvitations: try readPendingInvitations(to: id)
    case .createInvitation: try createInvitation(to: id)
    case .revokeInvitation: try revokeInvitation(call.secondParameter, to: id)
    case .readOwnMemberships: try readOwnMemberships()
    case .readOwnInvitations: try readOwnInvitations()
    case .acceptInvitation: try acceptInvitation(id)
    case .readSuggestions: try readSuggestions()
    case .acceptSuggestion: try acceptSuggestion(id)
    case .readCreationDefaults: try readCreationDefaults()
    }
  }
}
