@testable import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("The space that all worlds share for traces")
struct TraceRoomTests {
  @Test("imported traces take only a limited part of it, however many there are")
  func imported() throws {
    let room = TraceRoom()
    let traces = Traces(in: room)
    let body = #"{"errors": [], "padding": "\#(String(repeating: "x", count: 40_000))"}"#
    let source = Traces()
    let request = Request(method: .post, target: "/v1/client/sign_ins")
    for _ in 1...20 {
      source.add(
        SeenCall(
          request,
          .json(body, status: .ok),
          to: "http://127.0.0.1:4010",
          at: Date(timeIntervalSince1970: 1_800_000_000),
          fault: nil,
          duration: .zero
        ),
        by: nil
      )
    }
    // Far more calls than are kept for one page, all of them with their answers.
    var trace = try #require(source.all.first)
    trace.calls = Array(repeating: trace.calls[0], count: 500)
    traces.replace(with: [trace, trace, trace])
    let kept = traces.all.flatMap(\.calls)
    #expect(kept.count == 300)
    let bytes = kept.reduce(0) { $0 + ($1.answer?.encoded.count ?? 0) }
    #expect(bytes <= 2 * 1024 * 1024)
    // Removing them gives back what they took.
    traces.removeAll()
    #expect(room.take(TraceRoom.limitBytes))
  }

  @Test("if none is left, a refusal's codes and reference are kept without its answer")
  func full() throws {
    let room = TraceRoom()
    #expect(room.take(TraceRoom.limitBytes))
    let traces = Traces(in: room)
    let body = #"{"errors": [{"code": "form_password_incorrect"}], "clerk_trace_id": "trace_7"}"#
    traces.add(
      SeenCall(
        Request(method: .post, target: "/v1/client/sign_ins"),
        .json(body, status: .unprocessableContent),
        to: "http://127.0.0.1:4010",
        at: Date(timeIntervalSince1970: 1_800_000_000),
        fault: nil,
        duration: .zero
      ),
      by: nil
    )
    let call = try #require(traces.all.first?.calls.first)
    #expect(call.answer == nil)
    #expect(call.errorCodes == ["form_password_incorrect"])
    #expect(call.reference == "trace_7")
  }

  private func call(_ body: String) -> SeenCall { call(.json(body, status: .ok)) }

  private func call(_ answer: Response) -> SeenCall {
    SeenCall(
      Request(method: .post, target: "/v1/client/sign_ins"),
      answer,
      to: "http://127.0.0.1:4010",
      at: Date(timeIntervalSince1970: 1_800_000_000),
      fault: nil,
      duration: .zero
    )
  }

  @Test("if none is left, imported calls are kept without their answers")
  func importedIntoNone() throws {
    let source = Traces()
    source.add(call(#"{"a": 1}"#), by: nil)
    #expect(source.all.first?.calls.first?.answer == ["a": 1])
    let room = TraceRoom()
    #expect(room.take(TraceRoom.limitBytes))
    let traces = Traces(in: room)
    traces.replace(with: source.all)
    #expect(traces.all.first?.calls.count == 1)
    #expect(traces.all.first?.calls.first?.answer == nil)
  }

  @Test("of one page's calls only the first hundred are kept, and the others take no room")
  func manyCalls() {
    let room = TraceRoom()
    let traces = Traces(in: room)
    let page = PageRequest(method: "GET", path: "/sign-in")
    for _ in 0..<101 { traces.add(call(#"{"a": 1}"#), by: page) }
    #expect(traces.all.map(\.calls.count) == [100])
    traces.removeAll()
    #expect(room.take(TraceRoom.limitBytes))
  }

  @Test("if a world's answers take too much, the oldest calls lose theirs, and the newest do not")
  func newest() {
    let traces = Traces()
    let body = #"{"padding": "\#(String(repeating: "x", count: 40_000))"}"#
    for _ in 0..<60 { traces.add(call(body), by: nil) }
    let answered = traces.all.map { $0.calls.first?.answer != nil }
    #expect(answered.count == 60)
    #expect(answered.first == true && answered.last == false)
  }

  @Test("an answer that is not sent as JSON is told by its length, and takes no room")
  func noJSON() throws {
    let room = TraceRoom()
    let traces = Traces(in: room)
    let fields: HTTPFields = [.contentType: "text/html; charset=utf-8"]
    let answer = Response(status: .ok, headerFields: fields, body: Array("{}".utf8))
    traces.add(call(answer), by: nil)
    let kept = try #require(traces.all.first?.calls.first)
    #expect(kept.answer == nil && kept.answerByteCount == 2)
    #expect(room.take(TraceRoom.limitBytes))
  }
}
