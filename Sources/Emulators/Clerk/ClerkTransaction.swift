internal import Foundation
internal import GRDB

/// One call of the Frontend API within one transaction of one world's database.
///
/// The methods that carry out the calls are in the folders named after the flows.
final class ClerkTransaction: CallTransaction {
  let call: ClerkCall

  /// The client whose token was sent, or else the development browser's; nil if neither is valid.
  private(set) var client: ClerkClient?
  /// The development browser whose token was sent.
  private(set) var developmentBrowser: DevelopmentBrowser?
  private(set) var tokenChange = TokenChange.keep
  /// The language that the client named for the present attempt.
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

  /// First the language that the application names, then the browser's, then the attempt's.
  ///
  /// Source: <doc:ClerkSigningIn>; the order is our choice.
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

  /// Gives the client a new token, which makes the old one invalid.
  func rotateToken() throws {
    let rotatingToken = random.secret()
    try updateClient { $0.tokenHash = Data(sha256Of: rotatingToken) }
    tokenChange = .issue(
      try clientToken(of: requireClient().id, rotatingToken: rotatingToken)
    )
  }

  /// A client's token, whose holder acts for every session of the client.
  ///
  /// It is valid for as long as its rotating part is the client's newest.
  private func clientToken(of clientID: String, rotatingToken: String) throws -> String {
    try opaqueToken(["id": .string(clientID), "rotating_token": .string(rotatingToken)])
  }

  func deleteClient() throws {
    try client?.delete(db)
    client = nil
    tokenChange = .forget
  }

  /// Tells the caller to discard its token, which is not valid.
  func forgetToken() {
    tokenChange = .forget
  }

  // MARK: Secrets

  /// Stores a new password, and deletes the open attempts whose first factor was the old one.
  override func setPassword(_ password: String, of account: inout Account) throws {
    try super.setPassword(password, of: &account)
    try ClerkSignIn.forgetProvenByPassword(of: account.id, db)
  }

  /// Counts a try of a code in a transaction of its own, before the code is compared (S20).
  ///
  /// - Parameters:
  ///   - verification: Gets one more attempt, unless the try is counted already.
  ///   - save: Stores it.
  /// - Throws: `verification_failed` if no try is left; `Interruption` until the try is committed.
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
