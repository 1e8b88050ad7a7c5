public import Foundation

/// What an opened link is good for, before anything is done about it.
public enum LinkStanding: Hashable, Sendable {
  /// The attempt waits for the link in this browser; one press goes on.
  case ready
  /// It is verified, and the attempt waits in another window or browser.
  case verifiedElsewhere
  /// Why it cannot be followed.
  case refused(AuthError)
}

extension FollowedLink {
  /// Judges the link by what this browser waits for; makes no call.
  ///
  /// - Parameters:
  ///   - waiting: The attempt that waits for a link here, and when that link ends.
  ///   - used: The attempts that were finished by a link here.
  ///   - now: The time by the clock of the flows.
  /// - Returns: Whether the link can be followed.
  public func standing(
    waiting: (attempt: Continuation, expiresAt: Date?)?,
    used: [Continuation],
    at now: Date
  ) -> LinkStanding {
    if let attempt, used.contains(attempt) {
      return .refused(.link(.linkUsed, OwnCode.linkUsed))
    }
    switch verdict {
    case .expired: return .refused(.link(.linkExpired, OwnCode.linkExpired))
    case .failed: return .refused(.link(.linkFailed, OwnCode.linkFailed))
    case .otherBrowser: return .refused(.link(.linkOtherBrowser, OwnCode.linkOtherBrowser))
    case .verified where waiting == nil: return .verifiedElsewhere
    case .verified: return .ready
    case .unredeemed:
      guard let waiting, waiting.attempt == attempt else {
        return .refused(.link(.linkOtherBrowser, OwnCode.linkOtherBrowser))
      }
      if let end = waiting.expiresAt, end <= now {
        return .refused(.link(.linkExpired, OwnCode.linkExpired))
      }
      return .ready
    }
  }
}

extension AuthError {
  fileprivate static func link(_ reason: Reason, _ code: OwnCode) -> AuthError {
    AuthError(Problem(reason, code: code))
  }
}
