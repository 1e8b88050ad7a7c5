internal import GRDB

/// Source: <doc:ClerkUsers>.
extension ClerkTransaction {
  func userJSON(_ account: Account, _ contacts: [Contact]) throws -> JSON {
    let lockout = try Lockout.of(account.id, at: now, db)
    let hasSecondFactor = settings.asksSecondFactor(of: account, contacts)
    let ownContacts = try contactsJSON(account, contacts)
    func primaryID(_ kind: Contact.Kind) -> JSON {
      .optional(contacts.first { $0.kind == kind && $0.isPrimary }?.id)
    }
    let person: JSON = [
      "object": "user",
      "id": .string(account.id),
      "username": .optional(contacts.first { $0.kind == .username }?.value),
      "first_name": .optional(account.firstName),
      "last_name": .optional(account.lastName),
      "image_url": "",
      "has_image": false,
      "primary_email_address_id": primaryID(.emailAddress),
      "primary_phone_number_id": primaryID(.phoneNumber),
      "primary_web3_wallet_id": .null,
      "password_enabled": .bool(account.password != nil),
      "two_factor_enabled": .bool(hasSecondFactor),
      "totp_enabled": .bool(account.totpSecret != nil),
      "backup_code_enabled": .bool(!account.unusedBackupCodes.isEmpty),
      "email_addresses": .array(ownContacts(.emailAddress)),
      "phone_numbers": .array(ownContacts(.phoneNumber)),
    ]
    let others: JSON = [
      "web3_wallets": [],
      "passkeys": [],
      "external_accounts": [],
      "saml_accounts": [],
      "enterprise_accounts": .array(account.enterpriseAccountsJSON(contacts)),
      "organization_memberships": .array(
        try Membership.all(of: account.id, db).map { try membershipJSON($0, account) }
      ),
    ]
    let rest: JSON = [
      "password_last_updated_at": .optional(account.passwordUpdatedAt),
      "public_metadata": [:],
      "unsafe_metadata": account.unsafeMetadataJSON,
      "external_id": .null,
      "last_sign_in_at": .optional(account.lastSignInAt),
      "banned": .bool(account.isBanned),
      "locked": .bool(lockout.isLocked),
      "lockout_expires_in_seconds": lockout.secondsLeft(at: now).map { .integer(Int64($0)) }
        ?? .null,
      "verification_attempts_remaining": settings.lockoutAttempts == 0
        ? .null : .integer(Int64(max(0, settings.lockoutAttempts - lockout.failureCount))),
      "delete_self_enabled": true,
      "create_organization_enabled": .bool(settings.organizationCreation),
      "create_organizations_limit": 0,
      // With the precision of a day.
      "last_active_at": .optional(account.lastActiveAt?.startOfDay),
      "mfa_enabled_at": .optional(account.mfaEnabledAt),
      "mfa_disabled_at": .optional(account.mfaDisabledAt),
      "legal_accepted_at": .optional(account.legalAcceptedAt),
      "created_at": .instant(account.createdAt),
      "updated_at": .instant(account.updatedAt),
    ]
    return person.followed(by: others).followed(by: rest)
  }

  /// The resource of a verified contact.
  ///
  /// - Parameters:
  ///   - contact: The contact.
  ///   - account: Its account.
  ///   - backupCodes: Shown once, if the contact has just become the first second factor.
  /// - Returns: The resource.
  /// - Throws: What SQLite reports.
  func contactJSON(
    _ contact: Contact,
    _ account: Account,
    backupCodes: [String]? = nil
  ) throws -> JSON {
    let proof = try ContactProof.fetchOne(db, key: contact.id)?.verification
    return contactJSON(contact, account, proof, backupCodes: backupCodes)
  }

  /// The resource of a verified contact, with its proof.
  ///
  /// - Parameters:
  ///   - contact: The contact.
  ///   - account: Its account.
  ///   - proof: How it was verified; nil if whoever created the account vouches for it.
  ///   - backupCodes: Shown once, if the contact has just become the first second factor.
  /// - Returns: The resource.
  func contactJSON(
    _ contact: Contact,
    _ account: Account,
    _ proof: Verification?,
    backupCodes: [String]? = nil
  ) -> JSON {
    let vouchedFor = VerificationShape.admin.json(.verified, strategy: "admin")
    return contactJSON(
      contact,
      verification: proof?.json(at: now) ?? vouchedFor,
      matchesConnection: account.isEnterprise,
      backupCodes: backupCodes
    )
  }

  /// The resource of a contact, verified or not.
  ///
  /// - Parameters:
  ///   - contact: The contact.
  ///   - verification: The JSON of its verification.
  ///   - matchesConnection: Whether an address signs in with its organization.
  ///   - backupCodes: Shown once, if the contact has just become the first second factor.
  /// - Returns: The resource.
  func contactJSON(
    _ contact: Contact,
    verification: JSON,
    matchesConnection: Bool = false,
    backupCodes: [String]? = nil
  ) -> JSON {
    var json: JSON = [
      "object": .string(contact.kind.rawValue),
      "id": .string(contact.id),
      (contact.kind.rawValue): .string(contact.value),
      "reserved": false,
      "verification": verification,
      "linked_to": [],
      "created_at": .instant(contact.createdAt),
      "updated_at": .instant(contact.createdAt),
    ]
    switch contact.kind {
    case .emailAddress:
      json["matches_sso_connection"] = .bool(matchesConnection)
    case .phoneNumber:
      json["reserved_for_second_factor"] = .bool(contact.isSecondFactor)
      json["default_second_factor"] = .bool(contact.isDefaultSecondFactor)
      json["backup_codes"] = backupCodes.map(JSON.strings) ?? .null
    case .username:
      break
    }
    return json
  }
}
