internal import GRDB

/// The factors that an attempt to sign in offers.
///
/// Source: <doc:ClerkSigningIn>.
extension ClerkTransaction {
  /// An account and its contacts.
  typealias Identified = (account: Account, contacts: [Contact])

  /// The account of an attempt; nil for an attempt without one.
  func identified(by signIn: ClerkSignIn) throws -> Identified? {
    guard let id = signIn.accountID, let account = try Account.fetchOne(db, key: id) else {
      return nil
    }
    return (account, try Account.contacts(of: id, db))
  }

  /// The ways to prove the first factor; of each kind, the typed contact first, then primary ones.
  ///
  /// - Parameters:
  ///   - signIn: The attempt.
  ///   - person: Its account; not read if the instance protects against enumeration.
  /// - Returns: None before a contact was typed, or if the account has been deleted since.
  /// - Throws: What SQLite reports, and what `person` throws.
  func firstFactors(
    of signIn: ClerkSignIn,
    _ person: @autoclosure () throws -> Identified?
  ) throws -> [Factor] {
    guard let typed = signIn.typed else { return [] }
    guard !settings.enumerationProtection, signIn.accountID != nil else {
      return try isOfEnterprise(signIn)
        ? [.enterprise(of: typed)] : settings.factorsOfAnyone(typing: typed, at: now)
    }
    guard let (account, contacts) = try person() else { return [] }
    return settings.firstFactors(of: account, contacts, typed: typed)
  }

  /// Whether the account of an attempt signs in with its organization.
  ///
  /// Queried for a decoy, too, so that both take the same time (S19).
  private func isOfEnterprise(_ signIn: ClerkSignIn) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT isEnterprise FROM account WHERE id = ?"),
      arguments: [signIn.accountID ?? ""]
    ) ?? false
  }

  /// The ways to prove the second factor or trust a device.
  ///
  /// - Parameters:
  ///   - signIn: The attempt.
  ///   - person: Its account; read once the first factor is verified.
  /// - Returns: Nil before that, and if the attempt is complete without a second factor.
  /// - Throws: What `person` throws.
  func secondFactors(
    of signIn: ClerkSignIn,
    _ person: @autoclosure () throws -> Identified?
  ) rethrows -> [Factor]? {
    switch signIn.state.status {
    case .needsIdentifier, .needsFirstFactor, .needsNewPassword: return nil
    case .complete where signIn.state.secondFactor == nil: return nil
    case .needsSecondFactor, .needsClientTrust, .complete: break
    }
    guard let (account, contacts) = try person() else { return nil }
    let asksTrust =
      signIn.state.status == .needsClientTrust || !settings.asksSecondFactor(of: account, contacts)
    return asksTrust
      ? settings.trustFactors(contacts, typed: signIn.typed)
      : settings.secondFactors(
        of: account,
        contacts,
        typed: signIn.typed,
        links: settings.emailLink
      )
  }
}

extension InstanceSettings {
  /// The factors that an instance with protection against enumeration offers for any identifier.
  func factorsOfAnyone(
    typing typed: ClerkSignIn.TypedContact,
    at now: EpochMilliseconds
  ) -> [Factor] {
    let codes: [Strategy] =
      switch typed.kind {
      case .emailAddress:
        emailLink
          ? [.emailCode, .emailLink, .resetPasswordEmailCode]
          : [.emailCode, .resetPasswordEmailCode]
      case .phoneNumber: admits(.phoneNumber) ? [.phoneCode, .resetPasswordPhoneCode] : []
      // A masked contact would tell that there is an account.
      case .username: []
      }
    let shown = Contact(ofNobody: typed.kind, typed.value, id: typed.id, at: now)
    return [Factor(strategy: .password)]
      + codes.map { Factor(strategy: $0, contact: shown, isTyped: true) }
  }

