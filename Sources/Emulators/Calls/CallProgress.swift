internal import Foundation
internal import Localization

/// Why a call stops half-way; it is begun anew once that is done.
///
/// Calls are plain functions within one transaction. Four things cannot happen inside it: deriving a
/// password hash that is worth its name takes long, so does making the key of an installation or reading
/// the words of a language, and a counted try must be on disk before the code is looked at.
enum Interruption: Error, Sendable {
  /// The hash is derived outside; the transaction is undone.
  case needsHash(HashQuestion)
  /// The key that signs is made, or read, outside; the transaction is undone.
  case needsKey
  /// The words for a reader of these wishes are read outside; the transaction is undone.
  case needsWords(wishes: [String])
  /// The try is committed; the next run may compare once.
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
  /// What this password comes to with the salt and cost of a stored hash.
  case existing(password: String, salt: PasswordHash)
  /// A hash to store, with a salt of its own.
  case fresh(password: String)
}

/// What earlier runs of the same call have brought.
struct CallProgress: Sendable {
  private var hashes: [HashQuestion: PasswordHash] = [:]
  private(set) var countedVerificationID: String?
  /// Whether the call has not been interrupted yet.
  private(set) var isFirstRun = true
  private var key: SigningKey?
  private var catalogues: [[String]: Catalogue<MessagePhrase>] = [:]

  /// - Parameter key: The key that signs, where it is known already.
  init(key: SigningKey?) { self.key = key }

  /// Does what a run stopped for.
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

  /// The key that signs.
  func signingKey() throws(Interruption) -> SigningKey {
    guard let key else { throw .needsKey }
    return key
  }

  /// The words for a reader of these wishes; they are never read within a transaction.
  func catalogue(
    for wishes: [String],
    among words: MessageWords
  ) throws(Interruption) -> Catalogue<MessagePhrase> {
    guard let catalogue = catalogues[wishes] ?? words.readCatalogue(for: wishes) else {
      throw .needsWords(wishes: wishes)
    }
    return catalogue
  }

  /// Whether the password is the one that was stored; hashes once even where none was.
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

  /// A hash of a password that is to be set.
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
