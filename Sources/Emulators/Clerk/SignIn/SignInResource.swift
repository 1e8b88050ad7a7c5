internal import GRDB

/// Source: <doc:ClerkSigningIn>.
extension ClerkTransaction {
  func signInJSON(_ signIn: ClerkSignIn) throws -> JSON {
    let state = signIn.state
    var read: Identified??
    /// Reads the account once, and only if the answer has something of it.
    func person() throws -> Identified? {
      if let read { return read }
      let person = try identified(by: signIn)
      read = .some(person)
      return person
    }
    return [
      "object": "sign_in_attempt",
      "id": .string(signIn.id),
      "status": .string(state.status.rawValue),
      "supported_identifiers": .strings(supportedIdentifiers),
      "supported_first_factors": try factorsJSON(
        state.subject == .unidentified ? nil : firstFactors(of: signIn, person())
      ),
      "supported_second_factors": try factorsJSON(secondFactors(of: signIn, person())),
      "first_factor_verification": state.firstFactor?.json(at: now) ?? .null,
      "second_factor_verification": state.secondFactor?.json(at: now) ?? .null,
      "identifier": .optional(signIn.typed?.value),
      "user_data": settings.enumerationProtection
        ? .null : try person().map { userDataJSON($0.account) } ?? .null,
      "created_session_id": .optional(state.createdSessionID),
      "abandon_at": .instant(signIn.abandonAt),
      "client_trust_state": .string(state.trust.rawValue),
    ]
  }

  private var supportedIdentifiers: [String] {
    Contact.Kind.allCases.filter(settings.admits).map(\.rawValue)
  }

  private func factorsJSON(_ factors: [Factor]?) -> JSON {
    factors.map { .array($0.map(\.json)) } ?? .null
  }

  private func userDataJSON(_ account: Account) -> JSON {
    [
      "first_name": .optional(account.firstName),
      "last_name": .optional(account.lastName),
      "image_url": "",
      "has_image": false,
    ]
  }
}

extension InstanceSettings {
  /// Whether people may sign in with such a contact.
  func admits(_ kind: Contact.Kind) -> Bool {
    switch kind {
    case .emailAddress: true
    case .phoneNumber: phone != .off
    case .username: username != .off
    }
  }
}
