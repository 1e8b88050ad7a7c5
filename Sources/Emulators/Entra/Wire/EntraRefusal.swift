/// An answer with an error object.
///
/// Thrown, it undoes what the request did so far; returned as an `EntraOutcome`, it keeps it.
/// Source: Microsoft, native authentication API reference.
struct EntraRefusal: Error, Sendable, Hashable {
  var status = 400
  var error: String
  var suberror: String?
  var codes: [Int]
  /// A sentence for developers; the answer adds the code and the ids.
  var text: String
  /// Additional members of some errors: a continuation token, attributes, claims.
  var members: [JSON.Member] = []
  /// Seconds.
  var retryAfter: Int?
  /// The methods that the endpoint accepts.
  var allowedMethods: [String] = []

  init(
    _ error: String,
    _ suberror: String? = nil,
    _ code: Int? = nil,
    _ text: String,
    status: Int = 400
  ) {
    self.error = error
    self.suberror = suberror
    codes = code.map { [$0] } ?? []
    self.text = text
    self.status = status
  }

  func carrying(_ members: JSON.Member...) -> Self {
    var refusal = self
    refusal.members += members
    return refusal
  }

  /// The error that continues the flow: it carries the token of the next step.
  func carrying(continuation token: String) -> Self {
    carrying(JSON.Member("continuation_token", .string(token)))
  }

  func json(_ trace: EntraTrace) -> JSON {
    var document: JSON = ["error": .string(error)]
    document["suberror"] = suberror.map(JSON.string)
    let code = codes.first.map { "AADSTS\($0): " } ?? ""
    document["error_description"] = .string(
      "\(code)\(text) Trace ID: \(trace.traceID) Correlation ID: \(trace.correlationID) "
        + "Timestamp: \(trace.timestamp)"
    )
    // Clients read the first element, so an empty list is left out.
    if !codes.isEmpty { document["error_codes"] = .array(codes.map { .integer(Int64($0)) }) }
    document["timestamp"] = .string(trace.timestamp)
    document["trace_id"] = .string(trace.traceID)
    document["correlation_id"] = .string(trace.correlationID)
    for member in members { document[member.name] = member.value }
    return document
  }
}
