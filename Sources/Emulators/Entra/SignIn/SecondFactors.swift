internal import GRDB

/// Source: Microsoft, native authentication API reference, `introspect`, `challenge`.
extension EntraTransaction {
  /// The second factors of an account, in the order in which they are offered.
  func secondFactors(of account: Account) throws -> [SecondFactor] {
    let contacts = try Account.contacts(of: account.id, db)
    var factors: [SecondFactor] = []
    if account.hasEmailSecondFactor,
      let address = contacts.first(where: { $0.kind == .emailAddress })?.value
    {
      factors.append(SecondFactor(.email, address, of: account.id))
    }
    factors += contacts.filter { $0.kind == .phoneNumber && $0.isSecondFactor }
      .map { SecondFactor(.sms, $0.value, of: account.id) }
    for method in account.entra.methods {
      let factor = SecondFactor(method.channel, method.target, of: account.id)
      if !factors.contains(factor) { factors.append(factor) }
    }
    return factors
  }

  /// `POST /oauth2/v2.0/introspect`.
  func introspect() throws -> EntraOutcome {
    var flow = try flow()
    guard case .signIn(let stage, let accountID) = flow.state.stage, stage.asksSecondFactor else {
      throw wrongStage
    }
    let factors = try secondFactors(of: account(accountID))
    // Backstage may have removed the last one; clients fail on an empty list.
    guard !factors.isEmpty else { throw wrongStage }
    let token = try move(&flow, to: .signIn(.secondFactorDue, accountID: accountID))
    return .success([
      "continuation_token": .string(token), "methods": .array(factors.map(\.json)),
    ])
  }

  /// Challenges a second factor: the one that is named, or the only one.
  func challengeSecondFactor(
    of accountID: String,
    _ flow: inout EntraFlow
  ) throws -> EntraOutcome {
    // A lone `oob` is the type of the named method, as introspect reported it, not the app's list.
    if let types = form.list("challenge_type"), types != [ChallengeType.oob.rawValue] {
      flow.state.offered = try offeredChallengeTypes()
    }
    let account = try account(accountID)
    let factors = try secondFactors(of: account)
    let chosen: SecondFactor
    if let id = form.text("id") {
      guard let named = factors.first(where: { $0.id == id.lowercased() }) else {
        throw EntraRefusal.invalidParameter("id")
      }
      chosen = named
    } else {
      guard let only = factors.first, factors.count == 1 else {
        throw EntraRefusal.introspectionRequired
      }
      chosen = only
    }
    if let reply = browserRequired(for: .oob, offered: flow.state.offered) { return reply }
    if let reply = try distrust(of: chosen.target) { return reply }
    if let refusal = try standing(of: account) { throw refusal }
    let code = try sendCode(by: chosen.channel, to: chosen.target, for: .secondFactor, in: &flow)
    let token = try move(&flow, to: .signIn(.secondFactorCodeDue(code), accountID: accountID))
    return codeSent(by: chosen.channel, to: chosen.target, continuation: token)
  }

  /// Requires a browser for a contact that fraud protection suspects; nil for a good one.
  ///
  /// - Throws: The refusal of a blocked contact.
  func distrust(of target: String) throws(EntraRefusal) -> EntraOutcome? {
    switch ContactReputation(of: target) {
    case .good: return nil
    case .blockedByReputation: throw .blockedByReputation
    case .blockedByAdministrator: throw .blockedByAdministrator
    case .suspicious: return .browserRequired("The text message was refused by fraud protection")
    }
  }
}

extension EntraFlow.SignInStage {
  fileprivate var asksSecondFactor: Bool {
    switch self {
    case .secondFactorDue, .secondFactorCodeDue: true
    case .challengeDue, .passwordDue, .codeDue, .registration, .tokenDue: false
    }
  }
}

/// The emulated fraud protection's rating of a contact; a few contacts exist to trigger its
/// refusals.
///
/// Source: Microsoft, native authentication API reference; which contacts is our choice.
enum ContactReputation: Sendable {
  case good
  /// Addresses at `blocked.example`, and numbers that end in 0199.
  case blockedByReputation
  /// Numbers of a region, +999, that the administrator has not allowed.
  case blockedByAdministrator
  /// Numbers that end in 0198: the code is asked for in a browser.
  case suspicious

  init(of target: String) {
    if target.hasSuffix("@blocked.example") || (target.hasPrefix("+") && target.hasSuffix("0199")) {
      self = .blockedByReputation
    } else if target.hasPrefix("+999") {
      self = .blockedByAdministrator
    } else if target.hasPrefix("+"), target.hasSuffix("0198") {
      self = .suspicious
    } else {
      self = .good
    }
  }
}

extension EntraRefusal {
  static let blockedByReputation = Self(
    "access_denied",
    "provider_blocked_by_rep",
    550_024,
    "The contact is blocked because of its reputation."
  )

  static let blockedByAdministrator = Self(
    "access_denied",
    "provider_blocked_by_admin",
    nil,
    "The administrator does not allow contacts of this region."
  )
}
