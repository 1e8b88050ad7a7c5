internal import GRDB

/// Source: Microsoft, native authentication API reference, `/signup/v1.0/*`.
extension EntraTransaction {
  /// `POST /signup/v1.0/start`.
  func startSignUp() throws -> EntraReply {
    let offered = try offeredChallengeTypes()
    guard settings.signUpMode == .public else { throw EntraRefusal.signUpClosed }
    guard let username = form.text("username"), let identifier = try? identifier(username),
      identifier.kind == .emailAddress
    else { throw EntraRefusal.invalidParameter("username") }
    if try Account.contact(.emailAddress, identifier.value, db) != nil {
      throw EntraRefusal.userAlreadyExists
    }
    var details = SignUpDetails(address: identifier.value)
    if let password = form.text("password") {
      guard supported.contains(.password) else { throw EntraRefusal.unsupportedMethod }
      if let flaw = EntraPasswordRules(settings: settings).flaw(in: password) {
        throw EntraRefusal.password(flaw)
      }
      details.password = try freshHash(of: password)
    }
    try takeAttributes(into: &details)
    let token = try begin(
      EntraFlow.State(
        step: .signUpChallengeDue,
        username: username,
        offered: offered,
        capabilities: declaredCapabilities(),
        signUp: details
      )
    )
    return .success(["continuation_token": token])
  }

  /// `POST /signup/v1.0/challenge`: of the address, or of the password that is still to be set.
  func challengeSignUp() throws -> EntraReply {
    var flow = try flow(
      at: [.signUpChallengeDue, .signUpCodeDue, .signUpCredentialDue, .signUpPasswordDue]
    )
    if form.text("challenge_type") != nil { flow.state.offered = try offeredChallengeTypes() }
    let details = details(of: flow)
    if details.isVerified {
      if let reply = browserRequired(for: .password, offered: flow.state.offered) { return reply }
      let token = try move(&flow, to: .signUpPasswordDue)
      return .success(["continuation_token": .string(token), "challenge_type": "password"])
    }
    if let reply = browserRequired(for: .oob, offered: flow.state.offered) { return reply }
    try sendCode(by: .email, to: details.address, for: .signUp, in: &flow)
    let token = try move(&flow, to: .signUpCodeDue)
    return codeSent(by: .email, to: details.address, continuation: token)
  }

  /// `POST /signup/v1.0/continue`.
  func continueSignUp() throws -> EntraReply {
    switch try form.required("grant_type") {
    case "oob": try continueWithCode()
    case "password": try continueWithPassword()
    case "attributes": try continueWithAttributes()
    default: throw EntraRefusal.wrongGrantType
    }
  }

  private func continueWithCode() throws -> EntraReply {
    var flow = try flow(at: [.signUpCodeDue])
    var details = details(of: flow)
    try takeAttributes(into: &details)
    if let refusal = try refusalOfCode(in: flow, of: nil) { return .refused(refusal) }
    details.isVerified = true
    flow.state.code = nil
    return try advance(&flow, details)
  }

  private func continueWithPassword() throws -> EntraReply {
    var flow = try flow(at: [.signUpPasswordDue])
    var details = details(of: flow)
    let password = try form.required("password")
    if let flaw = EntraPasswordRules(settings: settings).flaw(in: password) {
      throw EntraRefusal.password(flaw)
    }
    try takeAttributes(into: &details)
    details.password = try freshHash(of: password)
    return try advance(&flow, details)
  }

  private func continueWithAttributes() throws -> EntraReply {
    var flow = try flow(at: [.signUpCodeDue, .signUpAttributesDue])
    var details = details(of: flow)
    _ = try form.required("attributes")
    try takeAttributes(into: &details)
    guard !details.isVerified else { return try advance(&flow, details) }
    flow.state.signUp = details
    return try move(
      &flow,
      to: .signUpCodeDue,
      saying: .verificationRequired.carrying(
        JSON.Member("unverified_attributes", [["name": "email"]])
      )
    )
  }

  /// Goes on to what is still missing, or makes the account.
  private func advance(_ flow: inout EntraFlow, _ details: SignUpDetails) throws -> EntraReply {
    flow.state.signUp = details
    let takesPassword =
      supported.contains(.password) && flow.state.offered.contains(.password)
    if details.password == nil, takesPassword {
      return try move(&flow, to: .signUpCredentialDue, saying: .credentialRequired)
    }
    let asked = EntraAttributes(settings).asked(having: details.attributes)
    guard asked.isEmpty else {
      return try move(
        &flow,
        to: .signUpAttributesDue,
        saying: .attributesRequired.carrying(
          JSON.Member("required_attributes", .array(asked.map(\.json)))
        )
      )
    }
    let account = try makeAccount(details)
    flow.state.accountID = account.id
    flow.state.provenAddress = details.address
    flow.state.signUp?.password = nil
    let token = try move(&flow, to: .signInDue)
    return .success(["continuation_token": .string(token)])
  }

  private func makeAccount(_ details: SignUpDetails) throws -> Account {
    if try Account.contact(.emailAddress, details.address, db) != nil {
      throw EntraRefusal.userAlreadyExists
    }
    var description = AccountDescription()
    description.emailAddresses = [details.address]
    description.firstName = details.attributes["givenName"]
    description.lastName = details.attributes["surname"]
    var account = try description.insert(
      password: details.password,
      at: now,
      random: random,
      db
    )
    guard !details.attributes.isEmpty else { return account }
    let attributes = details.attributes.sorted { $0.key < $1.key }
      .map { JSON.Member($0.key, .string($0.value)) }
    let metadata: JSON = ["attributes": .object(attributes)]
    account.unsafeMetadata = String(decoding: metadata.encoded, as: UTF8.self)
    try account.update(db)
    return account
  }

  /// Takes the attributes of the call, if it brings any.
  ///
  /// - Throws: `attribute_validation_failed` with the names of the bad ones.
  private func takeAttributes(into details: inout SignUpDetails) throws {
    guard let text = form.text("attributes") else { return }
    let (values, invalid) = try EntraAttributes(settings).read(text)
    guard invalid.isEmpty else {
      throw EntraRefusal.invalidAttributes.carrying(
        JSON.Member("invalid_attributes", .array(invalid.map { ["name": .string($0)] }))
      )
    }
    details.attributes.merge(values) { $1 }
  }

  private func details(of flow: EntraFlow) -> SignUpDetails {
    guard let details = flow.state.signUp else { preconditionFailure("a sign-up without details") }
    return details
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
