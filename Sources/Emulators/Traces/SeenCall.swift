internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// One call as it was made; it becomes a `TracedCall` only when somebody reads it, which is rare.
struct SeenCall: Sendable {
  /// Longer answers are not kept, only their length.
  static let answerLimitBytes = 64 * 1024

  var method: String
  /// Masked.
  var target: String
  /// Masked.
  var headerFields: HTTPFields
  /// Masked.
  var form: [TracedCall.Parameter]
  /// The body if it is JSON, masked.
  var content: JSON?
  /// The URL under which the API is reached.
  var address: String
  /// By the world's clock.
  var startedAt: Date
  /// Zero if no answer arrived.
  var status: Int
  var answerFields: HTTPFields
  /// The answer if it is JSON and not too long; nil once it was dropped for lack of room.
  var answer: [UInt8]?
  var answerByteCount: Int
  var fault: Fault?
  var duration: Duration

  init(
    _ request: Request,
    _ response: Response,
    to address: String,
    at startedAt: Date,
    fault: Fault?,
    duration: Duration
  ) {
    let body = SentBody(request)
    method = request.method.rawValue
    target = TraceSecrets.shown(request.target)
    headerFields = TraceSecrets.masked(request.headerFields)
    form = TraceSecrets.masked(body.form)
    content = body.json?.maskedAsSent()
    self.address = address
    self.startedAt = startedAt
    let hasArrived = response.deliveryFailure == nil
    status = hasArrived ? response.status.code : 0
    answerFields = hasArrived ? response.headerFields : [:]
    answerByteCount = hasArrived ? response.body.count : 0
    if hasArrived, (1...Self.answerLimitBytes).contains(response.body.count), response.isJSON {
      // A refusal may repeat the value that it refuses.
      answer =
        status >= 400
        ? TraceSecrets.hiding(secretsOf: body.form, in: response.body)
        : response.body
    }
    self.fault = fault
    self.duration = duration
  }
}

/// The body of a call, as far as it is read.
private struct SentBody {
  var form = FormData()
  var json: JSON?

  init(_ request: Request) {
    guard !request.body.isEmpty else { return }
    if request.isForm {
      form = (try? FormData(decoding: request.body)) ?? FormData()
    } else if request.mediaType == "application/json" {
      json = JSON(decoding: request.body)
    }
  }
}

extension Response {
  fileprivate var isJSON: Bool {
    let type = headerFields.value(of: .contentType) ?? ""
    return TraceSecrets.holds("json", type.lowercased())
  }
}

extension Fault {
  /// What it does to a call, by its name in backstage.
  var effectName: String {
    switch effect {
    case .none: "delayed"
    case .answer(let response): "answered \(response.status.code)"
    case .failure(let failure): failure.rawValue
    }
  }
}
