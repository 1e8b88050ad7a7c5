public import HTTPTypes

extension MicroHTTPServer {
  /// A request, or an answer, that the server refuses by itself.
  public enum Refusal: Sendable, Hashable {
    /// The request could be read in two ways, or breaks the rules of HTTP: 400.
    case malformedFraming(Malformation)
    /// The head exceeds the limit: 431.
    case headTooLarge
    /// The body exceeds the limit: 413.
    case bodyTooLarge
    /// A body too long for memory could not be kept in a temporary file: 507.
    case bodyNotKept
    /// The server is being stopped: 503.
    case stopping
    /// The handler did not answer in time: 504.
    case handlerTimedOut
    /// The handler's answer cannot be sent as it is, which is a bug: 500.
    case unsendableAnswer

    /// The status to answer with.
    public var status: HTTPResponse.Status {
      switch self {
      case .malformedFraming: .badRequest
      case .headTooLarge: .requestHeaderFieldsTooLarge
      case .bodyTooLarge: .contentTooLarge
      case .bodyNotKept: .init(code: 507, reasonPhrase: "Insufficient Storage")
      case .stopping: .serviceUnavailable
      case .handlerTimedOut: .gatewayTimeout
      case .unsendableAnswer: .internalServerError
      }
    }

    /// Whether the connection is closed after the answer.
    var closes: Bool {
      switch self {
      case .malformedFraming, .headTooLarge, .bodyTooLarge, .bodyNotKept, .stopping: true
      case .handlerTimedOut, .unsendableAnswer: false
      }
    }
  }

  /// In what way a request's framing is malformed (S1, S2).
  public enum Malformation: String, Sendable, Hashable, CaseIterable {
    case methodIsNoToken = "the method is not a token"
    case targetNotInOriginForm = "the target does not begin with exactly one slash"
    case targetHasForbiddenBytes = "the target has bytes that do not belong there"
    case fieldLineFolded = "a header line is folded"
    case bytesBesideFields = "the head has bytes that belong to none of its fields"
    case fieldNameIsNoToken = "a field name is not a token"
    case fieldValueHasControls = "a field value has control characters"
    case hostNotExactlyOne = "there is not exactly one Host"
    case contentLengthRepeated = "there is more than one Content-Length"
    case contentLengthIsNoNumber = "the Content-Length is not a number"
    case transferEncodingRepeated = "there is more than one Transfer-Encoding"
    case transferEncodingUnknown = "the Transfer-Encoding is not chunked"
    case transferEncodingInOldVersion = "there is a Transfer-Encoding in a version without it"
    case lengthAndEncoding = "there are both Content-Length and Transfer-Encoding"
    case continueWithoutBody = "there is an Expect: 100-continue, and no body"
  }
}
