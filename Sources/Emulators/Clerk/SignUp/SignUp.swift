internal import GRDB

/// Source: <doc:ClerkSigningUp>.
extension ClerkTransaction {
  /// `POST /v1/client/sign_ups`.
  func createSignUp() throws -> ClerkOutcome {
    try refuseIfSignedIn()
    let invitation = try invitation()
    if invitation == nil { try refuseIfClosed() }
    try form.checkLocale()
    try refuseIfUncheckedForBots()
    if try form.flag("transfer") == true { throw ClerkRefusal.transferInvalid }
    let strategy = try signUpStrategy()
    var signUp = ClerkSignUp(
      id: random.identifier("sua"),
      clientID: "",
      createdAt: now,
      abandonAt: now.adding(seconds: Self.abandonSeconds),
      state: ClerkSignUp.State(locale: call.locale)
    )
    try take(into: &signUp)
    try welcome(invitation, to: &signUp)
    let client = try clientOrNew()
    signUp.clientID = client.id
    try signUp.insert(db)
    try updateClient { $0.signUpID = signUp.id }
    try forgetOldAttempts(of: client, in: "signUp")
    return try goOn(with: &signUp, sending: strategy)
  }

  /// `GET /v1/client/sign_ups/{id}`.
  func readSignUp(_ id: String) throws -> ClerkOutcome {
    .resource(try signUpJSON(ownSignUp(id)))
  }

  /// `PATCH /v1/client/sign_ups/{id}`.
  func updateSignUp(_ id: String) throws -> ClerkOutcome {
    var signUp = try openSignUp(id)
    try form.checkLocale()
    let strategy = try signUpStrategy()
    let address = signUp.state.emailAddress
    try take(into: &signUp)
    signUp.state.locale = try form.filled("locale") ?? signUp.state.locale
    try refuseOtherAddress(than: address, in: signUp)
    return try goOn(with: &signUp, sending: strategy)
  }

  /// `POST …/prepare_verification`.
  func prepareSignUp(_ id: String) throws -> ClerkOutcome {
    try form.allowOnly([
      "strategy", "channel", "redirect_url", "redirect_uri", "code_challenge",
      "code_challenge_method",
    ])
    var signUp = try openSignUp(id)
    let strategy = try Strategy(parameter: form.required("strategy"))
    try send(strategy, for: &signUp)
    return .resource(try signUpJSON(signUp))
  }

  /// `POST …/attempt_verification`.
  func attemptSignUp(_ id: String) throws -> ClerkOutcome {
    try form.allowOnly(["strategy", "code"])
    var signUp = try openSignUp(id)
    let strategy = try Strategy(parameter: form.required("strategy"))
    guard strategy != .emailLink else { throw ClerkRefusal.invalidValue("strategy") }
    let code = try form.required("code")
    let path = try verificationPath(strategy)
    var attempt = signUp
    let isRight = try isRight(code, for: strategy, &attempt.state[keyPath: path]) { verification in
      var counted = signUp
      counted.state[keyPath: path] = verification
      try save(&counted)
    }
    signUp = attempt
    guard isRight else { return .refused(ClerkRefusal(422, .codeIncorrect)) }
    return try goOn(with: &signUp, sending: nil)
  }

  /// The client's newest attempt, unless it is over.
  func presentSignUp(of client: ClerkClient) throws -> ClerkSignUp? {
    guard let id = client.signUpID, let signUp = try ClerkSignUp.fetchOne(db, key: id),
      signUp.abandonAt > now, !signUp.isComplete
    else { return nil }
    return signUp
  }

  /// Sends the code or link that is asked for, then completes the attempt if nothing is left to do.
  func goOn(with signUp: inout ClerkSignUp, sending strategy: Strategy?) throws
    -> ClerkOutcome
  {
    if let strategy {
      // This call can bring the contact along with the strategy, so the refusal asks for it.
      let contact = (strategy.contactKind ?? .emailAddress).rawValue
      try send(strategy, for: &signUp, orElse: .required(contact, with: "strategy"))
    }
    if signUp.missingFields(settings).isEmpty, signUp.unverifiedFields.isEmpty {
      if let refusal = try complete(&signUp) {
        try save(&signUp)
        return .refused(refusal)
      }
    }
    try save(&signUp)
    return .resource(try signUpJSON(signUp))
  }

