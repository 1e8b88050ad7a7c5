import AuthFlow

/// What need not be said, because it stands beside the sentence already.
extension ReasonWords {
  /// What remains to be said of a problem, and when it ends; nil for the whole sentence.
  ///
  /// - Parameters:
  ///   - problem: The problem.
  ///   - isPage: Whether the page consists of this message and its heading gives the reason.
  ///   - hasLink: Whether a link follows the sentence.
  /// - Returns: The sentence, if the whole one is not needed, and the line below it.
  func shorterWords(
    for problem: Problem,
    isPage: Bool,
    hasLink: Bool
  ) -> (words: Phrase?, line: Phrase?)? {
    // Custom words and the auth API's own are shown in full.
    guard usesOwnWords, !hasWords(problem.code) else { return nil }
    if isPage {
      return (
        Self.wordsBelowHeading(for: problem.reason), Self.lineBelowHeading(for: problem.reason)
      )
    }
    return hasLink ? (wordsBesideLink(for: problem.reason), nil) : nil
  }

  /// The sentence on a page that consists of this message and whose heading gives the reason; nil
  /// if the whole sentence does not repeat the heading.
  private static func wordsBelowHeading(for reason: Reason) -> Phrase? {
    if case .locked(let until) = reason {
      return .outcome(
        until == nil ? .reasonLockedForGoodBelowHeading : .reasonLockedBelowHeading
      )
    }
    return belowHeading[reason]
  }

  /// When it is over, as the line below ``wordsBelowHeading(for:)``.
  private static func lineBelowHeading(for reason: Reason) -> Phrase? {
    guard case .locked(let until?) = reason else { return nil }
    return .moment(until, .alone)
  }

  private static let belowHeading: [Reason: Phrase] = [
    .banned: .outcome(.reasonBannedBelowHeading),
    .lockedForNow: .outcome(.reasonLockedForNowBelowHeading),
    .linkExpired: .outcome(.reasonLinkFailedBelowHeading),
    .linkFailed: .outcome(.reasonLinkFailedBelowHeading),
    .linkUsed: .outcome(.reasonLinkUsedBelowHeading),
    .signUpClosed: .page(.signUpRestricted),
    .signUpWaitlist: .page(.signUpWaitingList),
  ]

  /// The sentence before a link that says what to do; nil if the whole sentence does not say it
  /// too.
  private func wordsBesideLink(for reason: Reason) -> Phrase? {
    reason == .methodUnavailable && !setting.resetsPassword ? nil : Self.besideLink[reason]
  }

  private static let besideLink: [Reason: Phrase] = [
    .methodUnavailable: .outcome(.reasonMethodUnavailableResetBesideLink),
    .offline: .outcome(.reasonServiceUnreachableBesideLink),
    .serviceUnreachable: .outcome(.reasonServiceUnreachableBesideLink),
    .serviceAnswerLost: .outcome(.reasonServiceFailedBesideLink),
    .serviceUnavailable: .outcome(.reasonServiceFailedBesideLink),
    .serviceTimedOut: .outcome(.reasonServiceFailedBesideLink),
    .serviceAnsweredNonsense: .outcome(.reasonServiceFailedBesideLink),
  ]
}

extension RetryAdvice {
  /// Whether nothing failed: it takes time, or another message.
  var isOnlyAWait: Bool {
    switch self {
    case .wait, .requestNewCode: true
    case .correctInput, .chooseAnotherMethod, .resetPassword, .startOver, .interactiveSignIn,
      .contactSupport, .tryAgain:
      false
    }
  }
}
