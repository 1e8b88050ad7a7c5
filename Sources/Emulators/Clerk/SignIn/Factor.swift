/// A way to prove a factor that an attempt offers, with the contact that it uses.
struct Factor: Sendable, Hashable {
  var strategy: Strategy
  var contact: Contact?
  /// Whether the contact was typed, and so is shown in full; others are masked.
  var isTyped = false
  /// Whether the JSON says if the contact is the default second factor.
  var showsDefault = false
  /// The organization whose page it continues at.
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
