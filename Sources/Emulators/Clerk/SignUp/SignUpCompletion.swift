internal import GRDB

/// Source: <doc:ClerkSigningUp>.
extension ClerkTransaction {
  /// Makes the account and its session.
  ///
  /// - Returns: A refusal if an identifier was claimed meanwhile.
  /// - Throws: `session_exists` if the client was signed in meanwhile.
  func complete(_ signUp: inout ClerkSignUp) throws -> ClerkRefusal? {
    try refuseIfSignedIn()
    let state = signUp.state
    let claimed: [(Contact.Kind, String?)] = [
      (.emailAddress, state.emailAddress), (.phoneNumber, state.phoneNumber),
      (.username, state.username),
    ]
    for (kind, value) in claimed {
      guard let value else { continue }
      if try Account.contact(kind, value, db) != nil { return .identificationClaimed }
    }
    var description = AccountDescription()
    description.emailAddresses = state.emailAddress.map { [$0] } ?? []
    description.phoneNumbers = state.phoneNumber.map { [$0] } ?? []
    description.username = state.username
    description.firstName = state.firstName
    description.lastName = state.lastName
    var account = try description.insert(password: state.password, at: now, random: random, db)
    account.unsafeMetadata = state.unsafeMetadata
    account.legalAcceptedAt = state.legalAcceptedAt
    try account.update(db)
    try keepProofs(of: account, state)
    let strategy = state.emailVerification?.strategy ?? state.phoneVerification?.strategy
    let session = try openSession(for: account, by: strategy ?? .password, hasSecondFactor: false)
    try spendInvitation(signUp.state.invitationID)
    signUp.state.createdAccountID = account.id
    signUp.state.createdSessionID = session.id
    signUp.state.password = nil
    return nil
  }

  /// Stores how the account's contacts were verified.
  private func keepProofs(of account: Account, _ state: ClerkSignUp.State) throws {
    for contact in try Account.contacts(of: account.id, db) {
      let verification: Verification? =
        switch contact.kind {
        case .emailAddress: state.emailVerification
        case .phoneNumber: state.phoneVerification
        case .username: nil
        }
      try ContactProof(id: contact.id, verification: verification).update(db)
    }
  }
}
