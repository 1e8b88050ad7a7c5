@_spi(Provider) import AuthFlow
@testable import ClerkFrontendAPI
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("The sessions of a person")
struct ActiveSessionTests {
  private let mara = Fixture.mara()

  @Test("each session is listed with what is known of where it is used")
  func list() async throws {
    let here = Fixture.session(
      extra: """
        "latest_activity": {"object": "session_activity", "browser_name": "Firefox",
          "device_type": "Linux", "ip_address": "192.0.2.1"},
        """
    )
    let there = Fixture.session(id: "sess_there")
    let transport = ScriptedTransport(
      .list(here, there),
      .list(Fixture.session(), there, "null")
    )
    var memory = memory()
    let sessions = try await provider(transport).activeSessions(besides: mara, memory: &memory)
    let usedAt = Date(timeIntervalSince1970: 1_767_225_600)
    #expect(
      sessions == [
        ActiveSession(
          id: mara.id,
          isCurrent: true,
          device: .init(browser: "Firefox", system: "Linux", address: "192.0.2.1"),
          lastActiveAt: usedAt
        ),
        ActiveSession(id: "sess_there", isCurrent: false, device: .init(), lastActiveAt: usedAt),
      ]
    )
    #expect(
      transport.calls == [
        "GET /v1/me/sessions/active?_is_native=1&_clerk_session_id=\(mara.id)",
        "GET /v1/me/sessions?_is_native=1&_clerk_session_id=\(mara.id)",
      ]
    )
  }

  @Test("a session whose tasks are not done is listed too, and one that is over is not")
  func pending() async throws {
    let over = ["ended", "removed", "revoked", "expired", "abandoned", "replaced", "other"]
    let others = over.map { Fixture.session(id: "sess_\($0)", status: $0) }
    let waiting = Fixture.session(
      id: "sess_waiting",
      status: "pending",
      tasks: #"[{"key": "choose-organization"}]"#
    )
    let transport = ScriptedTransport(
      .list(Fixture.session()),
      .list([Fixture.session()] + others + [waiting])
    )
    var memory = memory()
    let sessions = try await provider(transport).activeSessions(besides: mara, memory: &memory)
    #expect(sessions.map(\.id) == [mara.id, "sess_waiting"])
  }

  @Test(
    "without a list of all sessions, the active ones are listed",
    arguments: [
      (404, #"{"errors": [{"code": "resource_not_found", "message": "No"}]}"#),
      (403, #"{"errors": [{"code": "resource_forbidden", "message": "No"}]}"#), (200, "[7"),
    ]
  )
  func activeAlone(status: Int, body: String) async throws {
    let transport = ScriptedTransport(
      .list(Fixture.session(), Fixture.session(id: "sess_there")),
      Response(status: .init(code: status), body: Array(body.utf8))
    )
    var memory = memory()
    let sessions = try await provider(transport).activeSessions(besides: mara, memory: &memory)
    #expect(sessions.map(\.id) == [mara.id, "sess_there"])
  }

  @Test("if the list of all sessions is not available for now, the sessions are not listed")
  func unavailableForNow() async throws {
    let transport = ScriptedTransport(
      .list(Fixture.session()),
      Response(status: .serviceUnavailable)
    )
    var memory = memory()
    let error = await #expect(throws: AuthError.self) {
      try await provider(transport).activeSessions(besides: mara, memory: &memory)
    }
    #expect(error?.reasons == [.serviceUnavailable])
  }

  @Test("ending a session that is already over is not an error")
  func over() async throws {
    let gone = Response(
      status: .notFound,
      body: Array(#"{"errors": [{"code": "resource_not_found", "message": "Gone"}]}"#.utf8)
    )
    let transport = ScriptedTransport(gone)
    var memory = memory()
    try await provider(transport).end(.one(id: "sess_there"), from: mara, memory: &memory)
    #expect(
      transport.calls == [
        "POST /v1/me/sessions/sess_there/revoke?_is_native=1&_clerk_session_id=\(mara.id)"
      ]
    )
  }

  @Test(
    "an answer that is not a list of sessions, or not that session ended, is refused (R3b)",
    arguments: [
      #"{}"#, #"{"data": null}"#, #"{"errors": []}"#, "[null]", "nonsense",
      "[\(Fixture.session(id: "sess_there")), {\"id\": null}]",
    ]
  )
  func nonsense(list: String) async throws {
    var memory = memory()
    let answers = [
      list, #"{"response": {}}"#, #"{"response": \#(Fixture.session(id: "sess_there"))}"#,
      #"{"response": \#(Fixture.session(id: "sess_other", status: "ended"))}"#,
    ]
    for (index, answer) in answers.enumerated() {
      let transport = ScriptedTransport([.success(.json(answer))])
      let error = await #expect(throws: AuthError.self) {
        if index == 0 {
          _ = try await provider(transport).activeSessions(besides: mara, memory: &memory)
        } else {
          try await provider(transport).end(.one(id: "sess_there"), from: mara, memory: &memory)
        }
      }
      #expect(error?.reasons == [.serviceAnsweredNonsense], "\(answer)")
    }
  }

  @Test("a refusal stops the ending of sessions before the person's own")
  func refused() async throws {
    let list = Response.list(Fixture.session(), Fixture.session(id: "sess_there"))
    let transport = ScriptedTransport(list, list, Response(status: .serviceUnavailable))
    var memory = memory()
    let error = await #expect(throws: AuthError.self) {
      try await provider(transport).end(.all, from: mara, memory: &memory)
    }
    #expect(error?.reasons == [.serviceUnavailable])
    #expect(transport.calls.count == 3)
  }

  @Test("the API is told which browser asks")
  func browser() async throws {
    let transport = ScriptedTransport(.list(), .list())
    var memory = memory()
    let naming = provider(transport).calling(for: "Mozilla/5.0 Firefox/140.0")
    _ = try await naming.activeSessions?.activeSessions(besides: mara, memory: &memory)
    #expect(
      transport.requests.map { $0.headerFields[.userAgent] }
        == [String?](repeating: "Mozilla/5.0 Firefox/140.0 Vestibule", count: 2)
    )
  }
}

extension Response {
  /// A list of sessions, which has no envelope.
  fileprivate static func list(_ sessions: [String]) -> Response {
    .json("[\(sessions.joined(separator: ","))]")
  }

  fileprivate static func list(_ sessions: String...) -> Response { list(sessions) }
}
