import Backstage
import Emulators
import HTTPExchange
import HTTPTypes
import Testing

@Suite("Faults and traces")
struct FaultsTests {
  private let client: BackstageClient
  private let service: EmulatedService

  init() throws {
    client = try BackstageClient()
    service = EmulatedService(
      client.emulator,
      worlds: client.worlds,
      address: "http://127.0.0.1:4010"
    )
  }

  private func call(
    _ target: String = "/v1/environment",
    world: String = "main"
  ) async -> Response {
    await service.respond(
      to: Request(method: .get, target: target, headerFields: [.vestibuleWorld: world])
    )
  }

  @Test("a fault's answer replaces the API's, as often as asked")
  func answers() async throws {
    let body = #"""
      {"match":{"method":"GET","path":"/v1/environment"},"times":2,
       "answer":{"status":429,"headers":{"Retry-After":"30"},"json":{"errors":[]}}}
      """#
    let made = try await client.send(.post, "faults", body: body)
    #expect(made.status == 200)
    #expect(made.json["times"] == 2)
    #expect(made.json["answer"]?["headers"]?["Retry-After"] == "30")
    let first = await call()
    #expect(first.status == .tooManyRequests)
    #expect(first.headerFields[.retryAfter] == "30")
    #expect(String(decoding: first.body, as: UTF8.self) == #"{"errors":[]}"#)
    #expect(try await client.send(.get, "faults").json[0]?["times"] == 1)
    #expect(await call(world: "other").status == .ok)
    #expect(await call().status == .tooManyRequests)
    #expect(try await client.send(.get, "faults").json == [])
    #expect(await call().status == .ok)
  }

  @Test(
    "a path is matched by segments, and a star matches one of them",
    arguments: [
      ("/v1/environment", true), ("/v1/*", true), ("/*/environment", true), ("/v1/*/", true),
      ("/*", false), ("/v1/client", false), ("/v1/*/*", false), ("/v1/client/*", false),
    ]
  )
  func matches(pattern: String, isMet: Bool) async throws {
    let body = #"{"match":{"path":"\#(pattern)"},"answer":{"status":503}}"#
    #expect(try await client.send(.post, "faults", body: body).status == 200)
    #expect(await call("/v1/environment?a=/b/c").status.code == (isMet ? 503 : 200))
  }

  @Test(
    "a star that is not a whole segment would match nothing, and is refused",
    arguments: ["/v1/env*", "/v1/**", "/**/environment"]
  )
  func partOfSegment(pattern: String) async throws {
    let body = #"{"match":{"path":"\#(pattern)"},"answer":{"status":503}}"#
    let answer = try await client.send(.post, "faults", body: body)
    #expect(answer.status == 422)
    #expect(answer.json["errors"]?[0]?["message"]?.string?.contains("'match.path'") == true)
    #expect(try await client.send(.get, "faults").json == [])
  }

  @Test(
    "a path that no call of the API has would match nothing, and is refused",
    arguments: [
      ("/client/sign_ins", ": did you mean '/v1/client/sign_ins'?"),
      (
        "/client/sign_ins/*/attempt_first_factor",
        ": did you mean '/v1/client/sign_ins/*/attempt_first_factor'?"
      ),
      ("/V1/client", ": did you mean '/v1/client'?"),
      ("/v1/client/signins", ": did you mean '/v1/client/sign_ins'?"),
      ("/", "; one has '/v1/client/sign_ins'."),
      ("/v1/nonsense", "; one has '/v1/client/sign_ins'."),
    ]
  )
  func otherPath(path: String, words: String) async throws {
    let body = #"{"match":{"path":"\#(path)"},"answer":{"status":503}}"#
    let answer = try await client.send(.post, "faults", body: body)
    #expect(answer.status == 422)
    let message = answer.json["errors"]?[0]?["message"]?.string
    #expect(message == "No call of this API has this 'match.path'\(words)")
    #expect(try await client.send(.get, "faults").json == [])
    // A world that was exported with such a path is imported as it was.
    var document = try await client.send(.get, "export").json
    document["faults"] = [["match": ["path": .string(path)], "answer": ["status": 503]]]
    let exported = String(decoding: document.encoded, as: UTF8.self)
    #expect(try await client.send(.post, "import", body: exported).status == 200)
    #expect(try await client.send(.get, "faults").json[0]?["match"]?["path"] == .string(path))
  }

  @Test("a method that no call with that path has would match nothing, and is refused")
  func otherMethod() async throws {
    let body = #"{"match":{"method":"GET","path":"/v1/client/sign_ins"},"fault":"reset"}"#
    let answer = try await client.send(.post, "faults", body: body)
    #expect(answer.status == 422)
    let message = answer.json["errors"]?[0]?["message"]?.string
    #expect(message == "'match.method' must be POST for such calls, or null for any.")
    #expect(try await client.send(.get, "faults").json == [])
  }

  @Test(
    "paths that are served besides the API, or that are not emulated, are accepted",
    arguments: ["/.well-known/jwks.json", "/v1/me/passkeys", "/oauth/token", "/*"]
  )
  func servedPath(path: String) async throws {
    let body = #"{"match":{"path":"\#(path)"},"answer":{"status":503}}"#
    #expect(try await client.send(.post, "faults", body: body).status == 200)
  }

  @Test("the first fault that matches a call wins, and a fault is deleted by its id")
  func order() async throws {
    for status in [501, 502] {
      let body = #"{"answer":{"status":\#(status)}}"#
      #expect(try await client.send(.post, "faults", body: body).status == 200)
    }
    #expect(await call().status.code == 501)
    let list = try await client.send(.get, "faults").json
    let id = try #require(list[0]?["id"]?.string)
    #expect(list[0]?["times"] == .null)
    #expect(try await client.send(.delete, "faults/\(id)").status == 204)
    #expect(try await client.send(.delete, "faults/\(id)").status == 404)
    #expect(await call().status.code == 502)
    #expect(try await client.send(.delete, "faults").status == 204)
    #expect(await call().status.code == 200)
  }

  @Test("a fault counts the calls that it has applied to, also after an export and an import")
  func applied() async throws {
    func counts() async throws -> [JSON?] {
      try await client.send(.get, "faults").json.array?.map { $0["applied"] } ?? []
    }
    for body in [
      #"{"match":{"path":"/v1/client"},"times":3,"fault":"empty"}"#,
      #"{"match":{"path":"/v1/environment"},"delay_ms":1}"#,
    ] {
      let made = try await client.send(.post, "faults", body: body)
      #expect(made.json["applied"] == 0)
    }
    for target in ["/v1/client", "/v1/environment", "/v1/client", "/v1/health"] {
      _ = await call(target)
    }
    #expect(try await counts() == [2, 1])
    let shown = try await client.send(.get, "faults").json
    #expect(shown[0]?["times"] == 1)
    let document = try await client.send(.get, "export").json
    _ = try await client.send(.post, "reset")
    let body = String(decoding: document.encoded, as: UTF8.self)
    #expect(try await client.send(.post, "import", body: body).status == 200)
    #expect(try await counts() == [2, 1])
    _ = await call("/v1/client")
    #expect(try await counts() == [1], "the other one is used up")
    let sent = String(decoding: try #require(shown[0]).encoded, as: UTF8.self)
    let again = try await client.send(.post, "faults", body: sent)
    #expect(again.status == 200 && again.json["applied"] == 0, "it begins anew")
  }

  @Test("a group of faults ends as a whole, also in an imported world")
  func groups() async throws {
    func add(_ path: String, _ rest: String) async throws {
      let body = #"{"match":{"path":"\#(path)"},"times":1,"fault":"not_json"\#(rest)}"#
      #expect(try await client.send(.post, "faults", body: body).status == 200)
    }
    func paths() async throws -> [JSON?] {
      try await client.send(.get, "faults").json.array?.map { $0["match"]?["path"] } ?? []
    }
    try await add("/v1/me", "")
    for path in ["/v1/client", "/v1/environment"] { try await add(path, #","group":"one-code""#) }
    let document = try await client.send(.get, "export").json
    for isDeleted in [false, true] {
      _ = try await client.send(.post, "reset")
      let body = String(decoding: document.encoded, as: UTF8.self)
      #expect(try await client.send(.post, "import", body: body).status == 200)
      let list = try await client.send(.get, "faults").json
      #expect(list.array?.map { $0["group"] } == [nil, "one-code", "one-code"])
      if isDeleted {
        let id = try #require(list[2]?["id"]?.string)
        #expect(try await client.send(.delete, "faults/\(id)").status == 204)
      } else {
        #expect(await call().body == Array("This is not JSON.".utf8))
      }
      #expect(try await paths() == ["/v1/me"], "the one without a group is left")
    }
  }

  @Test("a fault that expires takes the others of its group with it")
  func groupEnds() async throws {
    _ = try await client.send(.post, "clock", body: #"{"freeze":true}"#)
    for rest in [#","seconds":30,"group":"one""#, #","group":"one""#, #","group":"two""#, ""] {
      let body = #"{"match":{"path":"/v1/me"},"fault":"empty"\#(rest)}"#
      #expect(try await client.send(.post, "faults", body: body).status == 200)
    }
    _ = try await client.send(.post, "clock", body: #"{"advance_seconds":29}"#)
    #expect(try await client.send(.get, "faults").json.array?.count == 4)
    _ = try await client.send(.post, "clock", body: #"{"advance_seconds":1}"#)
    let list = try await client.send(.get, "faults").json
    #expect(list.array?.map { $0["group"] } == ["two", nil])
  }

  @Test("a fault with an end expires by the world's clock, and says until then when to try again")
  func ends() async throws {
    let now = "2026-11-22T10:00:00Z"
    _ = try await client.send(.post, "clock", body: #"{"freeze":true}"#)
    _ = try await client.send(.post, "clock", body: #"{"set":"\#(now)"}"#)
    let body = #"{"seconds":30,"answer":{"status":429,"headers":{"Retry-After":"99"}}}"#
    #expect(try await client.send(.post, "faults", body: body).status == 200)
    #expect(
      try await client.send(.get, "faults").json[0]?["ends_at"] == "2026-11-22T10:00:30Z"
    )
    #expect(await call().headerFields[.retryAfter] == "30")
    _ = try await client.send(.post, "clock", body: #"{"advance_seconds":29}"#)
    #expect(await call().headerFields[.retryAfter] == "1")
    _ = try await client.send(.post, "clock", body: #"{"advance_seconds":1}"#)
    #expect(try await client.send(.get, "faults").json == [])
    #expect(await call().status == .ok)
  }

  @Test(
    "an end is a number of seconds or a time, not both",
    arguments: [
      (#"{"seconds":0,"fault":"empty"}"#, "seconds"),
      (#"{"seconds":86401,"fault":"empty"}"#, "seconds"),
      (#"{"ends_at":"soon","fault":"empty"}"#, "ends_at"),
      (#"{"seconds":1,"ends_at":"2026-11-22T10:00:00Z","fault":"empty"}"#, "ends_at"),
    ]
  )
  func badEnds(body: String, key: String) async throws {
    let answer = try await client.send(.post, "faults", body: body)
    #expect(answer.status == 422)
    #expect(answer.json["errors"]?[0]?["message"]?.string?.contains("'\(key)'") == true)
  }

  @Test(
    "a fault that has ended already is refused, but an imported world may have one",
    arguments: [
      ("2001-01-01T00:00:00Z", 422), ("2026-11-22T10:00:00Z", 422), ("2026-11-22T10:00:01Z", 200),
    ]
  )
  func endedAlready(end: String, status: Int) async throws {
    _ = try await client.send(.post, "clock", body: #"{"freeze":true}"#)
    _ = try await client.send(.post, "clock", body: #"{"set":"2026-11-22T10:00:00Z"}"#)
    let body = #"{"ends_at":"\#(end)","fault":"reset"}"#
    let answer = try await client.send(.post, "faults", body: body)
    #expect(answer.status == status)
    let message = answer.json["errors"]?[0]?["message"]?.string
    #expect(message?.contains("'ends_at'") == (status == 422 ? true : nil))
    var document = try await client.send(.get, "export").json
    document["faults"] = [["ends_at": .string(end), "fault": "reset"]]
    let exported = String(decoding: document.encoded, as: UTF8.self)
    #expect(try await client.send(.post, "import", body: exported).status == 200)
  }

  @Test("a fault keeps its end when its world is exported and imported")
  func carriedEnd() async throws {
    _ = try await client.send(.post, "clock", body: #"{"freeze":true}"#)
    _ = try await client.send(.post, "faults", body: #"{"seconds":60,"fault":"empty"}"#)
    let before = try await client.send(.get, "faults").json
    let document = try await client.send(.get, "export").json
    _ = try await client.send(.post, "reset")
    let body = String(decoding: document.encoded, as: UTF8.self)
    #expect(try await client.send(.post, "import", body: body).status == 200)
    #expect(try await client.send(.get, "faults").json[0]?["ends_at"] == before[0]?["ends_at"])
  }

  @Test(
    "an imported answer is unchanged: its own cache rule, and no body if it had none",
    arguments: [
      #"{"status":503,"headers":{"Cache-Control":"max-age=5"}}"#,
      #"{"status":503,"headers":{"Retry-After":"5"},"json":null}"#,
      #"{"status":503,"headers":{},"json":{"errors":[]}}"#,
    ]
  )
  func carriedAnswer(answer: String) async throws {
    _ = try await client.send(.post, "faults", body: #"{"answer":\#(answer)}"#)
    let before = await call()
    let document = try await client.send(.get, "export").json
    _ = try await client.send(.post, "reset")
    let body = String(decoding: document.encoded, as: UTF8.self)
    #expect(try await client.send(.post, "import", body: body).status == 200)
    let after = await call()
    #expect(before.status == .serviceUnavailable && after.status == before.status)
    #expect(after.body == before.body)
    for name in [HTTPField.Name.cacheControl, .retryAfter, .contentType] {
      #expect(after.headerFields[name] == before.headerFields[name])
    }
  }

  @Test("a world that is reset has neither faults nor traces")
  func reset() async throws {
    _ = try await client.send(.post, "faults", body: #"{"fault":"empty"}"#)
    _ = await call()
    _ = try await client.send(.post, "reset")
    #expect(try await client.send(.get, "faults").json == [])
    #expect(try await client.send(.get, "traces").json == [])
  }

  @Test(
    "each kind of failure has its own error, in process",
    arguments: [
      ("refused", TransportError.refused), ("reset", .connectionLost), ("timeout", .timedOut),
      ("truncated", .connectionLost), ("huge", .malformedAnswer),
    ]
  )
  func transportFailures(kind: String, error: TransportError) async throws {
    _ = try await client.send(.post, "faults", body: #"{"fault":"\#(kind)"}"#)
    let transport = InProcessTransport(to: service, answerLimitBytes: 1 << 20)
    await #expect(throws: error) {
      try await transport.send(Request(method: .get, target: "/v1/environment"))
    }
  }

  @Test(
    "other kinds answer with something that no client can read",
    arguments: [
      ("not_json", 200, "This is not JSON.", "application/json"),
      ("empty", 200, "", "application/json"),
      ("html_500", 500, "<!DOCTYPE html>", "text/html; charset=utf-8"),
    ]
  )
  func unreadable(kind: String, status: Int, text: String, type: String) async throws {
    _ = try await client.send(.post, "faults", body: #"{"fault":"\#(kind)","times":1}"#)
    let response = await call()
    #expect(response.status.code == status)
    #expect(response.headerFields[.contentType] == type)
    #expect(String(decoding: response.body, as: UTF8.self).hasPrefix(text))
    #expect(await call().status == .ok)
  }

  @Test("a call that is only delayed is answered by the API")
  func delays() async throws {
    let body = #"{"delay_ms":30,"times":1}"#
    #expect(try await client.send(.post, "faults", body: body).status == 200)
    let begin = ContinuousClock.now
    #expect(await call().status == .ok)
    #expect(ContinuousClock.now - begin >= .milliseconds(30))
  }

  @Test(
    "a senseless fault is refused",
    arguments: [
      "{}", #"{"times":1}"#, #"{"fault":"fire"}"#, #"{"fault":1}"#, #"{"fault":"reset","times":0}"#,
      #"{"fault":"reset","answer":{"status":500}}"#, #"{"answer":{"status":99}}"#,
      #"{"answer":{"status":200,"body":"x"}}"#, #"{"answer":{"headers":{"a b":"c"}}}"#,
      #"{"answer":{"headers":{"X-A":"b\nc"}}}"#, #"{"fault":"reset","match":{"path":"v1"}}"#,
      #"{"fault":"reset","match":{"method":"a b"}}"#, #"{"fault":"reset","match":{"method":"*"}}"#,
      #"{"fault":"reset","match":{"method":"GETT"}}"#, #"{"fault":"reset","match":{"host":"x"}}"#,
      #"{"fault":"reset","delay_ms":-1}"#, #"{"answer":[]}"#, #"{"fault":"reset","group":""}"#,
      #"{"fault":"reset","group":"One"}"#, #"{"fault":"reset","group":"a b"}"#,
      #"{"fault":"reset","group":"a23456789b23456789c23456789d23456789e2345"}"#,
      #"{"fault":"reset","group":7}"#, #"{"fault":"reset","match":{"group":"one"}}"#,
    ]
  )
  func refuses(body: String) async throws {
    #expect(try await client.send(.post, "faults", body: body).status == 422)
    #expect(try await client.send(.get, "faults").json == [])
  }

  @Test("the page of traces counts one call as one, and says that nobody answered it")
  func unanswered() async throws {
    _ = try await client.send(.post, "faults", body: #"{"fault":"refused"}"#)
    _ = await call("/v1/client")
    let workbench = try BackstagePages(worlds: client.worlds, renderer: .project(), secret: [])
    let page = await workbench.respond(
      to: Request(
        method: .get,
        target: "/backstage/traces",
        headerFields: [.host: "localhost:8080"]
      )
    )
    let html = String(decoding: page.body, as: UTF8.self)
    #expect(html.contains(">1 API call<"))
    #expect(html.contains("<code>/v1/client</code> <span class=\"badge badge-stop\">no answer<"))
  }

  @Test("traces name the page, and show no secret")
  func traces() async throws {
    let form: FormData = ["identifier": "ada@example.com", "password": "walk-right-in-42"]
    let page = Request(method: .post, target: "/sign-in?redirect_url=/x")
    _ = await PageRequest.tracing(page) {
      _ = await call("/v1/client")
      return await service.respond(
        to: Request(
          method: .post,
          target: "/v1/client/sign_ins?_is_native=1&__clerk_db_jwt=browser-token",
          headerFields: [
            .contentType: "application/x-www-form-urlencoded", .authorization: "secret-token",
            .idempotencyKey: "\"a\"",
          ],
          body: form.encoded
        )
      )
    }
    _ = await call("/v1/me")
    let answer = try await client.send(.get, "traces")
    let text = String(decoding: answer.json.encoded, as: UTF8.self)
    for secret in ["walk-right-in-42", "secret-token", "browser-token"] {
      #expect(!text.contains(secret))
    }
    #expect(answer.json.array?.count == 2)
    let alone = try #require(answer.json[0])
    #expect(alone["page"] == .null)
    #expect(alone["calls"]?[0]?["status"] == 401)
    #expect(alone["calls"]?[0]?["errors"] == ["authentication_invalid"])
    let trace = try #require(answer.json[1])
    #expect(trace["page"] == ["method": "POST", "path": "/sign-in"])
    let signIn = try #require(trace["calls"]?[1])
    #expect(signIn["status"] == 200)
    #expect(signIn["form"]?[1] == ["name": "password", "value": "<password>"])
    let curl = try #require(signIn["curl"]?.string)
    #expect(
      curl.hasPrefix("curl -g -i -X POST 'http://127.0.0.1:4010/v1/client/sign_ins?_is_native=1")
    )
    #expect(curl.contains("--data-urlencode 'identifier=ada@example.com'"))
    // A repeated call is to get an answer of its own.
    #expect(!curl.lowercased().contains("idempotency-key"))
    #expect(try await client.send(.delete, "traces").status == 204)
    #expect(try await client.send(.get, "traces").json == [])
  }

  @Test("a fault without a match is met by every call", arguments: ["null", "{}"])
  func matchOfAll(match: String) async throws {
    let body = #"{"match":\#(match),"times":1,"answer":{"status":503}}"#
    #expect(try await client.send(.post, "faults", body: body).status == 200)
    #expect(await call().status == .serviceUnavailable)
  }

  @Test(
    "a path to match that has a query, or no slash first, is refused and says which",
    arguments: [
      (
        "/v1/client/sign_ins?_is_native=1",
        "'match.path' must have no query: leave out '?_is_native=1'."
      ),
      ("v1/environment", "'match.path' must begin with '/'."),
    ]
  )
  func queryInMatch(path: String, message: String) async throws {
    let body = #"{"match":{"path":"\#(path)"},"answer":{"status":503}}"#
    let answer = try await client.send(.post, "faults", body: body)
    #expect(answer.status == 422)
    #expect(answer.json["errors"]?[0]?["message"]?.string == message)
    #expect(try await client.send(.get, "faults").json == [])
  }
}
