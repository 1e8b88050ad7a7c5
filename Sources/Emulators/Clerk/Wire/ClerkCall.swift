internal import HTTPExchange
internal import HTTPTypes

/// A request of the Frontend API, read and checked as far as no account is needed for it.
///
/// Source: clerk-frontend-api.md section 1.
struct ClerkCall: Sendable {
  static let bodyLimitBytes = 64 * 1024
  static let version = "2026-05-12"

  var method: HTTPRequest.Method
  /// The path below `/v1`, split at its slashes.
  var path: [Substring]
  var query: Form
  var form: ClerkForm
  /// The client token, if one was sent.
  var token: String?
  /// The session that acts, as the query names it.
  var sessionID: String?
  /// What a mailed link carries in its query.
  var linkToken: String?
  /// Under which URL this API is reached, for the links in its messages.
  var apiAddress = ""

  /// - Throws: `ClerkRefusal` with the status and code of the first fault.
  init(_ request: Request) throws(ClerkRefusal) {
    do {
      query = try Form(decoding: (request.query ?? "").utf8)
    } catch {
      throw .badRequest("malformed_request_parameters", "The query is malformed.")
    }
    method = try Self.method(of: request, query)
    path = Self.split(request.path)
    try Self.checkVersion(of: request, query)
    token = try Self.token(of: request, query)
    sessionID = query["_clerk_session_id"]
    linkToken = query["token"]
    form = try Self.form(of: request)
  }

  /// A slash at the end counts as none.
  static func split(_ path: Substring) -> [Substring] {
    var segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2)
    if segments.last?.isEmpty == true { segments.removeLast() }
    return Array(segments)
  }

  /// Browsers send `POST` and name the method they mean in the query.
  private static func method(
    of request: Request,
    _ query: Form
  ) throws(ClerkRefusal) -> HTTPRequest.Method {
    guard request.method == .post, let name = query["_method"] else { return request.method }
    switch name.uppercased() {
    case "PATCH": return .patch
    case "PUT": return .put
    case "DELETE": return .delete
    case "POST": return .post
    default: throw .badRequest("invalid_query_parameter_value", "_method is not a method.")
    }
  }

  private static func checkVersion(of request: Request, _ query: Form) throws(ClerkRefusal) {
    let named =
      request.headerFields[values: .clerkVersion] + query.values(of: "__clerk_api_version")
    guard named.count <= 1, named.allSatisfy({ $0 == version }) else {
      throw .badRequest(
        "api_version_invalid",
        "Name the version \(version) once, in the header or in the query."
      )
    }
  }

  /// The token may come raw, after `Bearer`, or as an empty field that stands for none.
  private static func token(of request: Request, _ query: Form) throws(ClerkRefusal) -> String? {
    let fields = request.headerFields[values: .authorization]
    let isFromPage = request.headerFields[.origin] != nil
    guard fields.count <= 1 else {
      throw .badRequest(
        "multiple_authorization_header_values_forbidden",
        "Send one Authorization header."
      )
    }
    if isFromPage {
      throw fields.isEmpty
        ? .badRequest("origin_invalid", "Pages of no origin may call this instance.")
        : .badRequest(
          "origin_authorization_headers_conflict",
          "Send either Origin or Authorization, not both."
        )
    }
    let text = (fields.first ?? "").trimmingSpaces
    let isBearer =
      text.prefix(6).lowercased() == "bearer"
      && (text.count == 6 || text.dropFirst(6).first == " ")
    let token = isBearer ? String(text.dropFirst(6)).trimmingSpaces : text
    return token.isEmpty ? nil : token
  }

  private static func form(of request: Request) throws(ClerkRefusal) -> ClerkForm {
    guard request.method != .get, !request.body.isEmpty else { return ClerkForm(Form()) }
    guard request.body.count <= bodyLimitBytes else {
      throw .badRequest("request_body_too_large", "The body is too large.", status: 413)
    }
    let type = (request.headerFields[.contentType] ?? "").prefix { $0 != ";" }
    guard String(type).trimmingSpaces.lowercased() == "application/x-www-form-urlencoded" else {
      throw .badRequest(
        "unsupported_content_type",
        "Send application/x-www-form-urlencoded.",
        status: 415
      )
    }
    do {
      return ClerkForm(try Form(decoding: request.body, fieldLimit: 200))
    } catch {
      throw .badRequest("malformed_request_parameters", "The form is malformed.")
    }
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    var rest = self[...]
    while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
    while rest.last == " " || rest.last == "\t" { rest.removeLast() }
    return String(rest)
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  static let clerkVersion = Self("Clerk-API-Version")!
}
