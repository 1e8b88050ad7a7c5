internal import HTTPExchange
internal import HTTPTypes

/// A request of the Frontend API, read and checked as far as no account is needed for it.
///
/// Source: clerk-frontend-api.md section 1.
struct ClerkCall: Sendable {
  static let bodyLimitBytes = 64 * 1024
  static let version = "2026-05-12"
  /// How often one key may be repeated.
  static let repeatLimit = 100
  /// The cookie that holds a browser's client token.
  static let clientCookie = "__client"

  var method: HTTPRequest.Method
  /// The path below `/v1`, split at its slashes.
  var path: [Substring]
  var query: Form
  var form: ClerkForm
  var caller: ClerkCaller
  /// The client token, if one was sent.
  var token: String?
  /// The token of a development browser, if one was sent.
  var browserToken: String?
  /// Where the request came from; nil in process.
  var peerAddress: String?
  /// The session that acts, as the query names it.
  var sessionID: String?
  /// What a mailed link carries in its query.
  var linkToken: String?
  /// Where browsers find the pages of this API.
  var pages = ClerkPages()

  /// - Parameters:
  ///   - request: The request.
  ///   - origins: Which pages may call.
  /// - Throws: `ClerkRefusal` with the status and code of the first fault.
  init(_ request: Request, origins: BrowserOrigins) throws(ClerkRefusal) {
    do {
      query = try Form(decoding: (request.query ?? "").utf8)
    } catch {
      throw .badRequest("malformed_request_parameters", "The query is malformed.")
    }
    method = try Self.method(of: request, query)
    path = Self.split(request.path)
    try Self.checkVersion(of: request, query)
    caller = try ClerkCaller(request, query, origins)
    token = try Self.token(of: request, caller)
    browserToken =
      caller == .native ? nil : query["__clerk_db_jwt"] ?? query["__dev_session"]
    peerAddress = request.peerAddress
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

  /// An app's token may come raw, after `Bearer`, or as an empty field that stands for none.
  private static func token(
    of request: Request,
    _ caller: ClerkCaller
  ) throws(ClerkRefusal) -> String? {
    let fields = request.headerFields[values: .authorization]
    guard fields.count <= 1 else {
      throw .badRequest(
        "multiple_authorization_header_values_forbidden",
        "Send one Authorization header."
      )
    }
    guard caller == .native else {
      let value = request.cookies.first { $0.name == clientCookie }?.value ?? ""
      return value.isEmpty ? nil : String(value)
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
    let form: Form
    do {
      form = try Form(decoding: request.body, fieldLimit: 200)
    } catch {
      throw .badRequest("malformed_request_parameters", "The form is malformed.")
    }
    var counts: [String: Int] = [:]
    for field in form.fields {
      // Objects come as JSON text; brackets are another dialect of forms.
      if field.name.contains("[") { throw .unknownParameter(field.name) }
      counts[field.name, default: 0] += 1
    }
    if let name = counts.filter({ $0.value > repeatLimit }).keys.min() {
      throw .arrayTooLong(name, limit: repeatLimit)
    }
    return ClerkForm(form)
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
