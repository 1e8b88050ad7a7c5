import HTTPExchange
import HTTPTypes
import Synchronization
import Testing

/// A transport that answers from a script; a call that is not in it fails the test.
final class ScriptedTransport: HTTPTransport {
  typealias Answer = Result<Response, TransportError>

  private let state: Mutex<(script: [Answer], requests: [Request])>
  /// What the tenant publishes: answered whenever it is asked for, and not counted.
  private let documents: [String: Response]

  init(_ script: [Answer], documents: [String: Response] = [:]) {
    state = Mutex((script, []))
    self.documents = documents
  }

  func send(_ request: Request) async throws(TransportError) -> Response {
    if request.method == .get, let document = documents[request.target] { return document }
    let answer: Answer? = state.withLock { state in
      state.requests.append(request)
      return state.script.isEmpty ? nil : state.script.removeFirst()
    }
    guard let answer else {
      Issue.record("unscripted call: \(request.method) \(request.target)")
      throw .malformedAnswer
    }
    return try answer.get()
  }

  /// What was asked, in order.
  var requests: [Request] { state.withLock { $0.requests } }
  /// The endpoints that were asked, in order.
  var paths: [String] { requests.map { String($0.path.dropFirst(Fixture.tenant.count)) } }
  /// The forms that were sent, in order.
  var forms: [Form] { requests.map { (try? Form(decoding: $0.body)) ?? Form() } }
  /// Whether every answer of the script was asked for.
  var isDone: Bool { state.withLock { $0.script.isEmpty } }
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

  static func error(_ text: String) -> Response { .json(text, status: .badRequest) }
}
