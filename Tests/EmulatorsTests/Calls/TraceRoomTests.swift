@testable import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("The room that all worlds have for traces")
struct TraceRoomTests {
  @Test("where there is none left, a refusal's codes and reference are kept without its answer")
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
}
