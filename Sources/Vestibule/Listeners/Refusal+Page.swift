internal import MicroHTTPServer
internal import Pages

extension MicroHTTPServer.Refusal {
  /// The page that a person sees.
  var pageRefusal: SiteRefusal {
    switch self {
    case .malformedFraming: .badRequest
    case .headTooLarge: .headTooLarge
    case .bodyTooLarge: .bodyTooLarge
    case .bodyNotKept: .serviceUnavailable
    case .stopping: .stopping
    case .handlerTimedOut: .serviceTimedOut
    case .unsendableAnswer: .internalError
    }
  }

  /// Whether not even method and path are known, so that the request that is passed on is made up.
  var isOfUnreadHead: Bool {
    if case .malformedFraming = self { true } else { false }
  }

  /// The code that a program sees.
  var code: String {
    switch self {
    case .malformedFraming: "bad_request"
    case .headTooLarge: "request_header_fields_too_large"
    case .bodyTooLarge: "request_body_too_large"
    case .bodyNotKept: "insufficient_storage"
    case .stopping: "service_unavailable"
    case .handlerTimedOut: "gateway_timeout"
    case .unsendableAnswer: "internal_error"
    }
  }
}
