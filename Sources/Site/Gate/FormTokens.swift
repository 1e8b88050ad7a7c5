internal import HTTPExchange
internal import Crypto
internal import Pages

/// Makes and judges the token of a form: only a page of this browser's visit has one (S14).
///
/// A token is `nonce.attempt.mac`; the code is over the visit's id, the form's action, the number of
/// the attempt that the form belongs to and the nonce, under a key of its own. The nonce makes each
/// rendered form distinct, so that a repeat of *this* form is told from a second use of its page
/// (S16); the number tells a form of another tab's attempt from one of the attempt at hand.
struct FormTokens: Sendable {
  enum Verdict: Sendable, Hashable {
    /// Made for this visit and this attempt.
    case genuine
    /// Made for this visit before it gained privilege, or for an attempt that is not under way any
    /// more: the step is over.
    case over
    case forged
  }

  /// Codes over nothing yet, keyed once: the first makes, every one judges, so that a form that is
  /// open while keys change stays genuine.
  private let keyed: [HMAC<SHA256>]

  init(ring: KeyRing) {
    keyed = ring.derivedKeys(for: "form-token/2").map(HMAC.init(key:))
  }

  func token(for action: Address, of visit: Visit, nonce: [UInt8]) -> String {
    let attempt = visit.attemptNumber(of: action)
    return token(for: action, ofVisit: visit.id, attempt: attempt, nonce: nonce)
  }

  /// The same of a visit in which no attempt is under way.
  func token(for action: Address, of visit: FreshVisit, nonce: [UInt8]) -> String {
    token(for: action, ofVisit: visit.id, attempt: 0, nonce: nonce)
  }

  private func token(
    for action: Address,
    ofVisit id: String,
    attempt: Int,
    nonce: [UInt8]
  ) -> String {
    let made = "\(Base64URL.text(of: nonce)).\(attempt)"
    let code = code(of: made[...], by: keyed[0], visitID: id, action: action)
    return "\(made).\(Base64URL.text(of: code))"
  }

  func judge(_ token: String, for action: Address, of visit: Visit) -> Verdict {
    let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let given = Base64URL.bytes(ofLetters: Array(parts[2])) else {
      return .forged
    }
    let made = token[..<parts[1].endIndex]
    func matches(_ id: String) -> Bool {
      keyed.contains { keyed in
        isEqualInConstantTime(code(of: made, by: keyed, visitID: id, action: action), given)
      }
    }
    if matches(visit.id) {
      let isThisAttempt = parts[1].elementsEqual(String(visit.attemptNumber(of: action)).utf8)
      return isThisAttempt ? .genuine : .over
    }
    return visit.earlierIDs.contains(where: matches) ? .over : .forged
  }

  private func code(
    of made: Substring,
    by keyed: HMAC<SHA256>,
    visitID: String,
    action: Address
  ) -> [UInt8] {
    var code = keyed
    var text: [UInt8] = []
    text.reserveCapacity(128)
    text += visitID.utf8
    text.append(UInt8(ascii: "\n"))
    text += action.path.utf8
    text.append(UInt8(ascii: "\n"))
    text.append(utf8Of: made)
    code.update(data: text)
    return code.finalize().withUnsafeBytes { Array($0.prefix(16)) }
  }
}
