internal import AuthFlow
internal import Foundation
internal import HTTPExchange

extension Site {
  /// Answers a genuine form within the site's own limits, where it has any (S21).
  func actWithinLimits(_ turn: inout Turn) async -> Answer {
    guard let throttle, turn.route.isThrottled,
      let address = turn.request.clientAddress(trusting: configuration.trustedProxies)
    else { return await act(&turn) }
    let identifier =
      turn.form["identifier"] ?? turn.form["email_address"] ?? turn.visit.identifier
    if let wait = throttle.wait(for: address, identifier: identifier) {
      let until = turn.now.addingTimeInterval(wait / .seconds(1))
      turn.asksNothing = true
      return await refuse(
        [Problem(.tooManyRequests(until: until), code: OwnCode.tooManyRequests)],
        &turn
      )
    }
    let answer = await act(&turn)
    guard let identifier else { return answer }
    if turn.refusals.contains(where: \.looksLikeGuessing) {
      throttle.noteFailure(of: address, identifier: identifier)
    } else if turn.visit.session != nil {
      throttle.forgetFailures(of: address, identifier: identifier)
    }
    return answer
  }
}

extension Route {
  /// Whether its form makes the auth API work for somebody who is not known yet.
  fileprivate var isThrottled: Bool {
    switch self {
    case .signOut, .restart: false
    default: true
    }
  }
}

extension Reason {
  /// Whether a secret or an account may have been guessed at, rather than a field filled in wrongly.
  fileprivate var looksLikeGuessing: Bool {
    if case .locked = self { return true }
    return [
      .passwordIncorrect, .passwordOrIdentifierIncorrect, .identifierNotFound, .codeIncorrect,
      .codeTriesExhausted, .lockoutNear,
    ].contains(self)
  }
}
