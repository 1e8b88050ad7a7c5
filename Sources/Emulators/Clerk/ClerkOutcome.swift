internal import HTTPExchange
internal import HTTPTypes

/// The result of a call of the Frontend API.
///
/// A refusal that is *returned* keeps what the call changed (a counted failure, an attempt that goes
/// on); one that is *thrown* undoes it.
enum ClerkOutcome: Sendable {
  /// `{"response": …, "client": …}` with the client as it is now.
  case resource(JSON)
  /// The same, with the client itself as the response.
  case client
  /// A body without that envelope.
  case bare(JSON)
  /// A body without that envelope, encoded already.
  case encoded([UInt8])
  case refused(ClerkRefusal)
  /// 303 to that address.
  case redirect(to: String)
  /// 307 to that address, whose query carries the cookies that a browser is to keep.
  case handshake(to: String)
}

/// What an answer does to the caller's client token.
enum TokenChange: Sendable, Hashable {
  case keep
  case issue(String)
  /// The token is no longer valid.
  case forget
}

extension ClerkTransaction {
  /// Turns an outcome into a response, with the client as it is now.
  func answer(_ outcome: ClerkOutcome) throws -> UnsignedResponse {
    switch outcome {
    case .resource(let resource):
      let client = try clientJSON()
      return answer(200, .json(["response": resource, "client": client]), about: client)
    case .client:
      let client = try clientJSON()
      return answer(200, .client(client), about: client)
    case .bare(let body):
      return answer(200, .json(body), about: body["client"])
    case .encoded(let bytes):
      return answer(200, .encoded(bytes), about: nil)
    case .redirect(let address):
      return redirect(303, to: address, about: try clientJSON())
    case .handshake(let address):
      return redirect(307, to: address, about: nil)
    case .refused(let refusal):
      let client = try clientJSON()
      var answer = answer(
        refusal.status,
        .json(refusal.document(traceID: call.traceID, client: client)),
        about: client == .null ? nil : client
      )
      answer.headerFields[.retryAfter] = refusal.retryAfter.map(String.init)
      return answer
    }
  }

  private func redirect(_ status: Int, to address: String, about client: JSON?) -> UnsignedResponse
  {
    var answer = answer(status, .none, about: client)
    answer.headerFields[.contentType] = nil
    answer.headerFields[.location] = address
    return answer
  }

  private func answer(_ status: Int, _ body: UnsignedResponse.Body, about client: JSON?)
    -> UnsignedResponse
  {
    var fields = UnsignedResponse.clerkFields
    switch call.caller {
    case .native:
      switch tokenChange {
      case .keep: break
      case .issue(let token): fields[.authorization] = token
      // An empty value would reach Foundation on Linux as a blank, which it refuses.
      case .forget: fields[.authorization] = "Bearer"
      }
    case .page, .browser:
      for cookie in cookies(about: client) {
        fields.append(HTTPField(name: .setCookie, value: cookie))
      }
    }
    return UnsignedResponse(
      status: status,
      headerFields: fields,
      body: body,
      unsignedTokens: unsignedTokens
    )
  }

  /// The cookies for a browser: the token, and when the client last changed (0 if signed out).
  private func cookies(about client: JSON?) -> [String] {
    var cookies: [String] = []
    switch tokenChange {
    case .keep: break
    case .issue(let token): cookies.append(Self.clientCookie(token, Self.cookieLifetime))
    case .forget: cookies.append(Self.clientCookie("", .zero))
    }
    guard let client else { return cookies }
    let isSignedIn = client["last_active_session_id"]?.string != nil
    let seconds = isSignedIn ? (client["updated_at"]?.integer ?? 0) / 1000 : 0
    // The application's scripts and servers read it, so it is neither secret nor HttpOnly.
    cookies.append("\(ClerkCall.updatedAtCookie)=\(seconds); Path=/; SameSite=Lax")
    return cookies
  }

  private static func clientCookie(_ value: String, _ lifetime: Duration) -> String {
    // SDKs know it by this name, whatever the scheme.
    SetCookie(
      name: CookieName(ClerkCall.clientCookie, isSecure: false),
      value: value,
      maximumAge: lifetime
    ).headerValue
  }

  private static let cookieLifetime = Duration.seconds(10 * 365 * 86_400)
}

extension UnsignedResponse {
  static let clerkFields: HTTPFields = [
    .contentType: "application/json", .cacheControl: "no-store",
  ]

  /// A refusal that is made before the caller is known.
  init(_ refusal: ClerkRefusal, traceID: String) {
    self.init(
      status: refusal.status,
      headerFields: Self.clerkFields,
      body: .json(refusal.document(traceID: traceID, client: nil))
    )
    headerFields[.retryAfter] = refusal.retryAfter.map(String.init)
  }
}
