internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Locking
internal import Pages

/// Lets in forms of our own pages only (S14), each once (S16), and not too many of them (S21).
struct Gate: Sendable {
  /// What a form turned out to be.
  enum Verdict: Sendable {
    case genuine(token: String)
    /// The page that it came from has been left behind; nothing is done about it.
    case over
    /// Genuine, but the visit's time is over; whether somebody was in then.
    case ended(wasIn: Bool)
    /// The same of a visit in which nothing had begun: the page was only open for too long.
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
    let token = context.form[Field.formToken.name] ?? ""
    let verdict: FormTokens.Verdict =
      switch opened {
      case .absent, .elsewhere, .unreadable: .forged
      case .live, .ended: tokens.judge(token, for: context.address, of: context.visit)
      }
    switch (verdict, opened) {
    case (.forged, _): return .forged(.formTokenInvalid)
    case (_, .ended(_, let wasIn, let hadAttempt)):
      return wasIn || hadAttempt ? .ended(wasIn: wasIn) : .outOfDate
    case (.over, _): return .over
    case (.genuine, _): return .genuine(token: token)
    }
  }

  /// A genuine form, as it is told from others.
  struct Submission: Sendable {
    fileprivate let key: SubmissionDeduplicator.Key
    fileprivate let revision: UInt32
    fileprivate let wantsTwin: Bool

    /// By which its visit knows it again.
    var mark: UInt32 { key.mark }
  }

  func submission(of context: RequestContext, token: String) -> Submission {
    Submission(
      key: SubmissionDeduplicator.Key(
        visitID: context.visit.id,
        token: token,
        body: context.request.body
      ),
      revision: context.visit.revision,
      wantsTwin: context.prefersJSON
    )
  }

  /// The answer to a genuine form, worked out at most once for each kind of answer.
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
    /// What it is told.
    var error: AuthError
    /// By which limit.
    var subject: Throttle.Wait.Subject
  }

  /// Why a form has to wait; nil where it may pass, which counts it.
  func throttled(_ context: RequestContext) -> Throttled? {
    guard let throttle, let address = address(of: context),
      let wait = throttle.wait(for: address, identifier: context.throttledIdentifier)
    else { return nil }
    let until = context.now.addingTimeInterval(wait.duration / .seconds(1))
    let error = AuthError(
      Problem(.tooManyRequests(until: until), code: OwnCode.tooManyRequests),
      // The auth API has the same code for limits of its own.
      diagnosis: "own-limit-\(wait.subject.rawValue)"
    )
    return Throttled(error: error, subject: wait.subject)
  }

  /// Notes that a form comes by a trusted proxy that does not say whose it is: all who come by such a proxy are
  /// one address, and share its limit.
  ///
  /// - Returns: Whether one does, for the first time.
  func noteSilentProxy(_ context: RequestContext) -> Bool {
    let request = context.request
    guard throttle != nil, let peer = request.peerAddress.flatMap({ IPAddress($0) }),
      trustedProxies.contains(peer), request.clientAddress(trusting: trustedProxies) == peer
    else { return false }
    return Self.isFirst(hasFoundSilentProxy)
  }

  /// Notes that a form is refused by the limit of its address, and comes from one that is not trusted and says whose
  /// it is: a proxy that nobody named, perhaps, whose visitors share that limit.
  ///
  /// Nothing of what it says is believed (S7): anybody may write the field.
  ///
  /// - Parameters:
  ///   - context: The request.
  ///   - subject: By which limit it is refused.
  /// - Returns: Whether one does, for the first time.
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

  /// Whose form it is, as far as that is limited.
  struct Sender: Sendable {
    fileprivate let address: IPAddress
    /// Who is meant.
    fileprivate let identifier: String?
    /// Whether somebody is in.
    fileprivate let isIn: Bool
  }

  /// - Returns: Nil where nothing is limited.
  func sender(of context: RequestContext) -> Sender? {
    guard throttle != nil, let address = address(of: context) else { return nil }
    return Sender(
      address: address,
      identifier: context.throttledIdentifier,
      isIn: context.visit.session != nil
    )
  }

  /// Counts what was refused like a guess; whoever has just come in has not been guessing.
  ///
  /// Whoever was in before proves nothing: a form that names somebody else leads them on just so.
  ///
  /// - Parameters:
  ///   - context: The request, once it is answered.
  ///   - sender: Whose it was before it was answered.
  func note(_ context: RequestContext, from sender: Sender?) {
    guard let throttle, let sender else { return }
    let (address, identifier) = (sender.address, sender.identifier)
    let isGuess = context.refusals.contains(where: \.looksLikeGuessing)
    if let identifier { throttle.settle(of: address, identifier: identifier, isFailure: isGuess) }
    if context.refusals.isEmpty, !sender.isIn, let session = context.visit.session {
      for own in [session.user.identifier, identifier].compactMap(\.self) {
        throttle.forgetFailures(of: address, identifier: own)
      }
    }
  }

  private func address(of context: RequestContext) -> IPAddress? {
    context.address.isThrottled
      ? context.request.clientAddress(trusting: trustedProxies) : nil
  }
}

extension RequestContext {
  /// Whose account a form is about: the attempt's own, or what is typed where it is asked for.
  ///
  /// A field that the page does not have says nothing: it could name somebody else each time. In
  /// whatever way a number is spelt, it is the same account's.
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
  /// Whether its form makes the auth API work for somebody who is not known yet.
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
  /// By which proxies say who asks; RFC 7239 has the second.
  fileprivate static let fieldsOfProxies = [Self("X-Forwarded-For")!, Self("Forwarded")!]
}
