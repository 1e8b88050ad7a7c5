internal import Foundation
internal import GRDB

/// Reading and checking the fields of a sign-up.
///
/// Source: <doc:ClerkSigningUp>.
extension ClerkTransaction {
  /// Takes the fields of the call into the attempt.
  ///
  /// - Throws: One refusal with every field's problem, in the order of the fields.
  func take(into signUp: inout ClerkSignUp) throws {
    try refuseUnknownDetails()
    var problems: [ClerkProblem] = []
    var state = signUp.state
    try takeContact(.emailAddress, into: &state.emailAddress, &state.emailVerification, &problems)
    try takeContact(.phoneNumber, into: &state.phoneNumber, &state.phoneVerification, &problems)
    try takeUsername(into: &state, &problems)
    try takeNames(into: &state, &problems)
    try takeRest(into: &state, &problems)
    let password = try checkedPassword(state, &problems)
    if problems.isEmpty, password == nil, try keepsIdentifier(state, since: signUp.state) {
      problems.append(PasswordFlaw.matchesIdentifier.problem("password"))
    }
    guard problems.isEmpty else { throw ClerkRefusal(422, problems.sortedByField) }
    if let password { state.password = try freshHash(of: password) }
    signUp.state = state
  }

  private func refuseUnknownDetails() throws {
    let off = SignUpField.allCases.filter { $0.need(settings) == .off }.map(\.rawValue)
    if let name = form.names.first(where: off.contains) {
      throw ClerkRefusal.unknownParameter(name)
    }
  }

  private func takeContact(
    _ kind: Contact.Kind,
    into value: inout String?,
    _ verification: inout Verification?,
    _ problems: inout [ClerkProblem]
  ) throws {
    let name = kind.rawValue
    guard let text = try form.text(name) ?? eitherContact(kind) else { return }
    guard !text.isEmpty else {
      problems.append(.empty(name))
      return
    }
    guard let normalized = kind.normalized(text) else {
      problems.append(.invalidFormat(name, kind))
      return
    }
    guard try isFree(kind, normalized) else {
      problems.append(.identifierExists(name))
      return
    }
    guard normalized != value else { return }
    value = normalized
    verification = nil
  }

  /// The value of `email_address_or_phone_number`, if it is of that kind.
  private func eitherContact(_ kind: Contact.Kind) throws -> String? {
    guard let text = try form.filled("email_address_or_phone_number") else { return nil }
    return Contact.Kind(ofTyped: text) == .emailAddress
      ? (kind == .emailAddress ? text : nil) : (kind == .phoneNumber ? text : nil)
  }

  /// Whether nobody has the contact; protection against enumeration delays this check to the end.
  private func isFree(_ kind: Contact.Kind, _ value: String) throws -> Bool {
    if settings.enumerationProtection, kind != .username { return true }
    return try Account.contact(kind, value, db) == nil
  }

  private func takeUsername(
    into state: inout ClerkSignUp.State,
    _ problems: inout [ClerkProblem]
  ) throws {
    guard let text = try form.text("username") else { return }
    guard !text.isEmpty else {
      problems.append(.empty("username"))
      return
    }
    if let problem = UsernameRules.problem(in: text) {
      problems.append(problem)
    } else if let username = Contact.Kind.username.normalized(text),
      try isFree(.username, username)
    {
      state.username = username
    } else {
      problems.append(.identifierExists("username"))
    }
  }

  private func takeNames(
    into state: inout ClerkSignUp.State,
    _ problems: inout [ClerkProblem]
  ) throws {
    for field in [SignUpField.firstName, .lastName] {
      guard let text = try form.text(field.rawValue) else { continue }
      if text.isBlank, field.need(settings) == .required {
        problems.append(.empty(field.rawValue))
      } else if let problem = PersonName.problem(in: text, field.rawValue) {
        problems.append(problem)
      } else if field == .firstName {
        state.firstName = text.isBlank ? nil : text
      } else {
        state.lastName = text.isBlank ? nil : text
      }
    }
  }

  private func takeRest(
    into state: inout ClerkSignUp.State,
    _ problems: inout [ClerkProblem]
  ) throws {
    switch try form.flag("legal_accepted") {
    case true: state.legalAcceptedAt = state.legalAcceptedAt ?? now
    case false where settings.legalConsent:
      problems.append(
        ClerkProblem(
          "legal_not_accepted",
          "must be accepted",
          "Accept the terms to go on.",
          parameter: "legal_accepted"
        )
      )
    case false, nil: break
    case .some: break
    }
    if let text = try form.filled("unsafe_metadata") {
      guard let json = JSON(decoding: Array(text.utf8)),
        case .object = json
      else {
        problems.append(.invalidValue("unsafe_metadata"))
        return
      }
      if let problem = AccountMetadata.problem(in: json) { problems.append(problem) }
      state.unsafeMetadata = String(decoding: json.encoded, as: UTF8.self)
    }
  }

  /// The password of the call, once it keeps the rules.
  private func checkedPassword(
    _ state: ClerkSignUp.State,
    _ problems: inout [ClerkProblem]
  ) throws -> String? {
    guard let password = try form.text("password") else { return nil }
    guard !password.isEmpty else {
      problems.append(.empty("password"))
      return nil
    }
    let identifiers = [state.emailAddress, state.phoneNumber, state.username].compactMap(\.self)
    let flaws = PasswordRules(settings: settings).flaws(in: password, identifiers: identifiers)
    problems += flaws.map { $0.problem("password") }
    return flaws.isEmpty ? password : nil
  }

  /// Whether the attempt's stored password equals an identifier that this call brings.
  ///
  /// Only the password's hash is left, so each identifier is tried as typed and as stored.
  private func keepsIdentifier(
    _ state: ClerkSignUp.State,
    since before: ClerkSignUp.State
  ) throws -> Bool {
    guard let password = state.password else { return false }
    let identifiers: [(kind: Contact.Kind, value: String?, earlier: String?)] = [
      (.emailAddress, state.emailAddress, before.emailAddress),
      (.phoneNumber, state.phoneNumber, before.phoneNumber),
      (.username, state.username, before.username),
    ]
    for identifier in identifiers where identifier.value != identifier.earlier {
      let typed = try form.text(identifier.kind.rawValue)
      let isKept = try [typed, identifier.value].compactMap(\.self)
        .contains { try proves($0, password) }
      if isKept { return true }
    }
    return false
  }
}

extension [ClerkProblem] {
  /// In the order of the fields, so that a page lists them from top to bottom.
  fileprivate var sortedByField: Self {
    let order = SignUpField.allCases.map { JSON.string($0.rawValue) }
    func place(_ problem: ClerkProblem) -> Int {
      problem.meta.first.flatMap { order.firstIndex(of: $0.value) } ?? order.count
    }
    return enumerated()
      .sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }
      .map(\.element)
  }
}
