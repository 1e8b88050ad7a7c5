internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Locking
internal import Pages

/// Lets in forms of our own pages only (S14), each once (S16), and not too many of them (S21).
struct Gate: Sendable {
  /// The verdict on a form.
  enum Verdict: Sendable {
    case genuine(token: String)
    /// Its step is over; nothing is done.
    case over
    /// Genuine, but the visit has expired; `wasIn` says whether somebody was signed in.
    case ended(wasIn: Bool)
    /// The same for a visit in which nothing had begun: the page was just open for too long.
    case outOfDate
    case forged(SiteRefusal)
  }

  let origins: OriginGuard
  let tokens: FormTokens
  private let submissions: SubmissionDeduplicator
  private let throttle: Throttle?
  private let trustedProxies: [IPAddress]
  private let hasFoundSilentProxy: Locked<Bool>
  private let hasFoundUntrustedProxy: Locked<Bool>

  init(_ configuration: Site.Configuration, keys: KeyRing, memory: Site.Memory) {
    origins = OriginGuard(publicOrigin: configuration.publicOrigin)
    tokens = FormTokens(ring: keys)
    submissions = memory.submissions
    throttle = configuration.hasThrottle ? memory.throttle : nil
    trustedProxies = configuration.trustedProxies
    hasFoundSilentProxy = memory.hasFoundSilentProxy
    hasFoundUntrustedProxy = memory.hasFoundUntrustedProxy
  }

  func judge(_ context: RequestContext, _ opened: OpenedVisit) -> Verdict {
    guard origins.admits(context.request) else { return .forged(.originRefused) }
    guard let visit = opened.visit else { return .forged(.formTokenInvalid) }
    let token = context.form[Field.formToken.name] ?? ""
    switch (tokens.judge(token, for: context.address, of: visit), opened) {
    case (.forged, _): return .forged(.formTokenInvalid)
    // An ended visit has no attempts left: the form even of its last one is over.
    case (_, .ended(_, let wasIn, let hadAttempt)):
      return wasIn || hadAttempt ? .ended(wasIn: wasIn) : .outOfDate
    case (.over, _): return .over
    case (.genuine, _): return .genuine(token: token)
    }
  }

  /// The identity of a genuine form.
  struct Submission: Sendable {
    fileprivate let key: SubmissionDeduplicator.Key
    fileprivate let revision: UInt32
    fileprivate let wantsTwin: Bool

    /// The mark by which the visit recognises the form if it is submitted again.
    var mark: UInt32 { key.mark }
  }

  func submission(of context: RequestContext, token: String) -> Submission {
    Submission(
      key: SubmissionDeduplicator.Key(
        visitID: context.visit.id,
        token: token,
        body: context.request.body,
        life: context.world.life.number
      ),
      revision: context.visit.revision,
      wantsTwin: context.prefersJSON
    )
  }

  /// The answer to a genuine form, made at most once for each kind of answer.
  ///
  /// - Returns: The answer; nil for a repeat that comes after further steps.
  func once(
    _ submission: Submission,
    _ work: @escaping @Sendable () async -> IdempotencyCache.Answered
  ) async -> Response? {
    await submissions.answer(
      to: submission.key,
      at: submission.revision,
      asTwin: submission.wantsTwin,
      by: work
    )
  }

  // MARK: Limits

  /// A form that has to wait.
  struct Throttled: Sendable {
    /// The error to show.
    var error: AuthError
    /// The limit that it has reached.
    var subject: Throttle.Wait.Subject
  }

  /// Why a form of that sender has to wait; nil where it may pass, in which case it is counted.
  func throttled(_ context: RequestContext, from sender: Sender?) -> Throttled? {
    guard let throttle, let sender,
      let wait = throttle.wait(
        for: sender.address,
        identifier: sender.identifier,
        in: sender.life
      )
    else { return nil }
    let until = context.now.addingTimeInterval(wait.duration / .seconds(1))
    let error = AuthError(
      Problem(.tooManyRequests(until: until), code: OwnCode.tooManyRequests),
      // The auth API has the same code for limits of its own.
      diagnosis: "own-limit-\(wait.subject.rawValue)"
    )
    return Throttled(error: error, subject: wait.subject)
  }

  /// Notes a form that came through a trusted proxy that does not name the client: all clients
  /// behind such a proxy count as one address, and share its limit.
  ///
  /// - Returns: Whether it is the first such form.
  func noteSilentProxy(_ context: RequestContext) -> Bool {
    let request = context.request
    guard throttle != nil, let peer = request.peerAddress.flatMap({ IPAddress($0) }),
      trustedProxies.contains(peer), request.clientAddress(trusting: trustedProxies) == peer
    else { return false }
    return Self.isFirst(hasFoundSilentProxy)
  }

