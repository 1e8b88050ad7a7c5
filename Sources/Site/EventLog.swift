internal import AuthFlow
internal import Crypto
internal import Foundation
internal import HTTPExchange
internal import Logging
internal import Pages

/// Logs events: one line each, with fields from a fixed list that hold no secret (S28, S29).
///
/// An identifier is logged only as a keyed hash: it shows which lines are about one person, but not
/// who that is.
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

  /// Nil in a rehearsal, whose requests are not events.
  private var logger: Logger? { Rehearsal.isOn ? nil : all }

  private func count(_ event: Site.Event) {
    if !Rehearsal.isOn { happened?(event) }
  }

  /// - Parameters:
  ///   - refusal: The reason.
  ///   - host: The requested host, where that is the reason.
  ///   - mismatch: The origin and the expected ones, where those are the reason.
  ///   - reason: More about the reason, where the code does not say it.
  ///   - reference: The reference of the request, as on the page.
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

  /// Logs a visit that cannot be read, and that its browser has thereby lost.
  ///
  /// If there are many, a replica probably lacks another one's key.
  ///
  /// - Parameters:
  ///   - reason: The reason.
  ///   - number: The number of such requests since the last such line; nil where no line is due.
  ///   - reference: The reference of the request, as on the page.
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

  /// Logs a return address that is not followed; of the address only the origin, since the rest may
  /// hold a secret.
  func droppedReturnAddress(_ dropped: ReturnAddresses.Dropped, reference: String) {
    var metadata: Logger.Metadata = [
      "request": "\(reference)", "reason": "\(dropped.reasonInLog)",
    ]
    if case .origin(let origin) = dropped { metadata["origin"] = "\(origin.logged)" }
    logger?.notice("return address dropped", metadata: metadata)
  }

  /// Logs a refusal; as a warning where the auth API fails, or this program's configuration is
  /// wrong: what breaks for everybody must not look like a typing mistake.
  func refused(_ error: AuthError, _ context: RequestContext) {
    // A limit of ours is about the sender of too many forms; one of the auth API's, with the same
    // code, is not.
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
      metadata["diagnosis"] = "\(diagnosis.joined(separator: ";").joinedWords.logged)"
    }
    if let person = person(context.visit.identifier) { metadata["person"] = "\(person)" }
    logger.log(level: level, "refused", metadata: metadata)
  }

  /// Logged once: a trusted proxy is expected to name the client.
  func silentProxy(_ context: RequestContext) {
    logger?.warning(
      "a trusted proxy does not name its clients in X-Forwarded-For: all of them share one limit",
      metadata: ["request": "\(context.reference)"]
    )
  }

  /// Logged once: perhaps a proxy that `--trusted-proxy` should name, or a client that writes the
  /// field itself.
  func untrustedProxy(_ context: RequestContext) {
    logger?.warning(
      """
      an address that is not a --trusted-proxy names a client in X-Forwarded-For or Forwarded: if it is a proxy, all \
      its clients share one limit
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

  /// Logs a sign-in that a concurrent sign-out has overtaken: no browser has its session.
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
    // People who typed nothing are not one person.
    guard let identifier, !identifier.allSatisfy(\.isWhitespace) else { return nil }
    // The same for all spellings of an identifier.
    let name = Identifier(typed: identifier)?.text ?? identifier
    let code = HMAC<SHA256>.authenticationCode(
      for: Data(name.lowercased().utf8),
      using: key
    )
    return Base64URL.text(of: Array(code).prefix(6))
  }
}

extension ReturnAddresses.Dropped {
  fileprivate var reasonInLog: String {
    switch self {
    case .malformed:
      "it is neither a path nor a complete address, is too long, or has a control character or a backslash"
    case .origin: "if people are to be led to that origin, name it by --allow-redirect-origin"
    }
  }
}

extension AuthError {
  /// Whether a request limit of the auth API is reached.
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
  /// A sentence with dashes between its words: a space would end the field in a text log.
  fileprivate var joinedWords: String {
    split(whereSeparator: \.isWhitespace).joined(separator: "-")
  }

  /// Only printable ASCII characters other than the space, which cannot break a line or forge
  /// another one; at most 240.
  package var logged: String {
    String(
      unicodeScalars.filter { $0.isASCII && $0.value > 0x20 && $0.value < 0x7F }.prefix(240).map(
        Character.init
      )
    )
  }
}
