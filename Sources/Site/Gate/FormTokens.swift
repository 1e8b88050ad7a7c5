internal import HTTPExchange
internal import Crypto
internal import Pages

/// Makes and checks form tokens, which only pages of this browser's visit have (S14).
///
/// A token is `nonce.attempt.mac`. The MAC covers the visit's id, the form's action, the number of
/// the attempt that the form belongs to and the nonce, under a key of its own. The nonce makes each
/// rendered form distinct, so that a repeat of *this* form differs from a second use of its page
/// (S16). The number tells a form of another tab's attempt from one of the current attempt.
struct FormTokens: Sendable {
  enum Verdict: Sendable, Hashable {
    /// Made for this visit and this attempt.
    case genuine
    /// Made under an earlier id of this visit, or for an attempt that is no longer under way: the
    /// step is over.
    case over
    case forged
  }

  /// MACs over nothing yet, keyed once.
  ///
  /// The first key makes tokens and every key checks them, so that an open form stays genuine while
  /// keys change.
  private let keyed: [HMAC<SHA256>]

  init(ring: KeyRing) {
    keyed = ring.derivedKeys(for: "form-token/2").map(HMAC.init(key:))
  }

  /// - Parameters:
  ///   - action: Where the form goes.
  ///   - id: The visit's id.
  ///   - attempts: The attempts under way in it.
  ///   - nonce: Random bytes.
  /// - Returns: The token of that one form.
  func token(
    for action: Address,
    ofVisit id: String,
    at attempts: AttemptNumbers = AttemptNumbers(),
    nonce: [UInt8]
  ) -> String {
    let made = "\(Base64URL.text(of: nonce)).\(attempts.number(of: action))"
    let code = code(of: Array(made.utf8)[...], by: keyed[0], visitID: id, action: action)
    return "\(made).\(Base64URL.text(of: code))"
  }

  func judge(_ token: String, for action: Address, of visit: Visit) -> Verdict {
    let bytes = Array(token.utf8)
    guard let end = bytes.lastIndex(of: UInt8(ascii: ".")),
      let given = Base64URL.bytes(ofLetters: Array(bytes[(end + 1)...]))
    else { return .forged }
    let made = bytes[..<end]
    func matches(_ id: String) -> Bool {
      keyed.contains { keyed in
        isEqualInConstantTime(code(of: made, by: keyed, visitID: id, action: action), given)
      }
    }
    if matches(visit.id) {
      // It was made here, and so has two parts.
      let number = ".\(visit.attemptNumbers.number(of: action))".utf8
      return made.suffix(number.count).elementsEqual(number) ? .genuine : .over
    }
    return visit.earlierIDs.contains(where: matches) ? .over : .forged
  }

  private func code(
    of made: ArraySlice<UInt8>,
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
    text += made
    code.update(data: text)
    return code.finalize().withUnsafeBytes { bytes in
      Array(UnsafeRawBufferPointer(rebasing: bytes.prefix(16)))
    }
  }
}
