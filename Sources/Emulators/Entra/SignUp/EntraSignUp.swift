internal import GRDB

/// Source: Microsoft, native authentication API reference, `/signup/v1.0/*`.
extension EntraTransaction {
  /// `POST /signup/v1.0/start`.
  func startSignUp() throws -> EntraOutcome {
    let offered = try offeredChallengeTypes()
    guard settings.signUpMode == .public else { throw EntraRefusal.signUpClosed }
    guard let username = form.text("username"), let identifier = try? identifier(username),
      identifier.kind == .emailAddress
    else { throw EntraRefusal.invalidParameter("username") }
    if try Account.contact(.emailAddress, identifier.value, db) != nil {
      throw EntraRefusal.userAlreadyExists
    }
    var details = EntraSignUpDetails(address: identifier.value)
    if let password = form.text("password") {
      guard supported.contains(.password) else { throw EntraRefusal.unsupportedMethod }
      if let flaw = EntraPasswordRules(settings: settings).flaw(in: password) {
        throw EntraRefusal.password(flaw)
      }
      details.password = try freshHash(of: password)
    }
    try takeAttributes(into: &details)
    return try begin(.signUp(.challengeDue, details), username: username, offered: offered)
  }

  /// `POST /signup/v1.0/challenge`: of the address, or of the password that is still to be set.
  func challengeSignUp() throws -> EntraOutcome {
    var flow = try flow()
    guard case .signUp(let stage, let details) = flow.state.stage else { throw wrongStage }
    if form.text("challenge_type") != nil { flow.state.offered = try offeredChallengeTypes() }
    switch stage {
    case .challengeDue, .codeDue:
      if let reply = browserRequired(for: .oob, offered: flow.state.offered) { return reply }
      let code = try sendCode(by: .email, to: details.address, for: .signUp, in: &flow)
      let token = try move(&flow, to: .signUp(.codeDue(code), details))
      return codeSent(by: .email, to: details.address, continuation: token)
    case .credentialDue, .passwordDue:
      if let reply = browserRequired(for: .password, offered: flow.state.offered) { return reply }
      let token = try move(&flow, to: .signUp(.passwordDue, details))
      return .success(["continuation_token": .string(token), "challenge_type": "password"])
    case .attributesDue: throw wrongStage
    }
  }

  /// `POST /signup/v1.0/continue`.
  func continueSignUp() throws -> EntraOutcome {
    switch try form.required("grant_type") {
    case "oob": try continueWithCode()
    case "password": try continueWithPassword()
    case "attributes": try continueWithAttributes()
    default: throw EntraRefusal.wrongGrantType
    }
  }

  private func continueWithCode() throws -> EntraOutcome {
    var flow = try flow()
    guard case .signUp(.codeDue(let code), var details) = flow.state.stage else {
      throw wrongStage
    }
    let before = details
    try takeAttributes(into: &details)
    if let refusal = try refusal(of: code, in: flow, nil, stage: { .signUp(.codeDue($0), before) })
    {
      return .refused(refusal)
    }
    return try advance(&flow, details)
  }

  private func continueWithPassword() throws -> EntraOutcome {
    var flow = try flow()
    guard case .signUp(.passwordDue, var details) = flow.state.stage else { throw wrongStage }
    let password = try form.required("password")
    if let flaw = EntraPasswordRules(settings: settings).flaw(in: password) {
      throw EntraRefusal.password(flaw)
    }
    try takeAttributes(into: &details)
    details.password = try freshHash(of: password)
    return try advance(&flow, details)
  }

  private func continueWithAttributes() throws -> EntraOutcome {
    var flow = try flow()
    guard case .signUp(let stage, var details) = flow.state.stage else { throw wrongStage }
    _ = try form.required("attributes")
    try takeAttributes(into: &details)
    switch stage {
    case .attributesDue: return try advance(&flow, details)
    case .codeDue:
      return try move(
        &flow,
        to: .signUp(stage, details),
        saying: .verificationRequired.carrying(
          JSON.Member("unverified_attributes", [["name": "email"]])
        )
      )
    case .challengeDue, .credentialDue, .passwordDue: throw wrongStage
    }
  }

  /// Asks for what is still missing, or makes the account.
  private func advance(
    _ flow: inout EntraFlow,
    _ details: EntraSignUpDetails
  ) throws -> EntraOutcome {
    let takesPassword =
      supported.contains(.password) && flow.state.offered.contains(.password)
    if details.password == nil, takesPassword {
      return try move(&flow, to: .signUp(.credentialDue, details), saying: .credentialRequired)
    }
    let asked = EntraAttributes(settings).asked(having: details.attributes)
    guard asked.isEmpty else {
      return try move(
        &flow,
        to: .signUp(.attributesDue, details),
        saying: .attributesRequired.carrying(
          JSON.Member("required_attributes", .array(asked.map(\.json)))
        )
      )
    }
    let account = try makeAccount(details)
    let token = try move(
      &flow,
      to: .signIn(.tokenDue(after: .signUp(address: details.address)), accountID: account.id)
    )
    return .success(["continuation_token": .string(token)])
  }

  private func makeAccount(_ details: EntraSignUpDetails) throws -> Account {
    if try Account.contact(.emailAddress, details.address, db) != nil {
      throw EntraRefusal.userAlreadyExists
    }
    var description = AccountDescription()
    description.emailAddresses = [details.address]
    description.firstName = details.attributes["givenName"]
    description.lastName = details.attributes["surname"]
    description.entra.attributes = details.attributes.filter {
      AccountDescription.Entra.nameKeys[$0.key] == nil
    }
    return try description.insert(password: details.password, at: now, random: random, db)
  }

  /// Adds the attributes of the call, if it has any.
  ///
  /// - Throws: `attribute_validation_failed` with the names of the bad ones.
  private func takeAttributes(into details: inout EntraSignUpDetails) throws {
    guard let text = form.text("attributes") else { return }
    let (values, invalid) = try EntraAttributes(settings).read(text)
    guard invalid.isEmpty else {
      throw EntraRefusal.invalidAttributes.carrying(
        JSON.Member("invalid_attributes", .array(invalid.map { ["name": .string($0)] }))
      )
    }
    details.attributes.merge(values) { $1 }
  }
}

/// Source: Microsoft, native authentication API reference; 55103 and 55106 are our choice.
extension EntraRefusal {
  static let signUpClosed = Self("invalid_request", nil, nil, "Sign-up is not enabled.")

  static let unsupportedMethod = Self(
    "unsupported_auth_method",
    nil,
    nil,
    "The tenant does not sign up with passwords."
  )

  static let credentialRequired = Self(
    "credential_required",
    nil,
    55_103,
    "A credential is required."
  )

  static let attributesRequired = Self(
    "attributes_required",
    nil,
    55_106,
    "User attributes are required."
  )

  static let verificationRequired = Self(
    "verification_required",
    nil,
    nil,
    "The address has to be verified first."
  )

  static let invalidAttributes = Self(
    "invalid_grant",
    "attribute_validation_failed",
    nil,
    "User attributes failed validation."
  )
}
