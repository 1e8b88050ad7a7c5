internal import HTTPExchange
internal import HTTPTypes

/// An answer of the API, ready to be written.
struct ClerkAnswer: Sendable {
  private var status: Int
  private var document: JSON?
  private var bytes: [UInt8] = []
  private var tokenChange = TokenChange.keep
  private var retryAfter: Int?
  private var location: String?
  /// The client as it is now, where the document does not have it.
  private var client: JSON?

  init(status: Int, body: JSON, tokenChange: TokenChange = .keep) {
    self.status = status
    document = body
    self.tokenChange = tokenChange
  }

  init(redirectTo address: String, client: JSON, tokenChange: TokenChange) {
    status = 303
    self.client = client
    location = address
    self.tokenChange = tokenChange
  }

  /// An answer whose body is encoded already.
  init(status: Int, encoded bytes: [UInt8]) {
    self.status = status
    self.bytes = bytes
  }

  /// - Parameters:
  ///   - refusal: What to report.
  ///   - client: The client as it is now, which both SDKs take from errors too.
  ///   - random: Gives the trace id.
  ///   - tokenChange: What becomes of the token.
  init(
    refusal: ClerkRefusal,
    client: JSON?,
    random: RandomSource,
    tokenChange: TokenChange = .keep
  ) {
    var document: JSON = [
      "errors": .array(refusal.problems.map(\.json)),
      "clerk_trace_id": .string(random.traceID()),
    ]
    if let client, client != .null { document["meta"] = ["client": client] }
    self.init(status: refusal.status, body: document, tokenChange: tokenChange)
    retryAfter = refusal.retryAfter
  }

  /// Whether this is an error that could still be given the client.
  var lacksClient: Bool {
    status >= 400 && document?["meta"] == nil
  }

  func carrying(_ client: JSON) -> Self {
    guard client != .null else { return self }
    var answer = self
    answer.document?["meta"] = ["client": client]
    return answer
  }

  /// The answer on the wire.
  ///
  /// - Parameter caller: Decides where the token goes.
  /// - Returns: The response.
  func response(to caller: ClerkCaller = .native) -> Response {
    var fields: HTTPFields = [
      .contentType: "application/json", .cacheControl: "no-store",
    ]
    switch caller {
    case .native:
      switch tokenChange {
      case .keep: break
      case .issue(let token): fields[.authorization] = token
      case .forget: fields[.authorization] = ""
      }
    case .page, .browser:
      for cookie in cookies { fields.append(HTTPField(name: .setCookie, value: cookie)) }
    }
    if let location {
      fields[.contentType] = nil
      fields[.location] = location
    }
    if let retryAfter { fields[.retryAfter] = String(retryAfter) }
    return Response(
      status: .init(code: status),
      headerFields: fields,
      body: document?.encoded ?? bytes
    )
  }

  /// What a browser keeps: the token, and since when who is signed in.
  ///
  /// Source: clerk-frontend-api.md section 1.6.
  private var cookies: [String] {
    var cookies: [String] = []
    switch tokenChange {
    case .keep: break
    case .issue(let token):
      cookies.append(
        SetCookie(
          name: ClerkCall.clientCookie,
          value: token,
          maximumAge: Self.cookieLifetime,
          isSecure: false
        ).headerValue
      )
    case .forget:
      cookies.append(
        SetCookie(name: ClerkCall.clientCookie, value: "", maximumAge: .zero, isSecure: false)
          .headerValue
      )
    }
    guard let client = client ?? document?["client"] ?? document?["meta"]?["client"] else {
      return cookies
    }
    let isSignedIn = client["last_active_session_id"]?.string != nil
    let seconds = isSignedIn ? (client["updated_at"]?.integer ?? 0) / 1000 : 0
    // Read by the application's scripts and servers, so it is no secret and not HttpOnly.
    cookies.append("__client_uat=\(seconds); Path=/; SameSite=Lax")
    return cookies
  }

  private static let cookieLifetime = Duration.seconds(10 * 365 * 86_400)
}
