internal import Foundation
internal import Localization

/// Why a run of a call stops half-way; the call is run again once the cause is dealt with.
///
/// A call is a synchronous function within one transaction. Four things cannot happen inside it:
/// deriving a strong password hash, making the installation's signing key and reading the words of a
/// language take too long, and a counted try has to be on disk before the code is compared.
enum Interruption: Error, Sendable {
  /// A hash has to be derived outside the transaction, which is rolled back.
  case needsHash(HashQuestion)
  /// The signing key has to be made or read outside the transaction, which is rolled back.
  case needsKey
  /// The words for these language preferences have to be read outside the transaction, which is
  /// rolled back.
  case needsWords(wishes: [String])
  /// The counted try is committed; the next run may compare the code once.
  case tryCounted(verificationID: String)

  var keepsWhatWasDone: Bool {
    switch self {
    case .needsHash, .needsKey, .needsWords: false
    case .tryCounted: true
    }
  }
}

/// A password hash that a call needs.
enum HashQuestion: Sendable, Hashable {
  /// The hash of the password with the salt and cost of a stored hash.
  case existing(password: String, salt: PasswordHash)
  /// A hash to store, with a new salt.
  case fresh(password: String)
}

/// What earlier runs of the same call have obtained.
struct CallProgress: Sendable {
  private var hashes: [HashQuestion: PasswordHash] = [:]
  private(set) var countedVerificationID: String?
  /// Whether the call has not been interrupted yet.
  private(set) var isFirstRun = true
  private var key: SigningKey?
  private var catalogues: [[String]: Catalogue<MessagePhrase>] = [:]

  /// - Parameter key: The signing key, if it is known already.
  init(key: SigningKey?) { self.key = key }

  /// Deals with the cause of an interruption.
  mutating func overcome(
    _ interruption: Interruption,
    in world: World,
    by signer: TokenSigner
  ) async throws {
    isFirstRun = false
    switch interruption {
    case .needsHash(let question): hashes[question] = try await world.hash(question)
    case .needsKey: key = try await signer.key()
    case .needsWords(let wishes): catalogues[wishes] = world.words.catalogue(for: wishes)
    case .tryCounted(let verificationID): countedVerificationID = verificationID
    }
  }

  /// The signing key.
  func signingKey() throws(Interruption) -> SigningKey {
    guard let key else { throw .needsKey }
    return key
  }

  /// The words for a reader's language preferences; never reads files, since it runs in a transaction.
  func catalogue(
    for wishes: [String],
    among words: MessageWords
  ) throws(Interruption) -> Catalogue<MessagePhrase> {
    guard let catalogue = catalogues[wishes] ?? words.readCatalogue(for: wishes) else {
      throw .needsWords(wishes: wishes)
    }
    return catalogue
  }

  /// Whether the password matches the stored hash; derives a hash even if none is stored.
  func proves(
    _ password: String,
    _ stored: PasswordHash?,
    cost: PasswordHash.Cost
  ) throws -> Bool {
    let salt = stored ?? PasswordHash(cost: cost, salt: Data(count: 16), key: Data(count: 32))
    if salt.cost.isQuick {
      return try PasswordHash.derive(from: password, salt: salt.salt, cost: salt.cost) == stored
    }
    let question = HashQuestion.existing(password: password, salt: salt)
    guard let derived = hashes[question] else { throw Interruption.needsHash(question) }
    return derived == stored
  }

  /// A hash of a new password, to be stored.
  func freshHash(of password: String) throws(Interruption) -> PasswordHash {
    let question = HashQuestion.fresh(password: password)
    guard let derived = hashes[question] else { throw Interruption.needsHash(question) }
    return derived
  }
}

extension World {
  func hash(_ question: HashQuestion) async throws -> PasswordHash {
    switch question {
    case .existing(let password, let stored):
      try await hasher.derive(from: password, salt: stored.salt, cost: stored.cost)
    case .fresh(let password):
      try await hasher.derive(
        from: password,
        salt: Data(random.bytes(count: 16)),
        cost: seed.cost
      )
    }
  }
}
