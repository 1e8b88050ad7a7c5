import HTTPExchange
import HTTPTypes
import Synchronization
import Testing

/// A transport that answers from a script; a call that is not in it fails the test.
final class ScriptedTransport: HTTPTransport {
  typealias Answer = Result<Response, TransportError>

  private let state: Mutex<(script: [Answer], requests: [Request])>

  init(_ script: [Answer]) {
    state = Mutex((script, []))
  }

  convenience init(_ responses: Response...) {
    self.init(responses.map(Answer.success))
  }

  func send(_ request: Request) async throws(TransportError) -> Response {
    let answer: Answer? = state.withLock { state in
      state.requests.append(request)
      return state.script.isEmpty ? nil : state.script.removeFirst()
    }
    guard let answer else {
      Issue.record("unscripted call: \(request.method) \(request.target)")
      throw .offline
    }
    return try answer.get()
  }

  /// What was asked, in order.
  var requests: [Request] { state.withLock { $0.requests } }
  /// What was asked, as `POST /v1/… form`.
  var calls: [String] { requests.map(\.summary) }
  /// Whether every answer of the script was asked for.
  var isDone: Bool { state.withLock { $0.script.isEmpty } }
}

extension Request {
  /// Method, target and body in a line, for assertions.
  var summary: String {
    let body = String(decoding: body, as: UTF8.self)
    return "\(method.rawValue) \(target)" + (body.isEmpty ? "" : " \(body)")
  }
}

extension Response {
  static func json(
    _ text: String,
    status: HTTPResponse.Status = .ok,
    headerFields: HTTPFields = [:]
  ) -> Response {
    var fields: HTTPFields = [.contentType: "application/json"]
    fields.append(contentsOf: headerFields)
    return Response(status: status, headerFields: fields, body: Array(text.utf8))
  }

  /// A success, as <doc:ClerkTransport#Answers> wraps it.
  static func enveloped(
    _ response: String,
    client: String = "null",
    token: String? = nil
  ) -> Response {
    var fields = HTTPFields()
    fields[.authorization] = token
    return .json(#"{"response": \#(response), "client": \#(client)}"#, headerFields: fields)
  }

  /// An error, as <doc:ClerkTransport#Error-envelope> wraps it.
  static func errors(
    _ items: String...,
    status: Int,
    client: String? = nil,
    headerFields: HTTPFields = [:]
  ) -> Response {
    let meta = client.map { #", "meta": {"client": \#($0)}"# } ?? ""
    return .json(
      #"{"errors": [\#(items.joined(separator: ","))], "clerk_trace_id": "trace_1"\#(meta)}"#,
      status: HTTPResponse.Status(code: status),
      headerFields: headerFields
    )
  }

  /// One error with a code and, where it has one, a parameter.
  static func error(
    _ code: String,
    _ parameter: String? = nil,
    status: Int = 422,
    client: String? = nil,
    headerFields: HTTPFields = [:]
  ) -> Response {
    let meta = parameter.map { #", "meta": {"param_name": "\#($0)"}"# } ?? ""
    return .errors(
      #"{"code": "\#(code)", "message": "short", "long_message": "long"\#(meta)}"#,
      status: status,
      client: client,
      headerFields: headerFields
    )
  }
}