  /// - Throws: `refusal` if there is no contact to send to; `verification_already_verified`.
  private func send(
    _ strategy: Strategy,
    for signUp: inout ClerkSignUp,
    orElse refusal: ClerkRefusal = .stateInvalid
  ) throws {
    let path = try verificationPath(strategy)
    let kind = strategy.contactKind ?? .emailAddress
    let value = kind == .emailAddress ? signUp.state.emailAddress : signUp.state.phoneNumber
    guard let value else { throw refusal }
    if signUp.state[keyPath: path]?.status == .verified {
      throw ClerkRefusal.verificationAlreadyVerified
    }
    let contact = Contact(ofNobody: kind, value, id: value, at: now)
    // The owner of a contact that is taken gets no message, and no code will be right.
    let isDelivered = try Account.contact(kind, value, db) == nil
    let previous = signUp.state[keyPath: path]
    signUp.state[keyPath: path] =
      strategy == .emailLink
      ? try issueLink(
        of: signUp.id,
        to: contact,
        for: .signUp,
        replacing: previous,
        isDelivered: isDelivered
      )
      : try issueCode(
        strategy,
        to: contact,
        for: .signUp,
        replacing: previous,
        isDelivered: isDelivered
      )
    try save(&signUp)
  }

  private func verificationPath(
    _ strategy: Strategy
  ) throws -> WritableKeyPath<ClerkSignUp.State, Verification?> {
    switch strategy {
    case .emailCode: return \.emailVerification
    case .emailLink where settings.emailLink: return \.emailVerification
    case .emailLink: throw ClerkRefusal.disabledValue("strategy")
    case .phoneCode: return \.phoneVerification
    case .password, .resetPasswordEmailCode, .resetPasswordPhoneCode, .totp, .backupCode,
      .enterpriseSSO, .ticket:
      throw ClerkRefusal.invalidValue("strategy")
    }
  }

  /// The strategy for a code or link that the call names; nil for `password` and `ticket`.
  private func signUpStrategy() throws -> Strategy? {
    guard let name = try form.filled("strategy") else { return nil }
    let strategy = try Strategy(parameter: name)
    return strategy == .password || strategy == .ticket ? nil : strategy
  }

  /// - Throws: `captcha_missing_token`; any token is accepted, since the emulator cannot check it.
  private func refuseIfUncheckedForBots() throws {
    guard settings.botProtection, try form.filled("captcha_token") == nil else { return }
    throw ClerkRefusal(
      400,
      ClerkProblem(
        "captcha_missing_token",
        "Bot check missing",
        "This instance checks for bots at sign-up. Send the token of the check, or use a page that "
          + "shows it."
      )
    )
  }

  private func refuseIfClosed() throws {
    switch settings.signUpMode {
    case .public: break
    case .restricted:
      throw ClerkRefusal.badRequest(
        "sign_up_mode_restricted",
        "Sign-ups are closed.",
        status: 403
      )
    case .waitlist:
      throw ClerkRefusal.badRequest(
        "sign_up_restricted_waitlist",
        "Sign-ups are by waiting list only.",
        status: 403
      )
    }
  }

  private func save(_ signUp: inout ClerkSignUp) throws {
    signUp.abandonAt = now.adding(seconds: Self.abandonSeconds)
    try signUp.update(db)
  }

  private func ownSignUp(_ id: String) throws -> ClerkSignUp {
    let client = try requireClient()
    guard let signUp = try ClerkSignUp.fetchOne(db, key: id), signUp.clientID == client.id,
      signUp.abandonAt > now
    else { throw ClerkRefusal.resourceNotFound }
    attemptLocale = signUp.state.locale
    return signUp
  }

  /// The attempt whose link was opened, which must be this client's.
  func linkedSignUp(_ id: String) throws -> ClerkSignUp {
    let signUp = try ownSignUp(id)
    guard !signUp.isComplete else { throw ClerkRefusal.approvalTokenConsumed }
    return signUp
  }

  private func openSignUp(_ id: String) throws -> ClerkSignUp {
    let signUp = try ownSignUp(id)
    guard try requireClient().signUpID == id else { throw ClerkRefusal.resourceForbidden }
    guard !signUp.isComplete else { throw ClerkRefusal.stateInvalid }
    return signUp
  }
}
