internal import Foundation
internal import GRDB

/// One call of an emulated API within one transaction of one world's database.
///
/// Each API adds what carries its calls out. They throw a refusal to refuse and undo, and return one
/// to refuse and keep.
class CallTransaction {
  let db: Database
  let world: World
  let now: EpochMilliseconds
  let settings: InstanceSettings
  let random: RandomSource
  /// The header field `Accept-Language` of the call.
  let acceptLanguage: String?
  private let progress: CallProgress

  private(set) var hasWrittenMessage = false
  /// What the answer holds and is signed once nothing can undo it any more.
  private(set) var unsignedTokens: [UnsignedToken] = []

  init(_ run: CallRun, _ db: Database) {
    self.db = db
    world = run.world
    now = EpochMilliseconds(run.world.clock.now)
    settings = run.world.settings
    random = run.world.random
    acceptLanguage = run.acceptLanguage
    progress = run.progress
  }

  /// False where an interrupted call is carried out anew.
  var isFirstRun: Bool { progress.isFirstRun }

  // MARK: Secrets

  /// Whether the password is the one that was stored; hashes once even where none was.
  func proves(_ password: String, _ stored: PasswordHash?) throws -> Bool {
    try progress.proves(password, stored, cost: world.seed.cost)
  }

  /// A hash of a password that is to be set.
  func freshHash(of password: String) throws -> PasswordHash {
    let cost = world.seed.cost
    guard cost.isQuick else { return try progress.freshHash(of: password) }
    return try .derive(from: password, salt: Data(random.bytes(count: 16)), cost: cost)
  }

  /// Stores a new password; whatever asked for one is settled.
  func setPassword(_ password: String, of account: inout Account) throws {
    account.password = try freshHash(of: password)
    account.passwordState = .ok
    account.passwordUpdatedAt = now
    account.updatedAt = now
    account.tasks.removeAll { $0 == .resetPassword }
    try account.update(db)
  }

  /// Counts a try of a code in a transaction of its own, before the code is looked at (S20).
  ///
  /// - Parameters:
  ///   - verificationID: What is tried.
  ///   - count: Stores one try more.
  /// - Throws: `Interruption` on the first run.
  func countTry(of verificationID: String, count: () throws -> Void) throws {
    guard progress.countedVerificationID != verificationID else { return }
    try count()
    throw Interruption.tryCounted(verificationID: verificationID)
  }

  /// Whether the try of a code is counted, so that it may be looked at.
  func hasCountedTry(of verificationID: String) -> Bool {
    progress.countedVerificationID == verificationID
  }

  /// The text of a token that the answer is to hold: signed once the transaction is committed, since
  /// a signature takes longer than all else in it.
  func token(_ payload: JSON, keptAs freshness: UnsignedToken.Freshness? = nil) throws
    -> String
  {
    var token = try progress.signingKey().unsigned(payload)
    token.freshness = freshness
    unsignedTokens.append(token)
    return token.signingInput
  }

  /// The text of a token that only this emulator reads again.
  func opaqueToken(_ payload: JSON) throws -> String {
    try progress.signingKey().authenticated(payload)
  }

  /// The key set that the tokens verify with.
  func publicKeys() throws -> JSON { try progress.signingKey().publicKeys() }

  // MARK: Messages

  /// What the caller is known to read, each like a header field `Accept-Language`, the first that
  /// names a language of ours counting.
  var languageWishes: [String] { [acceptLanguage].compactMap(\.self) }

  /// Writes a message to the outbox, in the language of its reader.
  ///
  /// One that nobody is to get is taken back at once, so that it takes as long as any other (S19).
  func send(
    _ content: MessageContent,
    for purpose: Message.Purpose,
    to recipient: MessageRecipient,
    isDelivered: Bool = true
  ) throws {
    let message = MessageRecord(
      content,
      for: purpose,
      to: recipient,
      id: random.identifier("msg"),
      in: try progress.catalogue(for: languageWishes, among: world.words),
      from: world.application.name,
      at: now
    )
    try db.inSavepoint {
      try Outbox.insert(message, db)
      return isDelivered ? .commit : .rollback
    }
    hasWrittenMessage = hasWrittenMessage || isDelivered
  }
}
