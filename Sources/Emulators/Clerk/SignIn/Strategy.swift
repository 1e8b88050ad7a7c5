internal import GRDB

/// A way to prove who one is, by its name on the wire.
enum Strategy: String, Codable, Sendable, Hashable, DatabaseValueConvertible {
  case password
  case emailCode = "email_code"
  case phoneCode = "phone_code"
  case emailLink = "email_link"
  case resetPasswordEmailCode = "reset_password_email_code"
  case resetPasswordPhoneCode = "reset_password_phone_code"
  case totp
  case backupCode = "backup_code"
  case enterpriseSSO = "enterprise_sso"
  /// Stands for a factor that was proven elsewhere, by a redeemed link or an invitation.
  case ticket

  /// Strategies that the API has and no emulated instance offers.
  private static let elsewhere: Set<String> = [
    "passkey", "trusted_device", "saml", "google_one_tap",
  ]

  /// - Throws: `form_param_value_disabled` for one that only the API knows,
  ///   `form_param_value_invalid` for any other.
  init(parameter: String) throws(ClerkRefusal) {
    guard let strategy = Self(rawValue: parameter) else {
      let isKnown =
        Self.elsewhere.contains(parameter) || parameter.hasPrefix("oauth_")
        || parameter.hasPrefix("web3_")
      throw isKnown ? .disabledValue("strategy") : .invalidValue("strategy")
    }
    self = strategy
  }

  /// The kind of contact that a code or link of this strategy is sent to; nil if none is sent.
  var contactKind: Contact.Kind? {
    switch self {
    case .emailCode, .emailLink, .resetPasswordEmailCode: .emailAddress
    case .phoneCode, .resetPasswordPhoneCode: .phoneNumber
    case .password, .totp, .backupCode, .enterpriseSSO, .ticket: nil
    }
  }

  var isReset: Bool {
    self == .resetPasswordEmailCode || self == .resetPasswordPhoneCode
  }
}
