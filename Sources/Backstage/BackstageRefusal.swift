internal import Emulators
internal import HTTPExchange
internal import HTTPTypes

/// An answer that says no: `{"errors": [{"code", "message"}]}`.
struct BackstageRefusal: Error, Hashable, Sendable {
  var status: Int
  var code: String
  var message: String
  var allowedMethods: [HTTPRequest.Method] = []
  /// The part of what was sent that is at fault, and what is wrong with it; nil for the whole.
  var fault: (member: String, words: String)? {
    faultyMember.map { ($0, faultyWords ?? message) }
  }
  private var faultyMember: String?
  private var faultyWords: String?
  /// By which the log names what went wrong, where that is not the caller's doing.
  var reference: String?

  init(_ status: Int, _ code: String, _ message: String) {
    self.status = status
    self.code = code
    self.message = message
  }

  static let notFound = Self(404, "not_found", "There is nothing at this address.")

  static let unknownWorldName = Self(400, "invalid_world", "That is not the name of a world.")

  static func invalid(_ message: String) -> Self { Self(422, "invalid_value", message) }

  /// A refusal of one member, with what is wrong with it where that is told beside its name.
  static func invalid(_ message: String, at member: String, _ words: String) -> Self {
    var refusal = invalid(message)
    (refusal.faultyMember, refusal.faultyWords) = (member, words)
    return refusal
  }

  static func invalid(_ error: DocumentError) -> Self {
    guard let member = error.member else { return invalid(error.description) }
    return invalid(error.description, at: member, error.reason)
  }

  static func malformed(_ message: String) -> Self { Self(400, "malformed_request", message) }

  static func methodNotAllowed(_ methods: [HTTPRequest.Method]) -> Self {
    let names = methods.map(\.rawValue).joined(separator: " or ")
    var refusal = Self(405, "method_not_allowed", "Use \(names).")
    refusal.allowedMethods = methods.flatMap { $0 == .get ? [.get, .head] : [$0] }
    return refusal
  }

  /// What an error comes to that no call has made a refusal of; reports those that nobody foresees.
  init(_ error: any Error, _ report: UnexpectedErrorReport) {
    switch error {
    case let refusal as Self: self = refusal
    case is WorldName.Invalid: self = .unknownWorldName
    case let error as WorldsError:
      self.init(503, "world_unavailable", "The world cannot be had: \(error).")
    case is CancellationError: self.init(503, "cancelled", "The request was given up.")
    default:
      let reference = RandomSource.system.traceID()
      report(reference, error)
      self.init(
        503,
        "unavailable",
        "The world cannot be read or written now. Reference: \(reference)"
      )
      self.reference = reference
    }
  }

  /// What the server itself refuses, in backstage's words.
  init(serverStatus status: HTTPResponse.Status) {
    switch status.code {
    case 413:
      self.init(413, "body_too_large", "The body is larger than what may be sent here.")
    case 431: self.init(431, "head_too_large", "The header fields are larger than may be sent.")
    case 503: self.init(503, "stopping", "The program is stopping. Try again in a moment.")
    case 504: self.init(504, "timed_out", "The answer took too long and was given up.")
    case 507:
      self.init(507, "no_room", "There is no room for the body where temporary files are kept.")
    case 400: self.init(400, "malformed_request", "The request could not be read.")
    case let code: self.init(code, "unanswerable", "The answer could not be sent.")
    }
  }

  var response: Response {
    var error: JSON = ["code": .string(code), "message": .string(message)]
    if let reference { error["reference"] = .string(reference) }
    var response = Response.json(["errors": [error]], status: status)
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
