internal import HTTPExchange
internal import Crypto
internal import Foundation

/// Makes and judges the token of a form: only a page of this browser's visit has one (S14).
///
/// A token is `nonce.mac`; the code is over the visit's id, the form's action and the nonce, under
/// a key of its own. The nonce makes each rendered form distinct, so that a repeat of *this* form
/// is told from a second use of its page (S16).
struct FormTokens: Sendable {
  enum Verdict: Sendable, Hashable {
    /// Made for this visit.
    case genuine
    /// Made for this visit before it gained privilege: the step is over.
    case over
    case forged
  }

  /// The first makes, every one judges: a form that is open while keys change stays genuine.
  private let keys: [SymmetricKey]

  init(ring: KeyRing) {
    keys = ring.derivedKeys(for: "form-token/1")
  }

  func token(for action: String, of visit: Visit, nonce: [UInt8]) -> String {
    let nonce = Base64URL.text(of: nonce)
    return nonce + "." + code(by: keys[0], visitID: visit.id, action: action, nonce: nonce)
  }

  func judge(_ token: String, for action: String, of visit: Visit) -> Verdict {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return .forged }
    let nonce = String(parts[0])
    let given = Array(parts[1].utf8)
    func matches(_ id: String) -> Bool {
      keys.contains { key in
        let code = code(by: key, visitID: id, action: action, nonce: nonce)
        return Self.areEqual(Array(code.utf8), given)
      }
    }
    if matches(visit.id) { return .genuine }
    return visit.earlierIDs.contains(where: matches) ? .over : .forged
  }

  private func code(
    by key: SymmetricKey,
    visitID: String,
    action: String,
    nonce: String
  ) -> String {
    let message = Data("\(visitID)\n\(action)\n\(nonce)".utf8)
    let full = HMAC<SHA256>.authenticationCode(for: message, using: key)
    return Base64URL.text(of: Array(full).prefix(16))
  }

  /// Compares in a time that does not tell where the difference is.
  private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
