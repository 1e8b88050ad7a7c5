internal import GRDB
internal import HTTPTypes

/// A step-up under way: somebody who is signed in proves once more who they are.
///
/// Source: <doc:ClerkSessionsAndTasks>.
struct Reverification: Codable, Sendable, FetchableRecord, PersistableRecord {
  enum Level: String, Codable, Sendable {
    case firstFactor = "first_factor"
    case secondFactor = "second_factor"
    case multiFactor = "multi_factor"
  }

  enum Status: String, Codable, Sendable {
    case needsFirstFactor = "needs_first_factor"
    case needsSecondFactor = "needs_second_factor"
    case complete
  }

  struct State: Codable, Sendable {
    var level: Level
    var status: Status
    var firstFactor: Verification?
    var secondFactor: Verification?
  }

  static let databaseTableName = "reverification"

  var sessionID: String
  var state: State
}

extension ClerkTransaction {
  /// `POST …/verify`: an account without a second factor is asked for the first one.
  func beginReverification(_ id: String) throws -> ClerkOutcome {
    let session = try liveSession(id)
    guard var level = Reverification.Level(rawValue: try form.required("level")) else {
      throw ClerkRefusal.invalidValue("level")
    }
    let person = try Person(of: session, self)
    if !person.hasSecondFactor(settings) { level = .firstFactor }
    let reverification = Reverification(
      sessionID: id,
      state: Reverification.State(
        level: level,
        status: level == .secondFactor ? .needsSecondFactor : .needsFirstFactor
      )
    )
    try reverification.save(db)
    return .resource(try json(reverification, session, person))
  }

  func prepareFirstReverification(_ id: String) throws -> ClerkOutcome {
    var (reverification, session, person) = try reverification(of: id, at: .needsFirstFactor)
    reverification.state.firstFactor = try issue(
      among: person.firstFactors(settings),
      for: .signIn,
      replacing: reverification.state.firstFactor,
      person
    )
    try reverification.update(db)
    return .resource(try json(reverification, session, person))
  }

  func prepareSecondReverification(_ id: String) throws -> ClerkOutcome {
    var (reverification, session, person) = try reverification(of: id, at: .needsSecondFactor)
    reverification.state.secondFactor = try issue(
      among: person.secondFactors(settings),
      for: .secondFactor,
      replacing: reverification.state.secondFactor,
      person
    )
    try reverification.update(db)
    return .resource(try json(reverification, session, person))
  }

  func attemptFirstReverification(_ id: String) throws -> ClerkOutcome {
    var (reverification, session, person) = try reverification(of: id, at: .needsFirstFactor)
    let strategy = try Strategy(parameter: form.required("strategy"))
    guard person.firstFactors(settings).contains(where: { $0.strategy == strategy }) else {
      throw ClerkRefusal.strategyForUserInvalid
    }
    try refuseIfLocked(person.account.id)
    if strategy == .password {
      guard try proves(form.required("password"), person.account.password) else {
        return .refused(try countFailure(.passwordIncorrect, of: person.account.id))
      }
      reverification.state.firstFactor = Verification(
        id: random.identifier("ver"),
        strategy: .password,
        status: .verified,
        attemptCount: 1
      )
    } else if try !isRight(form.required("code"), strategy, \.firstFactor, &reverification) {
      return .refused(try countFailure(.codeIncorrect, of: person.account.id))
    }
    session.firstFactorAt = now
    let isDone = reverification.state.level == .firstFactor
    reverification.state.status = isDone ? .complete : .needsSecondFactor
    return try finish(reverification, session, person)
  }

  func attemptSecondReverification(_ id: String) throws -> ClerkOutcome {
    var (reverification, session, person) = try reverification(of: id, at: .needsSecondFactor)
    let strategy = try Strategy(parameter: form.required("strategy"))
    let offered = person.secondFactors(settings)
    guard offered.contains(where: { $0.strategy == strategy }) else {
      throw ClerkRefusal.noSecondFactors
    }
    let code = try form.required("code")
    try refuseIfLocked(person.account.id)
    let isRight: Bool
    switch strategy {
    case .totp: isRight = person.account.use(authenticatorCode: code, at: now)
    case .backupCode: isRight = person.account.use(backupCode: code)
    case .emailCode, .phoneCode:
      isRight = try self.isRight(code, strategy, \.secondFactor, &reverification)
    case .password, .emailLink, .resetPasswordEmailCode, .resetPasswordPhoneCode, .enterpriseSSO,
      .ticket:
      throw ClerkRefusal.strategyForUserInvalid
    }
    guard isRight else {
      return .refused(try countFailure(.codeIncorrect, of: person.account.id))
    }
    if strategy.contactKind == nil {
      try person.account.update(db)
      reverification.state.secondFactor = Verification(
        id: random.identifier("ver"),
        strategy: strategy,
        status: .verified,
        attemptCount: 1
      )
    }
    session.secondFactorAt = now
    reverification.state.status = .complete
    return try finish(reverification, session, person)
  }

