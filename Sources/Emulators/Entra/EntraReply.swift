internal import HTTPExchange
internal import HTTPTypes

/// What a call answers, before it is written down.
///
/// A refusal that is *returned* keeps what the call changed (a counted failure, a token that an
/// error carries); one that is *thrown* undoes it.
enum EntraReply: Sendable {
  case success(JSON)
  /// The app cannot go on natively: a browser is required.
  case browserRequired(String)
  case refused(EntraRefusal)
}

/// An answer of the API, ready to be written.
///
/// Source: Microsoft, native authentication API reference.
struct EntraAnswer: Sendable {
  private var status: Int
  private var document: JSON
  private var trace: EntraTrace
  private var retryAfter: Int?
  private var allowedMethods: [String] = []

  init(_ document: JSON, _ trace: EntraTrace) {
    status = 200
    self.document = document
    self.trace = trace
  }

  init(_ refusal: EntraRefusal, _ trace: EntraTrace) {
    status = refusal.status
    document = refusal.json(trace)
    self.trace = trace
    retryAfter = refusal.retryAfter
    allowedMethods = refusal.allowedMethods
  }

  init(_ reply: EntraReply, _ trace: EntraTrace) {
    switch reply {
    case .success(let document): self.init(document, trace)
    case .browserRequired(let reason):
      self.init(["challenge_type": "redirect", "redirect_reason": .string(reason)], trace)
    case .refused(let refusal): self.init(refusal, trace)
    }
  }

  var response: Response {
    var fields: HTTPFields = [
      .contentType: "application/json; charset=utf-8",
      .cacheControl: "no-store, no-cache",
      .pragma: "no-cache",
      .clientRequestID: trace.correlationID,
      .requestID: trace.traceID,
    ]
    if let retryAfter { fields[.retryAfter] = String(retryAfter) }
    if !allowedMethods.isEmpty { fields[.allow] = allowedMethods.joined(separator: ", ") }
    return Response(
      status: .init(code: status),
      headerFields: fields,
      body: document.encoded
    )
  }
}

// swift-format-ignore: NeverForceUnwrap
extension HTTPField.Name {
  static let pragma = Self("Pragma")!
}
