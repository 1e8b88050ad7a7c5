internal import GRDB
internal import HTTPTypes

/// Source: <doc:ClerkUsers>.
extension ClerkTransaction {
  /// `GET /v1/me/email_addresses`: a bare array.
  func readEmailAddresses() throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    let contacts = try Account.contacts(of: account.id, db)
    return .bare(.array(try contactsJSON(account, contacts)(.emailAddress)))
  }

  /// `POST /v1/me/email_addresses`.
  func createEmailAddress() throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    return .resource(unverifiedJSON(try addContact(.emailAddress, to: account)))
  }

  /// `GET /v1/me/email_addresses/{id}`.
  func readEmailAddress(_ id: String) throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    return .resource(try json(ownContact(id, .emailAddress, of: account), account))
  }

  /// `POST …/prepare_verification`.
  func prepareEmailAddress(_ id: String) throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    var added = try unverifiedContact(id, .emailAddress, of: account)
    let contact = added.contact(among: [])
    switch try Strategy(parameter: form.required("strategy")) {
    case .emailCode:
      added.verification = try issueCode(
        .emailCode,
        to: contact,
        for: .signUp,
        replacing: added.verification,
        isDelivered: isFree(added)
      )
    case .emailLink where settings.emailLink:
      added.verification = try issueLink(
        of: added.id,
        to: contact,
        for: .signUp,
        replacing: added.verification,
        isDelivered: isFree(added),
        admitsApps: false
      )
    case .emailLink: throw ClerkRefusal.disabledValue("strategy")
    case .password, .phoneCode, .resetPasswordEmailCode, .resetPasswordPhoneCode, .totp,
      .backupCode, .enterpriseSSO, .ticket:
      throw ClerkRefusal.invalidValue("strategy")
    }
    try added.update(db)
    return .resource(unverifiedJSON(added))
  }

  /// `POST …/attempt_verification`.
  func attemptEmailAddress(_ id: String) throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    var added = try unverifiedContact(id, .emailAddress, of: account)
    guard try isRightCode(for: &added, .emailCode) else {
      return .refused(ClerkRefusal(422, .codeIncorrect))
    }
    return .resource(try contactJSON(own(added), account))
  }

  /// `DELETE /v1/me/email_addresses/{id}`.
  func deleteEmailAddress(_ id: String) throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    switch try ownContact(id, .emailAddress, of: account) {
    case .unverified(let added): try added.delete(db)
    case .verified(let contact): try forget(contact)
    }
    return .resource(["object": "email_address", "id": .string(id), "deleted": true])
  }
}