  private func finish(
    _ reverification: Reverification,
    _ session: ClerkSession,
    _ person: Person
  ) throws -> ClerkOutcome {
    var session = session
    session.updatedAt = now
    try session.update(db)
    try reverification.update(db)
    try Lockout.clear(person.account.id, db)
    return .resource(try json(reverification, session, person))
  }
}

// MARK: - What the steps share

extension ClerkTransaction {
  /// The owner of a session, and their contacts.
  fileprivate struct Person {
    var account: Account
    let contacts: [Contact]

    init(of session: ClerkSession, _ transaction: ClerkTransaction) throws {
      guard let account = try Account.fetchOne(transaction.db, key: session.accountID) else {
        throw ClerkRefusal.resourceNotFound
      }
      self.account = account
      contacts = try Account.contacts(of: account.id, transaction.db)
    }

    func hasSecondFactor(_ settings: InstanceSettings) -> Bool {
      settings.asksSecondFactor(of: account, contacts)
    }

    func secondFactors(_ settings: InstanceSettings) -> [Factor] {
      settings.secondFactors(of: account, contacts, typed: nil)
    }

    /// A password or a code; neither a reset nor anything that leaves the page is a step-up.
    func firstFactors(_ settings: InstanceSettings) -> [Factor] {
      let strategies: [Strategy] = [.password, .emailCode, .phoneCode]
      guard let contact = contacts.first else { return [] }
      return settings.firstFactors(of: account, contacts, typed: .init(contact))
        .filter { strategies.contains($0.strategy) }
    }
  }

  /// The step-up of a session, which has to be at that step.
  ///
  /// - Throws: `session_reverification_missing`, or `invalid_action_for_session_reverification`.
  private func reverification(
    of id: String,
    at status: Reverification.Status
  ) throws -> (Reverification, ClerkSession, Person) {
    let session = try liveSession(id)
    guard let reverification = try Reverification.fetchOne(db, key: id) else {
      throw ClerkRefusal.badRequest(
        "session_reverification_missing",
        "No reverification of this session was begun."
      )
    }
    guard reverification.state.status == status else {
      throw ClerkRefusal.badRequest(
        "invalid_action_for_session_reverification",
        "The reverification is not at this step."
      )
    }
    return (reverification, session, try Person(of: session, self))
  }

  private func issue(
    among factors: [Factor],
    for purpose: Message.Purpose,
    replacing previous: Verification?,
    _ person: Person
  ) throws -> Verification {
    let strategy = try Strategy(parameter: form.required("strategy"))
    guard let kind = strategy.contactKind else { throw ClerkRefusal.strategyForUserInvalid }
    let offered = factors.filter { $0.strategy == strategy }
    try refuseIfLocked(person.account.id)
    let factor = try choose(among: offered, parameter: "\(kind.rawValue)_id")
    guard let contact = factor.contact else { throw ClerkRefusal.strategyForUserInvalid }
    return try issueCode(strategy, to: contact, for: purpose, replacing: previous)
  }

  private func isRight(
    _ code: String,
    _ strategy: Strategy,
    _ path: WritableKeyPath<Reverification.State, Verification?>,
    _ reverification: inout Reverification
  ) throws -> Bool {
    var attempt = reverification
    let isRight = try isRight(code, for: strategy, &attempt.state[keyPath: path]) { verification in
      var counted = reverification
      counted.state[keyPath: path] = verification
      try counted.update(db)
    }
    reverification = attempt
    return isRight
  }

  private func json(
    _ reverification: Reverification,
    _ session: ClerkSession,
    _ person: Person
  ) throws -> JSON {
    let state = reverification.state
    let second = person.secondFactors(settings)
    return [
      "object": "session_reverification",
      "level": .string(state.level.rawValue),
      "status": .string(state.status.rawValue),
      "supported_first_factors": .array(person.firstFactors(settings).map(\.json)),
      "supported_second_factors": second.isEmpty ? .null : .array(second.map(\.json)),
      "first_factor_verification": state.firstFactor?.json(at: now) ?? .null,
      "second_factor_verification": state.secondFactor?.json(at: now) ?? .null,
      "session": try sessionJSON(session),
    ]
  }
}
