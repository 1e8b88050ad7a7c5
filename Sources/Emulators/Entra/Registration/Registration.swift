internal import GRDB

/// Registering a strong method while signing in.
///
/// Source: Microsoft, native authentication API reference, `/register/v1.0/*`.
extension EntraTransaction {
  /// `POST /register/v1.0/introspect`.
  func introspectRegistration() throws -> EntraOutcome {
    var flow = try flow()
    guard
      case .signIn(.registration(_, let provenAddress), let accountID) = flow.state.stage
    else { throw wrongStage }
    let address = try address(of: account(accountID))
    let token = try move(
      &flow,
      to: .signIn(.registration(.methodDue, provenAddress: provenAddress), accountID: accountID)
    )
    var mail: JSON = ["id": "email", "challenge_type": "oob", "challenge_channel": "email"]
    mail["login_hint"] = address.map(JSON.string)
    return .success([
      "continuation_token": .string(token),
      "methods": [
        mail, ["id": "sms", "challenge_type": "oob", "challenge_channel": "sms"],
      ],
    ])
  }

  /// `POST /register/v1.0/challenge`.
  func challengeRegistration() throws -> EntraOutcome {
    var flow = try flow()
    guard
      case .signIn(.registration(_, let provenAddress), let accountID) = flow.state.stage
    else { throw wrongStage }
    guard try form.required("challenge_type") == "oob" else {
      throw EntraRefusal.unsupportedChallengeType
    }
    let typed = try form.required("challenge_target")
    let method = try contact(typed)
    let account = try account(accountID)
    if let reply = browserRequired(for: .oob, offered: flow.state.offered) { return reply }
    if let reply = try distrust(of: method.target) { return reply }
    func stage(_ stage: EntraFlow.RegistrationStage) -> EntraFlow.Stage {
      .signIn(.registration(stage, provenAddress: provenAddress), accountID: accountID)
    }
    if method.channel == .email, method.target == provenAddress {
      let token = try move(&flow, to: stage(.preverified(method)))
      return .success(["continuation_token": .string(token), "challenge_type": "preverified"])
    }
    if let refusal = try standing(of: account) { throw refusal }
    let code = try sendCode(by: method.channel, to: method.target, for: .secondFactor, in: &flow)
    let token = try move(&flow, to: stage(.codeDue(method, code)))
    return .success([
      "continuation_token": .string(token),
      "challenge_type": "oob",
      "binding_method": "prompt",
      "challenge_target": .string(typed),
      "challenge_channel": .string(method.channel.rawValue),
      "code_length": .integer(Int64(Self.codeLength)),
      "interval": .integer(Int64(settings.resendCooldownSeconds)),
    ])
  }

  /// `POST /register/v1.0/continue`.
  func continueRegistration() throws -> EntraOutcome {
    let grant = try form.required("grant_type")
    guard grant == "oob" || grant == "continuation_token" else {
      throw EntraRefusal.wrongGrantType
    }
    let flow = try flow()
    guard
      case .signIn(.registration(let stage, let provenAddress), let accountID) = flow.state.stage
    else { throw wrongStage }
    switch stage {
    case .codeDue(let method, let code) where grant == "oob":
      let refusal = try refusal(of: code, in: flow, account(accountID)) {
        .signIn(
          .registration(.codeDue(method, $0), provenAddress: provenAddress),
          accountID: accountID
        )
      }
      if let refusal { return .refused(refusal) }
      return try register(method, of: accountID, flow)
    case .preverified(let method) where grant == "continuation_token":
      return try register(method, of: accountID, flow)
    case .methodDue, .codeDue, .preverified: throw wrongStage
    }
  }

  private func register(
    _ method: AccountDescription.Entra.Method,
    of accountID: String,
    _ flow: EntraFlow
  ) throws -> EntraOutcome {
    var flow = flow
    var account = try account(accountID)
    account.entra.registrationRequired = false
    try keep(method, of: &account)
    account.updatedAt = now
    try account.update(db)
    let token = try move(
      &flow,
      to: .signIn(.tokenDue(after: .registration), accountID: accountID)
    )
    return .success(["continuation_token": .string(token)])
  }

  /// Stores a proven contact: as the account's own where possible, otherwise as one of its methods.
  private func keep(_ method: AccountDescription.Entra.Method, of account: inout Account) throws {
    let factors = try secondFactors(of: account)
    guard !factors.contains(SecondFactor(method.channel, method.target, of: account.id)) else {
      return
    }
    if try address(of: account) == method.target {
      account.hasEmailSecondFactor = true
    } else if method.channel == .sms,
      try Account.contact(.phoneNumber, method.target, db) == nil
    {
      let contacts = try Account.contacts(of: account.id, db)
      try Contact(
        id: random.identifier("idn"),
        accountID: account.id,
        kind: .phoneNumber,
        value: method.target,
        isPrimary: !contacts.contains { $0.kind == .phoneNumber },
        isSecondFactor: true,
        isDefaultSecondFactor: !contacts.contains(where: \.isDefaultSecondFactor),
        createdAt: now,
        position: contacts.nextPosition
      ).insert(db)
    } else {
      account.entra.methods.append(method)
    }
  }

  /// The typed contact, with the channel that is named or that its form implies.
  ///
  /// - Throws: `invalid_request` 901001 for one that cannot be used.
  private func contact(_ typed: String) throws -> AccountDescription.Entra.Method {
    let named = form.text("challenge_channel")
    let channel: Message.Channel
    switch named {
    case nil: channel = Message.Channel(reaching: typed)
    case "email": channel = .email
    case "sms": channel = .sms
    case .some: throw EntraRefusal.unusableContact
    }
    let method = AccountDescription.Entra.Method(channel: channel, target: typed)
    guard let usable = method.normalized else { throw EntraRefusal.unusableContact }
    return usable
  }
}

extension EntraRefusal {
  static let unusableContact = Self(
    "invalid_request",
    nil,
    901_001,
    "The challenge target is not valid: send an email address, or a phone number with its plus."
  )

  static let unsupportedChallengeType = Self(
    "invalid_request",
    nil,
    901_007,
    "The challenge type of the method must be 'oob'."
  )
}
