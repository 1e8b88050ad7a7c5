internal import Foundation
internal import GRDB

/// One call of an emulated API within one transaction of one world's database.
///
/// Each API adds methods that carry out its calls. A refusal that they throw undoes the changes, and
/// one that they return keeps them.
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
  /// The tokens in the answer, which are signed once the transaction is committed.
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

  /// Whether this is the first run of the call, not one after an interruption.
  var isFirstRun: Bool { progress.isFirstRun }

  // MARK: Secrets

  /// Whether the password matches the stored hash; derives a hash even if none is stored.
  func proves(_ password: String, _ stored: PasswordHash?) throws -> Bool {
    try progress.proves(password, stored, cost: world.seed.cost)
  }

  /// A hash of a new password, to be stored.
  func freshHash(of password: String) throws -> PasswordHash {
    let cost = world.seed.cost
    guard cost.isQuick else { return try progress.freshHash(of: password) }
    return try .derive(from: password, salt: Data(random.bytes(count: 16)), cost: cost)
  }

  /// Stores a new password, and settles the state and the task that demanded one.
  func setPassword(_ password: String, of account: inout Account) throws {
    account.replacePassword(by: try freshHash(of: password), at: now)
    account.passwordState = .ok
    account.updatedAt = now
    account.tasks.removeAll { $0 == .resetPassword }
    try account.update(db)
  }

  /// Counts a try of a code in a transaction of its own, before the code is compared (S20).
  ///
  /// - Parameters:
  ///   - verificationID: The verification whose code is tried.
  ///   - count: Stores one more try.
  /// - Throws: `Interruption` until the try is committed.
  func countTry(of verificationID: String, count: () throws -> Void) throws {
    guard progress.countedVerificationID != verificationID else { return }
    try count()
    throw Interruption.tryCounted(verificationID: verificationID)
  }

  /// Whether the try is counted, so that the code may be compared.
  func hasCountedTry(of verificationID: String) -> Bool {
    progress.countedVerificationID == verificationID
  }

  /// The placeholder of a token in the answer; it is signed after the transaction, since signing takes
  /// longer than everything else in the call.
  func token(_ payload: JSON, keptAs freshness: UnsignedToken.Freshness? = nil) throws
    -> String
  {
    var token = try progress.signingKey().unsigned(payload)
    token.freshness = freshness
    unsignedTokens.append(token)
    return token.signingInput
  }

  /// The text of a token that only this emulator reads.
  func opaqueToken(_ payload: JSON) throws -> String {
    try progress.signingKey().authenticated(payload)
  }

  /// The id of the key that signs the tokens in the answer.
  var signingKeyID: String {
    get throws { try progress.signingKey().id }
  }

  /// The key set that verifies the tokens.
  func publicKeys() throws -> JSON { try progress.signingKey().publicKeys() }

  // MARK: Messages

  /// The caller's language preferences, each in the form of an `Accept-Language` field; the first that
  /// names one of our languages counts.
  var languageWishes: [String] { [acceptLanguage].compactMap(\.self) }

  /// Writes a message to the outbox, in the language of its reader.
  ///
  /// A message that is not to be delivered is written and rolled back, so that it takes as long as any
  /// other (S19).
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
