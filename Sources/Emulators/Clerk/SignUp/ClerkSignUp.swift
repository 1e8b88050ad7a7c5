internal import GRDB

/// An attempt to sign up.
///
/// Source: <doc:ClerkSigningUp>.
struct ClerkSignUp: Codable, Sendable, Hashable, FetchableRecord, PersistableRecord {
  struct State: Codable, Sendable, Hashable {
    var emailAddress: String?
    var phoneNumber: String?
    var username: String?
    var password: PasswordHash?
    var firstName: String?
    var lastName: String?
    var legalAcceptedAt: EpochMilliseconds?
    /// JSON text.
    var unsafeMetadata = "{}"
    var emailVerification: Verification?
    var phoneVerification: Verification?
    var invitationID: String?
    var createdAccountID: String?
    var createdSessionID: String?
    /// The language that the client named when it began or last changed the attempt.
    var locale: String?
  }

  static let databaseTableName = "signUp"

  var id: String
  var clientID: String
  var createdAt: EpochMilliseconds
  var abandonAt: EpochMilliseconds
  var state: State

  var isComplete: Bool { state.createdAccountID != nil }
}

/// A field of a sign-up, by its name in the API.
enum SignUpField: String, CaseIterable, Sendable {
  case emailAddress = "email_address"
  case phoneNumber = "phone_number"
  case username
  case password
  case firstName = "first_name"
  case lastName = "last_name"
  case legalAccepted = "legal_accepted"

  enum Need: Sendable { case off, accepted, optional, required }

  func need(_ settings: InstanceSettings) -> Need {
    switch self {
    case .emailAddress, .password: .required
    case .phoneNumber: Self.need(settings.phone)
    case .username: Self.need(settings.username)
    case .firstName, .lastName:
      switch settings.names {
      case .off: .off
      case .optional: .optional
      case .required: .required
      }
    case .legalAccepted: settings.legalConsent ? .required : .accepted
    }
  }

  /// An attribute that is for signing in only is accepted when it is sent, but not asked for.
  private static func need(_ attribute: InstanceSettings.Attribute) -> Need {
    switch attribute {
    case .off: .off
    case .signIn: .accepted
    case .optional: .optional
    case .required: .required
    }
  }

  func isFilled(in state: ClerkSignUp.State) -> Bool {
    switch self {
    case .emailAddress: state.emailAddress != nil
    case .phoneNumber: state.phoneNumber != nil
    case .username: state.username != nil
    // A complete attempt had a password, which was moved to the account.
    case .password: state.password != nil || state.createdAccountID != nil
    case .firstName: state.firstName != nil
    case .lastName: state.lastName != nil
    case .legalAccepted: state.legalAcceptedAt != nil
    }
  }
}

extension ClerkSignUp {
  func missingFields(_ settings: InstanceSettings) -> [SignUpField] {
    SignUpField.allCases.filter { $0.need(settings) == .required && !$0.isFilled(in: state) }
  }

  var unverifiedFields: [SignUpField] {
    let email = state.emailAddress != nil && state.emailVerification?.status != .verified
    let phone = state.phoneNumber != nil && state.phoneVerification?.status != .verified
    return (email ? [.emailAddress] : []) + (phone ? [.phoneNumber] : [])
  }
}
