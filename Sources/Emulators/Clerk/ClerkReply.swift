/// What a call answers, before it is written down.
///
/// A refusal that is *returned* keeps what the call changed (a counted failure, an attempt that goes
/// on); one that is *thrown* undoes it.
enum ClerkReply: Sendable {
  /// `{"response": …, "client": …}` with the client as it is now.
  case resource(JSON)
  /// A body without that envelope.
  case bare(JSON)
  case refused(ClerkRefusal)
}

/// What becomes of the client's token with an answer.
enum TokenChange: Sendable, Hashable {
  case keep
  case issue(String)
  /// The client is gone: an empty `Authorization` says so.
  case forget
}

/// Why a call stops half-way; it is begun anew once that is done.
///
/// Calls are plain functions within one transaction. Two things cannot happen inside it: deriving a
/// password hash takes long, and a counted try must be on disk before the code is looked at.
enum Interruption: Error, Sendable {
  /// The hash is derived outside; the transaction is undone.
  case needsHash(HashQuestion)
  /// The try is committed; the next run may compare once.
  case tryCounted(verificationID: String)
}

/// A password hash that a call needs.
enum HashQuestion: Sendable, Hashable {
  /// What this password comes to with the salt and cost of a stored hash.
  case existing(password: String, salt: PasswordHash)
  /// A hash to store, with a salt of its own.
  case fresh(password: String)
}

/// What earlier runs of the same call have brought.
struct ClerkProgress: Sendable {
  var hashes: [HashQuestion: PasswordHash] = [:]
  var countedVerificationID: String?
}
