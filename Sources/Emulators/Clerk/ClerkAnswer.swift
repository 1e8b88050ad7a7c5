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

  init(status: Int, body: JSON, tokenChange: TokenChange = .keep) {
    self.status = status
    document = body
    self.tokenChange = tokenChange
  }

  init(redirectTo address: String, tokenChange: TokenChange) {
    status = 303
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

  var response: Response {
    var fields: HTTPFields = [
      .contentType: "application/json", .cacheControl: "no-store",
    ]
    switch tokenChange {
    case .keep: break
    case .issue(let token): fields[.authorization] = token
    case .forget: fields[.authorization] = ""
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
}
