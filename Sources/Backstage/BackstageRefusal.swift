internal import Emulators
public import HTTPExchange
internal import HTTPTypes

/// Receives each request that backstage turns away, with the refusal's code and reference.
public typealias TurnedAwayReport =
  @Sendable (_ code: String, _ reference: String, _ request: Request) -> Void

/// A refusal: `{"errors": [{"code", "message"}]}`.
struct BackstageRefusal: Error, Hashable, Sendable {
  /// What is wrong, for programs; each code has one status.
  enum Code: String, CaseIterable, Sendable {
    case malformedRequest = "malformed_request"
    case invalidWorld = "invalid_world"
    case headerRequired = "header_required"
    case foreignSite = "foreign_site"
    case foreignOrigin = "foreign_origin"
    case formTokenInvalid = "form_token_invalid"
    case notFound = "not_found"
    case noMessage = "no_message"
    case noAuthenticator = "no_authenticator"
    case methodNotAllowed = "method_not_allowed"
    case bodyTooLarge = "body_too_large"
    case unsupportedContentType = "unsupported_content_type"
    case invalidValue = "invalid_value"
    case unreachable
    case noBrandFile = "no_brand_file"
    /// The brand file does not hold a valid brand, so there is none to return.
    case unusableBrand = "unusable_brand"
    case nothingRecorded = "nothing_recorded"
    case notRepeatable = "not_repeatable"
    case headTooLarge = "head_too_large"
    /// The server could not send the response, for a reason that no other code covers.
    case unanswerable
    case unavailable
    case worldUnavailable = "world_unavailable"
    case cancelled
    case unwritable
    case stopping
    case timedOut = "timed_out"
    case noRoom = "no_room"
    case worldTooLarge = "world_too_large"

    var status: Int {
      switch self {
      case .malformedRequest, .invalidWorld: 400
      case .headerRequired, .foreignSite, .foreignOrigin, .formTokenInvalid: 403
      case .notFound, .noMessage, .noAuthenticator: 404
      case .methodNotAllowed: 405
      case .bodyTooLarge: 413
      case .unsupportedContentType: 415
      case .invalidValue, .unreachable, .noBrandFile, .unusableBrand, .nothingRecorded,
        .notRepeatable:
        422
      case .headTooLarge: 431
      case .unanswerable: 500
      case .unavailable, .worldUnavailable, .cancelled, .unwritable, .stopping: 503
      case .timedOut: 504
      case .noRoom, .worldTooLarge: 507
      }
    }
  }

  var status: Int
  var code: Code
  var message: String
  var allowedMethods: [HTTPRequest.Method] = []
  /// The place at fault in the request, such as `locked.seconds`, and what is wrong there; nil if
  /// the fault is not at a single place.
  var fault: (place: String, words: String)? {
    faultyPlace.map { ($0, faultyWords ?? message) }
  }
  private var faultyPlace: String?
  private var faultyWords: String?
  /// The refusals of further values of the same form.
  private(set) var others: [Self] = []
  /// The reference under which the log has the cause, if the caller is not at fault or is turned
  /// away.
  var reference: String?

  init(_ code: Code, _ message: String) {
    status = code.status
    self.code = code
    self.message = message
  }

  /// The body is too long.
  ///
  /// The server does not say what kind it was, so the message names every limit.
  static let bodyTooLarge: Self = {
    let usual = BackstageCall.bodyLimitBytes / 1024 / 1024
    let imported = BackstageCall.importLimitBytes / 1024 / 1024
    return Self(
      .bodyTooLarge,
      """
      The body is too large: the limit is 64 KiB for a form, \(usual) MiB for JSON, and \(imported) MiB to import \
      a world.
      """
    )
  }()

  static let notFound = Self(.notFound, "There is nothing at this address.")

  static let worldDropped = Self(
    .worldUnavailable,
    "The world has been dropped meanwhile: the next use of its name makes a fresh one."
  )

  /// The thing that a call names does not exist.
  static func missing(_ kind: String, _ id: String) -> Self {
    Self(.notFound, "There is no \(kind) '\(id.prefix(100))' in this world.")
  }

  static let unknownWorldName = Self(.invalidWorld, "A world's name is 1 to 40 of a-z, 0-9 and -.")

  static func invalid(_ message: String) -> Self { Self(.invalidValue, message) }

  static func emptyParameter(_ name: String) -> Self {
    .invalid("'\(name)' is empty: leave it out, or fill it in.")
  }

  /// A refusal of what is at one place; `words` say what is wrong if they are shown beside the
  /// member's name.
  static func invalid(_ message: String, at place: String, _ words: String) -> Self {
    var refusal = invalid(message)
    (refusal.faultyPlace, refusal.faultyWords) = (place, words)
    return refusal
  }

