/// What a refusal of the site says: as a heading of its own, and as a sentence.
extension Refusal {
  var heading: String {
    switch self {
    case .attemptEnded: "Your attempt has ended"
    case .formTokenInvalid: "The form was out of date"
    case .originRefused: "The form came from elsewhere"
    case .malformedForm: "The form could not be read"
    case .badRequest: "The request could not be understood"
    case .notFound: "Page not found"
    case .methodNotAllowed: "That cannot be done here"
    case .headTooLarge, .bodyTooLarge: "Too much was sent"
    case .unsupportedContentType: "That kind of content is not accepted"
    case .offline, .serviceUnavailable: "The sign-in service cannot be reached"
    case .serviceTimedOut: "The sign-in service took too long"
    case .serviceAnsweredNonsense: "The sign-in service did not answer properly"
    case .stopping: "This service is restarting"
    case .internalError: "Something went wrong"
    }
  }

  var words: Prose {
    switch self {
    case .attemptEnded: "Your attempt has ended. Start again."
    case .formTokenInvalid:
      "This form was out of date, so nothing was done. Check what you entered and send it again."
    case .originRefused:
      "The form was not sent from this page, so nothing was done. Send it again from here."
    case .malformedForm: "The form did not arrive in one piece. Fill it in and send it again."
    case .badRequest: "The request was not well formed, so nothing was done."
    case .notFound: "There is no page at this address."
    case .methodNotAllowed: "This address does not accept that kind of request."
    case .headTooLarge:
      "Your browser sent too many cookies along, or too long an address. Nothing was done."
    case .bodyTooLarge: "A form may hold up to 64 KiB. Nothing was done."
    case .unsupportedContentType: "Forms are accepted as application/x-www-form-urlencoded only."
    case .offline, .serviceUnavailable:
      "The sign-in service cannot be reached. Check the connection, then try again."
    case .serviceTimedOut, .serviceAnsweredNonsense:
      "The sign-in service did not answer properly. Try again."
    case .stopping: "Try again in a moment."
    case .internalError: "This is our fault, not yours. Try again in a moment."
    }
  }

  /// What has come of the request.
  var outcome: PageContent.Outcome {
    switch self {
    case .notFound: .nothing
    case .attemptEnded, .stopping: .wait
    case .formTokenInvalid, .originRefused, .malformedForm, .badRequest, .methodNotAllowed,
      .headTooLarge, .bodyTooLarge, .unsupportedContentType:
      .halt
    case .offline, .serviceUnavailable, .serviceTimedOut, .serviceAnsweredNonsense,
      .internalError:
      .failure
    }
  }

  /// What may help, where the sentence does not say.
  var nextStep: Prose? {
    switch self {
    case .internalError, .serviceTimedOut, .serviceAnsweredNonsense:
      "If it keeps happening, tell support the reference below."
    case .notFound: "Check the address, or start from one of the pages below."
    case .headTooLarge:
      "Delete the cookies that your browser keeps for this address, or use a private window."
    case .attemptEnded, .formTokenInvalid, .originRefused, .malformedForm, .badRequest,
      .methodNotAllowed, .bodyTooLarge, .unsupportedContentType, .offline, .serviceUnavailable,
      .stopping:
      nil
    }
  }
}
