internal import GRDB

/// One call of the API within one transaction of one world's database.
///
/// The methods that carry out the calls are in the folders named after the flows. They throw a
/// `ClerkRefusal` to refuse and undo, and return one to refuse and keep.
final class ClerkTransaction {
  let db: Database
  let now: Instant
  let settings: InstanceSettings
  let random: RandomSource
  let call: ClerkCall
  let signing: SessionTokenSigner
  private let seedCost: PasswordHash.Cost
  private let progress: CallProgress

  /// The client whose token was sent; nil for none, and for a token that is not valid.
  private(set) var client: ClerkClient?
  /// The development browser whose token was sent.
  private(set) var developmentBrowser: DevelopmentBrowser?
  /// False where an interrupted call is carried out anew.
  let isFirstRun: Bool
  private(set) var tokenChange = TokenChange.keep
  private(set) var hasWrittenMessage = false

  init(
    _ call: ClerkCall,
    world: World,
    settings: InstanceSettings,
    now: Instant,
    progress: CallProgress,
    signing: SessionTokenSigner,
    _ db: Database
  ) throws {
    self.db = db
    self.now = now
    self.settings = settings
    random = world.random
    self.call = call
    self.signing = signing
    seedCost = world.seed.cost
    self.progress = progress
    isFirstRun = progress.isFirstRun
    developmentBrowser = try call.browserToken.flatMap { try DevelopmentBrowser.holding($0, db) }
    client =
      try call.token.flatMap { try ClerkClient.holding($0, db) }
      ?? developmentBrowser?.clientID.flatMap { try ClerkClient.fetchOne(db, key: $0) }
  }

  var form: ClerkForm { call.form }

  // MARK: Client and token

  /// The client of the call.
  ///
  /// - Throws: `client_not_found` without a token, `authentication_invalid` with one that is not
  ///   valid (choice 8.14).
  func requireClient() throws -> ClerkClient {
    if let client { return client }
    throw call.token == nil ? ClerkRefusal.clientNotFound : .authenticationInvalid
  }

  /// The client of the call, or a new one.
  func clientOrNew() throws -> ClerkClient {
    if let client { return client }
    let id = random.identifier("client")
    let token = try newToken(of: id)
    let made = ClerkClient(
      id: id,
      tokenHash: ClerkClient.hash(of: token),
      createdAt: now,
      updatedAt: now
    )
    try made.insert(db)
    try forgetOldClients()
    client = made
    tokenChange = .issue(token)
    developmentBrowser?.clientID = made.id
    try developmentBrowser?.update(db)
    return made
  }

  /// Stores a change of the client.
  func updateClient(_ change: (inout ClerkClient) -> Void) throws {
    guard var changed = client else { preconditionFailure("no client to change") }
    change(&changed)
    changed.updatedAt = now
    try changed.update(db)
    client = changed
  }

  /// Gives the client a new token; the old one is good for nothing from now on.
  func rotateToken() throws {
    guard let client else { preconditionFailure("no client to rotate the token of") }
    let token = try newToken(of: client.id)
    try updateClient { $0.tokenHash = ClerkClient.hash(of: token) }
    tokenChange = .issue(token)
  }

  private func newToken(of clientID: String) throws -> String {
    try signing.clientToken(of: clientID, rotatingToken: random.secret())
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

  /// A world that is driven for days would otherwise grow with every browser that ever came.
  private func forgetOldClients() throws {
    let count = try Int.fetchOne(db.cachedStatement(sql: "SELECT max(rowid) FROM client")) ?? 0
    guard count % 256 == 0 else { return }
    try db.execute(
      sql: """
        DELETE FROM client WHERE id IN (
          SELECT id FROM client WHERE id NOT IN (SELECT clientID FROM session WHERE ending IS NULL)
          ORDER BY updatedAt DESC LIMIT -1 OFFSET 4096
        )
        """
    )
  }

  // MARK: Secrets

  /// Whether the password is the one that was stored; hashes once even where none was.
  func proves(_ password: String, _ stored: PasswordHash?) throws -> Bool {
    try progress.proves(password, stored, cost: seedCost)
  }

  /// A hash of a password that is to be set.
  func freshHash(of password: String) throws -> PasswordHash {
    try progress.freshHash(of: password)
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
    guard progress.countedVerificationID != verification.id else { return }
    if verification.status == .failed { throw ClerkRefusal.verificationFailed }
    guard verification.attemptCount < settings.codeAttempts else {
      throw ClerkRefusal.verificationFailed
    }
    verification.attemptCount += 1
    try save(verification)
    throw Interruption.tryCounted(verificationID: verification.id)
  }

  // MARK: Messages

  /// Writes a message to the outbox.
  ///
  /// One that nobody is to get is taken back at once, so that it takes as long as any other (S19).
  func send(_ message: MessageRecord, isDelivered: Bool = true) throws {
    try db.inSavepoint {
      try Outbox.insert(message, db)
      return isDelivered ? .commit : .rollback
    }
    hasWrittenMessage = hasWrittenMessage || isDelivered
  }
}
