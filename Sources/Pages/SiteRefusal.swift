/// A refusal of the site itself rather than of the auth API.
///
/// The raw values are the codes that the banner and the JSON twin show.
public enum SiteRefusal: String, Sendable, CaseIterable {
  case attemptEnded = "attempt_ended"
  case formTokenInvalid = "form_token_invalid"
  case originRefused = "origin_refused"
  case malformedForm = "malformed_form"
  case badRequest = "bad_request"
  case invalidWorld = "invalid_world"
  /// The requested world can be neither found nor made.
  case worldUnavailable = "world_unavailable"
  case hostNotAllowed = "host_not_allowed"
  case notFound = "not_found"
  case methodNotAllowed = "method_not_allowed"
  case headTooLarge = "head_too_large"
  case bodyTooLarge = "body_too_large"
  case unsupportedContentType = "unsupported_content_type"
  case offline
  case serviceUnavailable = "service_unavailable"
  case serviceTimedOut = "service_timed_out"
  case serviceAnsweredNonsense = "service_answered_nonsense"
  case stopping
  case internalError = "internal"

  /// Whether no page is served under the requested host name, so that any path is refused the same
  /// way.
  public var isOfTheName: Bool { self == .hostNotAllowed || self == .invalidWorld }
}
