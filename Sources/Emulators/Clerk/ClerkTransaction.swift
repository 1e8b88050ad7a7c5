internal import Foundation
internal import GRDB

/// One call of the Frontend API within one transaction of one world's database.
///
/// The methods that carry out the calls are in the folders named after the flows.
final class ClerkTransaction: CallTransaction {
  let call: ClerkCall

  /// The client whose token was sent; nil for none, and for a token that is not valid.
  private(set) var client: ClerkClient?
  /// The development browser whose token was sent.
  private(set) var developmentBrowser: DevelopmentBrowser?
  private(set) var tokenChange = TokenChange.keep
  /// The language in which the attempt at hand was begun, as its client named it.
  var attemptLocale: String?

  init(_ call: ClerkCall, _ run: CallRun, _ db: Database) throws {
    self.call = call
    super.init(run, db)
    developmentBrowser = try call.browserToken.flatMap { try DevelopmentBrowser.holding($0, db) }
    client =
      try call.rotatingToken.flatMap { try ClerkClient.holding($0, db) }
      ?? developmentBrowser?.clientID.flatMap { try ClerkClient.fetchOne(db, key: $0) }
  }

  var form: ClerkForm { call.form }

  /// A language that the application names is meant; one that the browser asks for comes next.
  ///
  /// Source: <doc:ClerkSigningIn>; which of the two counts is our choice.
  override var languageWishes: [String] {
    [call.locale, acceptLanguage, attemptLocale].compactMap(\.self)
  }

  // MARK: Client and token

  /// The client of the call.
  ///
  /// - Throws: `client_not_found` without a token, `authentication_invalid` with one that is not
  ///   valid.
  func requireClient() throws -> ClerkClient {
    if let client { return client }
    throw call.token == nil ? ClerkRefusal.clientNotFound : .authenticationInvalid
  }

  /// The client of the call, or a new one.
  func clientOrNew() throws -> ClerkClient {
    if let client { return client }
    let id = random.identifier("client")
    let rotatingToken = random.secret()
    let made = ClerkClient(
      id: id,
      tokenHash: Data(sha256Of: rotatingToken),
      createdAt: now,
      updatedAt: now
    )
    try made.insert(db)
    client = made
    countFirstCall(of: made)
    tokenChange = .issue(try clientToken(of: id, rotatingToken: rotatingToken))
    developmentBrowser?.clientID = made.id
    try developmentBrowser?.update(db)
    return made
  }

  /// Stores a change of the client.
  func updateClient(_ change: (inout ClerkClient) -> Void) throws {
    var changed = try requireClient()
    change(&changed)
    changed.updatedAt = now
    try changed.update(db)
    client = changed
  }

  /// Gives the client a new token; the old one is good for nothing from now on.
  func rotateToken() throws {
    let rotatingToken = random.secret()
    try updateClient { $0.tokenHash = Data(sha256Of: rotatingToken) }
    tokenChange = .issue(
      try clientToken(of: requireClient().id, rotatingToken: rotatingToken)
    )
  }

  /// A client's own token: whoever holds it acts for every session of the client.
  ///
  /// It is good for as long as the rotating part is the client's newest.
  private func clientToken(of clientID: String, rotatingToken: String) throws -> String {
    try opaqueToken(["id": .string(clientID), "rotating_token": .string(rotatingToken)])
  }

  func deleteClient() throws {
    try client?.delete(db)
    client = nil
    tokenChange = .forget
  }

  /// Tells the caller that its token is worth nothing.
  func forgetToken() {
    tokenChange = .forget
  }

  // MARK: Secrets

  /// Stores a new password; attempts that have proven the old one, and wait for what comes next, go no further.
  override func setPassword(_ password: String, of account: inout Account) throws {
    try super.setPassword(password, of: &account)
    try ClerkSignIn.forgetProvenByPassword(of: account.id, db)
  }

  /// Counts a try of a code in a transaction of its own, before the code is looked at (S20).
  ///
  /// - Parameters:
  ///   - verification: Gets one attempt more on the first run.
  ///   - save: Stores it.
  /// - Throws: `verification_failed` when no try is left; `Interruption` on the first run.
  func countTry(
    of verification: inout Verification,
    save: (Verification) throws -> Void
  ) throws {
    try countTry(of: verification.id) {
      guard verification.status != .failed, verification.attemptCount < settings.codeAttempts
      else { throw ClerkRefusal.verificationFailed }
      verification.attemptCount += 1
      try save(verification)
    }
  }
}
