internal import HTTPExchange
internal import HTTPTypes

/// A request of the Frontend API, read and checked as far as that needs no account.
///
/// Source: <doc:ClerkTransport>.
struct ClerkCall: Sendable {
  static let bodyLimitBytes = 64 * 1024
  static let version = "2026-05-12"
  /// How many values one key may have.
  static let repeatLimit = 100
  /// The cookie that holds a browser's client token.
  static let clientCookie = "__client"
  /// The cookie with the token of a development browser, which pages repeat in the query.
  static let developmentBrowserCookie = "__clerk_db_jwt"
  /// The cookie that tells an application's server who is signed in.
  static let sessionCookie = "__session"
  /// The cookie with the time of the client's last change, in seconds; 0 if nobody is signed in.
  static let updatedAtCookie = "__client_uat"

  var route: ClerkRoute
  /// The segments of the path that match the names in braces, in order.
  var parameters: [String]
  var query: FormData
  var form: ClerkForm
  var caller: ClerkCaller
  /// The client token, if one was sent.
  var token: String?
  /// The secret within it, once its signature is verified.
  var rotatingToken: String?
  /// The token of a development browser, if one was sent.
  var browserToken: String?
  var device: CallingDevice
  var acceptLanguage: String?
  /// The acting session, if the query names one.
  var sessionID: String?
  /// The token in the query of a mailed link.
  var linkToken: String?
  var place: ClerkPlace
  /// Identifies the answer, as `clerk_trace_id`.
  var traceID: String

  /// - Parameters:
  ///   - request: The request.
  ///   - match: The operation and its parameters.
  ///   - place: Where the API was called.
  ///   - traceID: Identifies the answer, as `clerk_trace_id`.
  /// - Throws: `ClerkRefusal` with the status and code of the first fault.
  init(
    _ request: Request,
    _ match: RouteTable<ClerkRoute>.Match,
    _ place: ClerkPlace,
    traceID: String
  ) throws(ClerkRefusal) {
    route = match.operation
    parameters = match.parameters
    self.place = place
    self.traceID = traceID
    query = try Self.query(of: request)
    if route.hasVersion { try Self.checkVersion(of: request, query) }
    caller = try ClerkCaller(request, query, place.origins)
    token = try Self.token(of: request, caller)
    browserToken =
      caller == .native ? nil : query[Self.developmentBrowserCookie] ?? query["__dev_session"]
    device = CallingDevice(request)
    acceptLanguage = request.headerFields.value(of: .acceptLanguage)
    sessionID = query["_clerk_session_id"]
    linkToken = query["token"]
    form = try Self.form(of: request)
  }

  /// The first parameter in the path; empty, which names nothing, if there is none.
  var firstParameter: String { parameters.first ?? "" }

  /// The second parameter in the path; empty if there is none.
  var secondParameter: String { parameters.dropFirst().first ?? "" }

  /// The language that the form names, unchecked: an operation that accepts one checks it.
  var locale: String? { form.first("locale") }

  private static func query(of request: Request) throws(ClerkRefusal) -> FormData {
    do {
      return try FormData(decoding: (request.query ?? "").utf8)
    } catch {
      throw .badRequest("malformed_request_parameters", "The query is malformed.")
    }
  }

  /// Browsers send `POST` and name the intended method in the query.
  static func method(of request: Request) throws(ClerkRefusal) -> HTTPRequest.Method {
    guard request.method == .post, let name = try query(of: request)["_method"] else {
      return request.method
    }
    switch name.uppercased() {
    case "PATCH": return .patch
    case "PUT": return .put
    case "DELETE": return .delete
    case "POST": return .post
    default: throw .badRequest("invalid_query_parameter_value", "_method is not a method.")
    }
  }

  private static func checkVersion(of request: Request, _ query: FormData) throws(ClerkRefusal) {
    let named =
      request.headerFields[values: .clerkVersion] + query.values(of: "__clerk_api_version")
    guard named.count <= 1, named.allSatisfy({ $0 == version }) else {
      throw .badRequest(
        "api_version_invalid",
        "Name the version \(version) once, in the header or in the query."
      )
    }
  }

  /// A browser's token is in a cookie, an app's in `Authorization`: raw, after `Bearer`, or empty.
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
      let value = request.cookie(clientCookie) ?? ""
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
    guard request.method != .get, !request.body.isEmpty else { return ClerkForm(FormData()) }
    guard request.body.count <= bodyLimitBytes else {
      throw .badRequest("request_body_too_large", "The body is too large.", status: 413)
    }
    guard request.isForm else {
      throw .badRequest(
        "unsupported_content_type",
        "Send application/x-www-form-urlencoded.",
        status: 415
      )
    }
    let form: FormData
    do {
      form = try FormData(decoding: request.body, fieldLimit: 200)
    } catch {
      throw .badRequest("malformed_request_parameters", "The form is malformed.")
    }
    var counts: [String: Int] = [:]
    for field in form.fields {
      // Objects are sent as JSON text; the API does not read names with brackets.
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