  static func invalid(_ error: DocumentError) -> Self {
    guard !error.place.isEmpty else { return invalid(error.description) }
    return invalid(error.description, at: error.place, error.reason)
  }

  /// The refusal of several values of a form, each of which is told; nil if there are none.
  ///
  /// - Parameter refusals: The refusal of each value, in the order of the form.
  init?(of refusals: [Self]) {
    guard let first = refusals.first else { return nil }
    self = first
    others = Array(refusals.dropFirst())
  }

  /// This refusal without the others, and the others.
  var all: [Self] {
    var first = self
    first.others = []
    return [first] + others
  }

  /// Whether an operator should hear of it: the request comes from a foreign caller, or names no
  /// valid world (S29).
  private var turnsAway: Bool {
    [.invalidWorld, .headerRequired, .foreignSite, .foreignOrigin, .formTokenInvalid].contains(code)
  }

  /// The same refusal, reported and with a reference to the log if it turns somebody away.
  func reported(of request: Request, to report: TurnedAwayReport?) -> Self {
    guard turnsAway, let report else { return self }
    var refusal = self
    let reference = RandomSource.system.traceID()
    refusal.reference = reference
    refusal.message += " Reference: \(reference)"
    report(code.rawValue, reference, request)
    return refusal
  }

  static func malformed(_ message: String) -> Self { Self(.malformedRequest, message) }

  static func methodNotAllowed(_ methods: [HTTPRequest.Method]) -> Self {
    let names = methods.map(\.rawValue).joined(separator: " or ")
    var refusal = Self(.methodNotAllowed, "Use \(names).")
    refusal.allowedMethods = methods.flatMap { $0 == .get ? [.get, .head] : [$0] }
    return refusal
  }

  /// Turns an error into a refusal, and reports it if it is unexpected.
  init(_ error: any Error, _ report: UnexpectedErrorReport) {
    switch error {
    case let refusal as Self: self = refusal
    case is WorldName.Invalid: self = .unknownWorldName
    case WorldsError.dropped: self = .worldDropped
    case let error as WorldsError:
      self.init(.worldUnavailable, "The world is not available: \(error).")
    case let end as Outbox.WaitingEnd: self.init(end)
    case is CancellationError: self.init(.cancelled, "The request was cancelled.")
    default:
      let reference = RandomSource.system.traceID()
      report(reference, error)
      self.init(
        .unavailable,
        "The world cannot be read or written now. Reference: \(reference)"
      )
      self.reference = reference
    }
  }

  /// The refusal when waiting for a message ends early.
  private init(_ end: Outbox.WaitingEnd) {
    switch end {
    case .worldGone:
      self.init(.worldUnavailable, "The world has been dropped: it has no more messages.")
    case .stopping:
      self.init(.stopping, "The program is stopping: it no longer waits for messages.")
    }
  }

  /// A refusal by the server itself, in backstage's words.
  init(serverStatus status: HTTPResponse.Status) {
    switch status.code {
    case 413: self = .bodyTooLarge
    case 431: self.init(.headTooLarge, "The header fields are too large.")
    case 503: self.init(.stopping, "The program is stopping. Try again in a moment.")
    case 504: self.init(.timedOut, "The answer took too long and was abandoned.")
    case 507:
      self.init(.noRoom, "There is no space for the body in the folder for temporary files.")
    case 400: self.init(.malformedRequest, "The request could not be read.")
    case let code:
      self.init(.unanswerable, "The answer could not be sent.")
      self.status = code
    }
  }

  var response: Response {
    let errors = all.map { refusal -> JSON in
      var error: JSON = [
        "code": .string(refusal.code.rawValue), "message": .string(refusal.message),
      ]
      if let reference = refusal.reference { error["reference"] = .string(reference) }
      return error
    }
    var response = Response.json(["errors": .array(errors)], status: status)
    if !allowedMethods.isEmpty {
      response.headerFields[.allow] = allowedMethods.map(\.rawValue).joined(separator: ", ")
    }
    return response
  }
}

extension Response {
  static func json(_ body: JSON, status: Int = 200) -> Response {
    .json(encoded: body.encoded, status: status)
  }

  static func json(encoded body: [UInt8], status: Int = 200) -> Response {
    Response(
      status: .init(code: status),
      headerFields: [.contentType: "application/json", .cacheControl: "no-store"],
      body: body
    )
  }

  static let noContent = Response(status: .noContent, headerFields: [.cacheControl: "no-store"])
}
