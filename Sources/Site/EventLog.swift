internal import AuthFlow
internal import Crypto
internal import Foundation
internal import HTTPExchange
internal import Logging
internal import Pages

/// What is logged: one line an event, from a list of fields that hold no secret (S28, S29).
///
/// An identifier is told only as a keyed hash: two lines about one person can be told to be about
/// one person, and not about whom.
struct EventLog: Sendable {
  private let all: Logger
  private let key: SymmetricKey
  private let happened: (@Sendable (Site.Event) -> Void)?

  init(
    logger: Logger,
    key: SymmetricKey,
    happened: (@Sendable (Site.Event) -> Void)? = nil
  ) {
    all = logger
    self.key = key
    self.happened = happened
  }

  /// Nil for what is no event.
  private var logger: Logger? { Rehearsal.isOn ? nil : all }

  private func count(_ event: Site.Event) {
    if !Rehearsal.isOn { happened?(event) }
  }

  /// - Parameters:
  ///   - refusal: Why.
  ///   - host: Which host was asked, where that is why.
  ///   - mismatch: Where it came from and may come from, where that is why.
  ///   - reason: Why, where the code does not say it.
  ///   - reference: What the page calls the request.
  func turnedAway(
    _ refusal: SiteRefusal,
    host: String? = nil,
    mismatch: OriginMismatch? = nil,
    reason: String? = nil,
    reference: String
  ) {
    var metadata: Logger.Metadata = ["code": "\(refusal.rawValue)", "request": "\(reference)"]
    if let host { metadata["host"] = "\(host.logged)" }
    if let origin = mismatch?.origin { metadata["origin"] = "\(origin.logged)" }
    if let expected = mismatch?.expected { metadata["expected"] = "\(expected.logged)" }
    if let reason = reason ?? mismatch?.reason { metadata["reason"] = "\(reason)" }
    logger?.notice("turned away", metadata: metadata)
  }

  /// Whoever had the visit has lost it; where that goes for many, a replica lacks a key of another's.
  ///
  /// - Parameters:
  ///   - reason: Why.
  ///   - number: How many such requests there have been since the last of these lines; nil where there is to be
  ///     none.
  ///   - reference: What the page calls the request.
  func unreadableVisit(_ reason: UnreadableVisit, count number: Int?, reference: String) {
    count(.unreadableVisit)
    guard let number else { return }
    logger?.notice(
      "visit unreadable",
      metadata: [
        "request": "\(reference)", "reason": "\(reason.rawValue)", "count": "\(number)",
      ]
    )
  }

  func droppedReturnAddress(reference: String) {
    logger?.notice("return address dropped", metadata: ["request": "\(reference)"])
  }

  /// Told as a warning where it is the auth API that fails, or how this program is set up: what breaks for
  /// everybody must not look like somebody who mistypes.
  func refused(_ error: AuthError, _ context: RequestContext) {
    // A limit of ours is about whoever sends too many forms; one of the auth API's, with the same code, is not.
    let blame = context.isThrottled ? .person : Site.Blame(error)
    count(.refused(blame))
    let level = blame == .person ? Logger.Level.info : .warning
    guard let logger, logger.logLevel <= level else { return }
    var metadata: Logger.Metadata = [
      "route": "\(context.address.path)",
      "codes": "\(error.problems.map(\.code.logged).joined(separator: ","))",
      "request": "\(context.reference)", "world": "\(context.visit.world)",
    ]
    if let trace = error.traceID { metadata["trace"] = "\(trace.logged)" }
    let diagnosis = [error.blame?.rawValue, error.diagnosis].compactMap(\.self)
    if !diagnosis.isEmpty {
      metadata["diagnosis"] = "\(diagnosis.joined(separator: ";").logged)"
    }
    if let person = person(context.visit.identifier) { metadata["person"] = "\(person)" }
    logger.log(level: level, "refused", metadata: metadata)
  }

  /// Told once: a proxy is trusted so that it says who asks.
  func silentProxy(_ context: RequestContext) {
    logger?.warning(
      "a trusted proxy does not say by X-Forwarded-For who asks: all who come by it share one limit",
      metadata: ["request": "\(context.reference)"]
    )
  }

  /// Told once: perhaps a proxy that was to be named by `--trusted-proxy`, or somebody who writes that field.
  func untrustedProxy(_ context: RequestContext) {
    logger?.warning(
      """
      an address that is no --trusted-proxy says by X-Forwarded-For or Forwarded who asks: if it is a proxy, all \
      who come by it share one limit
      """,
      metadata: ["request": "\(context.reference)"]
    )
  }

  func signedIn(_ session: Session, _ context: RequestContext) {
    count(.signedIn(isPending: session.status == .pending))
    var metadata: Logger.Metadata = [
      "route": "\(context.address.path)", "status": "\(session.status.rawValue)",
      "request": "\(context.reference)", "world": "\(context.visit.world)",
    ]
    if let person = person(context.visit.identifier) { metadata["person"] = "\(person)" }
    logger?.info("signed in", metadata: metadata)
  }

  /// Who got in by a form had gone out beside it: no browser has that session.
  func droppedSignIn(_ context: RequestContext) {
    logger?.info(
      "sign-in dropped",
      metadata: ["request": "\(context.reference)", "world": "\(context.visit.world)"]
    )
  }

  func signedOut(_ context: RequestContext) {
    count(.signedOut)
    logger?.info(
      "signed out",
      metadata: ["request": "\(context.reference)", "world": "\(context.visit.world)"]
    )
  }

  private func person(_ identifier: String?) -> String? {
    identifier.map { typed in
      // In whatever way it is spelt, it is the same person's.
      let name = Identifier(typed: typed)?.text ?? typed
      let code = HMAC<SHA256>.authenticationCode(
        for: Data(name.lowercased().utf8),
        using: key
      )
      return Base64URL.text(of: Array(code).prefix(6))
    }
  }
}

extension AuthError {
  /// Whether the auth API is asked too often, by whomever.
  fileprivate var isLimitOfTheService: Bool {
    contains { if case .tooManyRequests = $0 { true } else { false } }
  }
}

extension Site.Blame {
  init(_ error: AuthError) {
    if error.blame == .setUp {
      self = .setUp
    } else {
      let isOfTheService = error.contains(where: \.isOfTheService) || error.isLimitOfTheService
      self = isOfTheService ? .service : .person
    }
  }
}

extension String {
  /// Only what cannot break a line or forge another; no longer than a diagnosis is.
  package var logged: String {
    String(
      unicodeScalars.filter { $0.isASCII && $0.value > 0x20 && $0.value < 0x7F }.prefix(240).map(
        Character.init
      )
    )
  }
}