  func firstFactors(
    of account: Account,
    _ contacts: [Contact],
    typed: ClerkSignIn.TypedContact
  ) -> [Factor] {
    if account.isEnterprise { return [.enterprise(of: typed)] }
    let hasPassword = account.password != nil
    let ordered = contacts.ordered(typed: typed)
    let emailStrategies: [Strategy] =
      account.usesEmailLink
      ? [.emailLink] : (emailLink ? [.emailCode, .emailLink] : [.emailCode])
    let emails = ordered.filter { $0.kind == .emailAddress }.flatMap { contact in
      (emailStrategies + (hasPassword ? [.resetPasswordEmailCode] : [])).map {
        Factor(strategy: $0, contact: contact, isTyped: contact.id == typed.id)
      }
    }
    let phones = ordered.filter { $0.kind == .phoneNumber && !$0.isSecondFactor }
      .flatMap { contact in
        ([.phoneCode] + (hasPassword ? [.resetPasswordPhoneCode] : [])).map {
          Factor(strategy: $0, contact: contact, isTyped: contact.id == typed.id)
        }
      }
    return (hasPassword ? [Factor(strategy: .password)] : [])
      + emails + (admits(.phoneNumber) ? phones : [])
  }

  /// The ways to establish trust in a device that is new to the account: codes or links to contacts.
  func trustFactors(_ contacts: [Contact], typed: ClerkSignIn.TypedContact?) -> [Factor] {
    contacts.ordered(typed: typed).flatMap { contact in
      let strategies: [Strategy] =
        switch contact.kind {
        case .emailAddress: emailLink ? [.emailCode, .emailLink] : [.emailCode]
        case .phoneNumber: admits(.phoneNumber) ? [.phoneCode] : []
        case .username: []
        }
      return strategies.map {
        Factor(strategy: $0, contact: contact, isTyped: contact.id == typed?.id)
      }
    }
  }

  /// The ways to prove the second factor: the account's, without texts where phone numbers are off.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - contacts: Its own.
  ///   - typed: The contact to show in full.
  ///   - links: Whether a link may be mailed as well as a code.
  /// - Returns: The ways, in the API's order.
  func secondFactors(
    of account: Account,
    _ contacts: [Contact],
    typed: ClerkSignIn.TypedContact?,
    links: Bool = false
  ) -> [Factor] {
    account.secondFactors(contacts.filter { admits($0.kind) }, typed: typed, links: links)
  }

  /// Whether a second factor is asked at every sign-in; not for texts where phone numbers are off.
  func asksSecondFactor(of account: Account, _ contacts: [Contact]) -> Bool {
    account.hasSecondFactor(contacts.filter { admits($0.kind) })
  }
}

extension Account {
  /// - Parameters:
  ///   - contacts: The account's own.
  ///   - typed: The contact to show in full.
  ///   - links: Whether a link may be mailed as well as a code.
  /// - Returns: The ways to prove the second factor, in the API's order.
  func secondFactors(
    _ contacts: [Contact],
    typed: ClerkSignIn.TypedContact?,
    links: Bool = false
  ) -> [Factor] {
    let ordered = contacts.ordered(typed: typed)
    let phones = ordered.filter { $0.kind == .phoneNumber && $0.isSecondFactor }
    let emails = hasEmailSecondFactor ? ordered.filter { $0.kind == .emailAddress } : []
    return (totpSecret == nil ? [] : [Factor(strategy: .totp)])
      + (unusedBackupCodes.isEmpty ? [] : [Factor(strategy: .backupCode)])
      + phones.map { contact in
        Factor(
          strategy: .phoneCode,
          contact: contact,
          isTyped: contact.id == typed?.id,
          showsDefault: true
        )
      }
      + emails.flatMap { contact in
        (links ? [Strategy.emailCode, .emailLink] : [.emailCode]).map {
          Factor(strategy: $0, contact: contact, isTyped: contact.id == typed?.id)
        }
      }
  }
}

extension Factor {
  /// The sign-in at the page of a typed contact's organization.
  fileprivate static func enterprise(of typed: ClerkSignIn.TypedContact) -> Self {
    Factor(strategy: .enterpriseSSO, connection: EnterpriseConnection(of: typed.value))
  }
}

extension [Contact] {
  /// The typed contact, then the default second factor, then the primary ones, then the others.
  func ordered(typed: ClerkSignIn.TypedContact?) -> [Contact] {
    func rank(_ contact: Contact) -> Int {
      if contact.id == typed?.id { return 0 }
      if contact.isDefaultSecondFactor { return 1 }
      return contact.isPrimary ? 2 : 3
    }
    return enumerated()
      .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
      .map(\.element)
  }
}
