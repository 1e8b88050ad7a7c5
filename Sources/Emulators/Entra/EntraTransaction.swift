internal import GRDB

/// One call of the API within one transaction of one world's database.
///
/// The methods that carry out the calls are in the folders named after the flows. They throw an
/// `EntraRefusal` to refuse and undo, and return one to refuse and keep.
final class EntraTransaction {
  let db: Database
  let now: Instant
  let settings: InstanceSettings
  let random: RandomSource
  let call: EntraCall
  let signing: TokenSigner?
  private let seedCost: PasswordHash.Cost
  private let progress: CallProgress
  private(set) var hasWrittenMessage = false

  init(
    _ call: EntraCall,
    world: World,
    progress: CallProgress,
    signing: TokenSigner?,
    _ db: Database
  ) {
    self.db = db
    now = Instant(world.clock.now)
    settings = world.settings
    random = world.random
    self.call = call
    self.signing = signing
    seedCost = world.seed.cost
    self.progress = progress
  }

  var form: EntraForm { call.form }

  /// The table of contents of the emulator.
  func carryOut() throws -> EntraReply {
    switch call.route {
    case .initiate: try initiate()
    case .challenge: try challenge()
    case .introspect: try introspect()
    case .token: try token()
    case .startSignUp: try startSignUp()
    case .challengeSignUp: try challengeSignUp()
    case .continueSignUp: try continueSignUp()
    case .startReset: try startReset()
    case .challengeReset: try challengeReset()
    case .continueReset: try continueReset()
    case .submitReset: try submitReset()
    case .pollReset: try pollReset()
    case .introspectRegistration: try introspectRegistration()
    case .challengeRegistration: try challengeRegistration()
    case .continueRegistration: try continueRegistration()
    }
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

  /// Whether a typed code is the one that was sent last, once the try is on disk (S20).
  ///
  /// A code that has expired, was superseded or had too many tries is wrong like any other.
  /// - Throws: `Interruption` on the first run, which counts the try.
  func isRight(_ typed: String, in flow: EntraFlow) throws -> Bool {
    guard var code = flow.state.code, code.expireAt > now else { return false }
    guard progress.countedVerificationID == code.id else {
      guard code.tryCount < settings.codeAttempts else { return false }
      code.tryCount += 1
      var counted = flow
      counted.state.code = code
      try counted.update(db)
      throw Interruption.tryCounted(verificationID: code.id)
    }
    return isEqualInConstantTime(code.code, typed)
  }

  // MARK: Messages

  func send(_ message: MessageRecord) throws {
    try Outbox.insert(message, db)
    hasWrittenMessage = true
  }
}
