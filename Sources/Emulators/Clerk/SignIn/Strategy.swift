internal import Foundation
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
  /// Worth a factor that was proven elsewhere: a redeemed link, an invitation.
  case ticket

  /// Strategies that the API has and no emulated instance offers.
  private static let elsewhere: Set<String> = [
    "passkey", "trusted_device", "saml", "google_one_tap",
  ]

  /// - Throws: `form_param_value_disabled` for one that the API knows, else
  ///   `form_param_value_invalid`.
  init(parameter: String) throws(ClerkRefusal) {
    guard let strategy = Self(rawValue: parameter) else {
      let isKnown =
        Self.elsewhere.contains(parameter) || parameter.hasPrefix("oauth_")
        || parameter.hasPrefix("web3_")
      throw isKnown ? .disabledValue("strategy") : .invalidValue("strategy")
    }
    self = strategy
  }

  /// The kind of contact that a code of this strategy goes to; nil where none is sent.
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

/// The organization that an account signs in with.
struct EnterpriseConnection: Sendable, Hashable {
  var name: String

  /// The one of an address's domain.
  init(of address: String) {
    name = address.split(separator: "@").last.map(String.init) ?? address
  }

  var id: String {
    let digest = Data(sha256Of: "connection:\(name)")
    return "entconn_" + digest.prefix(13).map { String($0, radix: 36) }.joined()
  }
}

/// One of the ways that an attempt offers, and the contact it goes to.
struct Factor: Sendable, Hashable {
  var strategy: Strategy
  var contact: Contact?
  /// Shown in full to whoever typed it, masked to others.
  var isTyped = false
  /// Says so where it is the default second factor.
  var showsDefault = false
  /// Whose page it goes on at.
  var connection: EnterpriseConnection?

  /// Source: <doc:ClerkSigningIn>.
  var json: JSON {
    var json: JSON = ["strategy": .string(strategy.rawValue)]
    if let connection {
      json["enterprise_connection_id"] = .string(connection.id)
      json["enterprise_connection_name"] = .string(connection.name)
    }
    guard let contact else { return json }
    json["safe_identifier"] = .string(
      isTyped ? contact.value : contact.kind.masked(contact.value)
    )
    switch contact.kind {
    case .emailAddress: json["email_address_id"] = .string(contact.id)
    case .phoneNumber: json["phone_number_id"] = .string(contact.id)
    case .username: break
    }
    json["primary"] = .bool(contact.isPrimary)
    if showsDefault { json["default"] = .bool(contact.isDefaultSecondFactor) }
    return json
  }
}
