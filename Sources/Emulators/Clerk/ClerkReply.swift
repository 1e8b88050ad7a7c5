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
  /// 303 to that address.
  case redirect(to: String)
}

/// What becomes of the client's token with an answer.
enum TokenChange: Sendable, Hashable {
  case keep
  case issue(String)
  /// The client is gone: an empty `Authorization` says so.
  case forget
}