  /// Notes a form that the limit of its address refuses, and whose untrusted sender names a client:
  /// perhaps a proxy that was not configured, whose clients share that limit.
  ///
  /// Nothing that it says is believed (S7): anybody can write the field.
  ///
  /// - Parameters:
  ///   - context: The context of the request.
  ///   - subject: The limit that refuses it.
  /// - Returns: Whether it is the first such form.
  func noteUntrustedProxy(
    _ context: RequestContext,
    throttledBy subject: Throttle.Wait.Subject
  ) -> Bool {
    let request = context.request
    guard subject == .address,
      let peer = request.peerAddress.flatMap({ IPAddress($0) }), !trustedProxies.contains(peer),
      HTTPField.Name.fieldsOfProxies.contains(where: { request.headerFields[$0] != nil })
    else { return false }
    return Self.isFirst(hasFoundUntrustedProxy)
  }

  private static func isFirst(_ hasFound: Locked<Bool>) -> Bool {
    hasFound.withLock { hasFound in
      defer { hasFound = true }
      return !hasFound
    }
  }

  /// The sender of a form, as far as limits need it.
  struct Sender: Sendable {
    fileprivate let address: IPAddress
    /// The account that the form is about.
    fileprivate let identifier: String?
    /// A form is settled in the life in which it has passed, even if its world was reset meanwhile.
    fileprivate let life: WorldLife
    /// Whether somebody was signed in.
    fileprivate let isIn: Bool
  }

  /// - Returns: Nil where no limit applies.
  func sender(of context: RequestContext) -> Sender? {
    guard throttle != nil, let address = address(of: context) else { return nil }
    return Sender(
      address: address,
      identifier: context.throttledIdentifier,
      life: context.world.life,
      isIn: context.visit.session != nil
    )
  }

  /// Counts a refusal that looks like a guess; forgets the failures of somebody who has just signed
  /// in.
  ///
  /// Somebody who was signed in before has proven nothing: a form that names another account sends
  /// them on just the same.
  ///
  /// - Parameters:
  ///   - context: The context of the request, once it is answered.
  ///   - sender: The sender as before the answer.
  func note(_ context: RequestContext, from sender: Sender?) {
    guard let throttle, let sender else { return }
    let (address, identifier, life) = (sender.address, sender.identifier, sender.life)
    let isGuess = context.refusals.contains(where: \.looksLikeGuessing)
    if let identifier {
      throttle.settle(of: address, identifier: identifier, isFailure: isGuess, in: life)
    }
    if context.refusals.isEmpty, !sender.isIn, let session = context.visit.session {
      for own in [session.user.identifier, identifier].compactMap(\.self) {
        throttle.forgetFailures(of: address, identifier: own, in: life)
      }
    }
  }

  private func address(of context: RequestContext) -> IPAddress? {
    context.address.isThrottled
      ? context.request.clientAddress(trusting: trustedProxies) : nil
  }
}

extension RequestContext {
  /// The identifier of the account that a form is about: the attempt's own, or what is typed where
  /// it is asked for.
  ///
  /// A field that the page does not have is ignored: it could name another account each time. All
  /// spellings of a phone number are the same account's.
  var throttledIdentifier: String? {
    if address == .signIn || address == .forgotPassword { return identifier(typedAt: "identifier") }
    if address == .signUp { return identifier(typedAt: "email_address") }
    if let session = visit.session { return session.user.identifier }
    return switch address.flow {
    case .signUp: visit.signUp?.attempt?.values[.emailAddress]
    case .signIn, .passwordReset:
      visit.signIn?.identifier?.text ?? visit.passwordReset?.attempt.identifier.text
    }
  }

  private func identifier(typedAt field: String) -> String? {
    form[field].flatMap { Identifier(typed: $0)?.text }
  }
}

extension Address {
  /// Whether its form is limited: all forms except for signing out and starting anew.
  fileprivate var isThrottled: Bool {
    self != .signOut && !isRestart
  }
}

extension Reason {
  /// Whether a secret or an account may have been guessed at, rather than a field filled in wrongly.
  fileprivate var looksLikeGuessing: Bool {
    if case .locked = self { return true }
    return [
      .passwordIncorrect, .passwordOrIdentifierIncorrect, .identifierNotFound, .codeIncorrect,
      .codeNotAccepted,
      .codeTriesExhausted, .lockoutNear, .lockedForNow,
    ].contains(self)
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  /// The fields in which proxies name the client; the second is of RFC 7239.
  fileprivate static let fieldsOfProxies = [Self("X-Forwarded-For")!, Self("Forwarded")!]
}
