/// One entry of the list `errors` of an answer.
///
/// Source: <doc:ClerkErrorCodes>.
struct ClerkProblem: Sendable, Hashable {
  var code: String
  var message: String
  var longMessage: String
  var meta: [JSON.Member] = []

  init(
    _ code: String,
    _ message: String,
    _ longMessage: String? = nil,
    parameter: String? = nil,
    meta: [JSON.Member] = []
  ) {
    self.code = code
    self.message = message
    self.longMessage = longMessage ?? message
    self.meta = (parameter.map { [JSON.Member("param_name", .string($0))] } ?? []) + meta
  }

  var json: JSON {
    var json: JSON = [
      "code": .string(code), "message": .string(message), "long_message": .string(longMessage),
    ]
    if !meta.isEmpty { json["meta"] = .object(meta) }
    return json
  }
}

/// An answer with a status of 400 or above.
///
/// Thrown, it undoes the call's changes; returned as a `ClerkOutcome`, it keeps them.
struct ClerkRefusal: Error, Sendable, Hashable {
  var status: Int
  var problems: [ClerkProblem]
  /// Seconds.
  var retryAfter: Int?

  init(_ status: Int, _ problems: [ClerkProblem], retryAfter: Int? = nil) {
    self.status = status
    self.problems = problems
    self.retryAfter = retryAfter
  }

  init(_ status: Int, _ problem: ClerkProblem, retryAfter: Int? = nil) {
    self.init(status, [problem], retryAfter: retryAfter)
  }

  /// - Parameters:
  ///   - traceID: Identifies the answer, as `clerk_trace_id`.
  ///   - client: The client as it is now, which both SDKs take from errors too.
  /// - Returns: The body of the answer.
  func document(traceID: String, client: JSON?) -> JSON {
    var document: JSON = [
      "errors": .array(problems.map(\.json)), "clerk_trace_id": .string(traceID),
    ]
    if let client, client != .null { document["meta"] = ["client": client] }
    return document
  }
}
