/// The words of a refusal by the site: a heading of its own, and a sentence.
extension SiteRefusal {
  var heading: Phrase {
    switch self {
    case .attemptEnded: .outcome(.refusalAttemptEndedHeading)
    case .formTokenInvalid: .outcome(.refusalFormTokenInvalidHeading)
    case .originRefused: .outcome(.refusalOriginRefusedHeading)
    case .malformedForm: .outcome(.refusalMalformedFormHeading)
    case .badRequest: .outcome(.refusalBadRequestHeading)
    case .invalidWorld: .outcome(.refusalInvalidWorldHeading)
    case .worldUnavailable: .outcome(.refusalWorldUnavailableHeading)
    case .hostNotAllowed: .outcome(.refusalHostNotAllowedHeading)
    case .notFound: .outcome(.refusalNotFoundHeading)
    case .methodNotAllowed: .outcome(.refusalMethodNotAllowedHeading)
    case .headTooLarge, .bodyTooLarge: .outcome(.refusalTooLargeHeading)
    case .unsupportedContentType: .outcome(.refusalUnsupportedContentTypeHeading)
    case .offline, .serviceUnavailable: .outcome(.refusalServiceUnreachableHeading)
    case .serviceTimedOut: .outcome(.refusalServiceTimedOutHeading)
    case .serviceAnsweredNonsense: .outcome(.refusalServiceFailedHeading)
    case .stopping: .outcome(.refusalStoppingHeading)
    case .internalError: .outcome(.refusalInternalErrorHeading)
    }
  }

  var words: Phrase {
    switch self {
    case .attemptEnded: .outcome(.refusalAttemptEnded)
    case .formTokenInvalid: .outcome(.refusalFormTokenInvalid)
    case .originRefused: .outcome(.refusalOriginRefused)
    case .malformedForm: .outcome(.refusalMalformedForm)
    case .badRequest: .outcome(.refusalBadRequest)
    case .invalidWorld: .outcome(.refusalInvalidWorld)
    case .worldUnavailable: .outcome(.refusalWorldUnavailable)
    case .hostNotAllowed: .outcome(.refusalHostNotAllowed)
    case .notFound: .outcome(.refusalNotFound)
    case .methodNotAllowed: .outcome(.refusalMethodNotAllowed)
    case .headTooLarge: .outcome(.refusalHeadTooLarge)
    case .bodyTooLarge: .outcome(.refusalBodyTooLarge)
    case .unsupportedContentType: .outcome(.refusalUnsupportedContentType)
    case .offline, .serviceUnavailable: .outcome(.reasonServiceUnreachable)
    case .serviceTimedOut, .serviceAnsweredNonsense: .outcome(.reasonServiceFailed)
    case .stopping: .outcome(.refusalStopping)
    case .internalError: .outcome(.refusalInternalError)
    }
  }

  /// The sentence below ``heading``, which it does not say again.
  var wordsBelowHeading: Phrase {
    switch self {
    case .attemptEnded: .outcome(.refusalAttemptEndedBelowHeading)
    case .formTokenInvalid: .outcome(.refusalFormTokenInvalidBelowHeading)
    case .offline, .serviceUnavailable: .outcome(.reasonServiceUnreachableBelowHeading)
    case .serviceTimedOut, .serviceAnsweredNonsense: .outcome(.refusalStopping)
    case .originRefused, .malformedForm, .badRequest, .invalidWorld, .hostNotAllowed, .notFound,
      .methodNotAllowed, .headTooLarge, .bodyTooLarge, .unsupportedContentType, .stopping,
      .internalError, .worldUnavailable:
      words
    }
  }

  /// The words for a form that came without its cookie, since its page may have been fine; nil for
  /// refusals that do not depend on a cookie.
  var wordsWithoutCookie: (heading: Phrase, words: Phrase)? {
    guard self == .formTokenInvalid else { return nil }
    return (
      heading: Phrase.outcome(.refusalCookieMissingHeading),
      words: Phrase.outcome(.refusalCookieMissing)
    )
  }

  /// What has come of the request.
  var outcome: PageContent.Outcome {
    switch self {
    case .notFound: .nothing
    case .attemptEnded, .stopping: .wait
    case .formTokenInvalid, .originRefused, .malformedForm, .badRequest, .invalidWorld,
      .hostNotAllowed, .methodNotAllowed, .headTooLarge, .bodyTooLarge, .unsupportedContentType:
      .halt
    case .offline, .serviceUnavailable, .serviceTimedOut, .serviceAnsweredNonsense,
      .internalError, .worldUnavailable:
      .failure
    }
  }

  /// Whether the same may go well in a moment.
  var passes: Bool { outcome == .failure || self == .stopping }

  /// What may help, where the sentence does not say.
  var nextStep: Phrase? {
    switch self {
    case .internalError, .serviceTimedOut, .serviceAnsweredNonsense:
      .outcome(.nextStepKeepsHappening)
    case .notFound: .outcome(.nextStepCheckAddress)
    case .headTooLarge: .outcome(.nextStepDeleteCookies)
    case .hostNotAllowed:
      // Passed as data: in right-to-left text the dashes would change sides.
      .outcome(
        .nextStepAllowHost,
        ["host": .text("--allow-host"), "url": .text("--public-url")]
      )
    case .attemptEnded, .formTokenInvalid, .originRefused, .malformedForm, .badRequest,
      .invalidWorld, .methodNotAllowed, .bodyTooLarge, .unsupportedContentType, .offline,
      .serviceUnavailable, .stopping, .worldUnavailable:
      nil
    }
  }
}
