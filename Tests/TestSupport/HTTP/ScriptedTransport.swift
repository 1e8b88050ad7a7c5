package import HTTPExchange
package import HTTPTypes
import Locking
import Testing

/// A transport that answers from a script; a call that is not in it fails the test.
package final class ScriptedTransport: HTTPTransport {
  package typealias Answer = Result<Response, TransportError>

  private let state: Locked<(script: [Answer], requests: [Request])>
  /// What the service publishes: answered whenever it is asked for, and not counted.
  private let documents: [String: Response]

  package init(_ script: [Answer], documents: [String: Response] = [:]) {
    state = Locked((script, []))
    self.documents = documents
  }

  package convenience init(_ responses: Response...) {
    self.init(responses.map(Answer.success))
  }

  package func send(_ request: Request) async throws(TransportError) -> Response {
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
  package var requests: [Request] { state.withLock { $0.requests } }
  /// The forms that were sent, in order.
  package var forms: [FormData] {
    requests.map { (try? FormData(decoding: $0.body)) ?? FormData() }
  }
  /// Whether every answer of the script was asked for.
  package var isDone: Bool { state.withLock { $0.script.isEmpty } }
}

extension Response {
  /// An answer whose body is this JSON.
  package static func json(
    _ text: String,
    status: HTTPResponse.Status = .ok,
    headerFields: HTTPFields = [:]
  ) -> Response {
    var fields: HTTPFields = [.contentType: "application/json"]
    fields.append(contentsOf: headerFields)
    return Response(status: status, headerFields: fields, body: Array(text.utf8))
  }
}
