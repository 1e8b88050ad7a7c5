extension Account {
  /// The account's identity at its organization; empty before its first sign-in.
  ///
  /// Source: Clerk's Swift SDK, `EnterpriseAccount`; the description leaves the shape open.
  func enterpriseAccountsJSON(_ contacts: [Contact]) -> [JSON] {
    guard isEnterprise, let lastSignInAt,
      let contact = contacts.first(where: { $0.kind == .emailAddress })
    else { return [] }
    let connection = EnterpriseConnection(of: contact.value)
    return [
      [
        "object": "enterprise_account",
        "id": .string("entacc_" + connection.id.dropFirst("entconn_".count)),
        "protocol": "saml",
        "provider": "saml_custom",
        "active": true,
        "email_address": .string(contact.value),
        "first_name": .optional(firstName),
        "last_name": .optional(lastName),
        "provider_user_id": .null,
        "public_metadata": [:],
        "last_authenticated_at": .instant(lastSignInAt),
        "verification": VerificationShape.saml.json(.verified, strategy: "saml"),
        "enterprise_connection": connection.json(since: createdAt),
      ]
    ]
  }
}

extension EnterpriseConnection {
  fileprivate func json(since createdAt: EpochMilliseconds) -> JSON {
    [
      "object": "enterprise_connection",
      "id": .string(id),
      "protocol": "saml",
      "provider": "saml_custom",
      "name": .string(name),
      "domain": .string(name),
      "logo_public_url": .null,
      "active": true,
      "sync_user_attributes": true,
      "disable_additional_identifications": false,
      "allow_subdomains": false,
      "allow_idp_initiated": false,
      "created_at": .instant(createdAt),
      "updated_at": .instant(createdAt),
    ]
  }
}
