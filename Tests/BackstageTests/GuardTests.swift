import HTTPExchange
import HTTPTypes
import Locking
import Pages
import Testing

@testable import Backstage

@Suite("Backstage's JSON cannot be driven by web pages (S23)")
struct GuardTests {
  private static let calls: [(HTTPRequest.Method, String)] = [
    (.get, "messages"), (.delete, "messages"), (.get, "messages/latest"), (.get, "clock"),
    (.post, "clock"), (.get, "instance"), (.patch, "instance"), (.get, "users"), (.post, "users"),
    (.get, "users/user_mia/totp"), (.get, "worlds"), (.delete, "worlds/main"), (.post, "reset"),
    (.get, "nonsense"),
  ]

  @Test("without the header nothing answers", arguments: calls)
  func header(method: HTTPRequest.Method, path: String) async throws {
    let client = try BackstageClient()
    let answer = try await client.send(method, path, isMarked: false)
    #expect(answer.status == 403)
    #expect(answer.code == "header_required")
    let wrong = try await client.send(
      method,
      path,
      fields: [HTTPField(name: .mark, value: "true")]
    )
    #expect(wrong.status == 403)
  }

  @Test(
    "a foreign page is refused even with the header",
    arguments: [
      HTTPField(name: .origin, value: "http://evil.example"),
      HTTPField(name: .origin, value: "null"),
      HTTPField(name: .origin, value: "http://localhost:9999"),
      HTTPField(name: .origin, value: "http://localhost"),
      HTTPField(name: .site, value: "cross-site"),
      HTTPField(name: .site, value: "same-site"),
    ]
  )
  func foreign(field: HTTPField) async throws {
    let client = try BackstageClient()
    for (method, path) in Self.calls {
      let answer = try await client.send(method, path, fields: [field])
      #expect(answer.status == 403, "\(method) \(path)")
      #expect(answer.fields.allSatisfy { !$0.name.canonicalName.hasPrefix("access-control") })
    }
  }

  @Test("a caller who is turned away is reported, under the reference that the answer gives (S29)")
  func reported() async throws {
    let client = try BackstageClient()
    let told = Locked<[String]>([])
    let api = BackstageAPI(worlds: client.worlds).reporting { code, reference, _ in
      told.withLock { $0.append("\(code) \(reference)") }
    }
    let pages = try BackstagePages(
      worlds: client.worlds,
      renderer: .project(),
      secret: [],
      turnedAway: { code, reference, _ in told.withLock { $0.append("\(code) \(reference)") } }
    )
    var foreign = Request(method: .post, target: "/backstage/faults")
    foreign.headerFields[.origin] = "http://evil.example"
    var nameless = Request(method: .get, target: "/backstage/inbox")
    nameless.headerFields[.vestibuleWorld] = "NOT A NAME"
    let answers = [
      await api.respond(to: Request(method: .get, target: "/backstage/api/clock")),
      await pages.respond(to: foreign), await pages.respond(to: nameless),
    ]
    let lines = told.withLock(\.self)
    #expect(
      lines.compactMap { $0.split(separator: " ").first } == [
        "header_required", "foreign_origin", "invalid_world",
      ]
    )
    for (line, answer) in zip(lines, answers) {
      let reference = try #require(line.split(separator: " ").last)
      #expect(String(decoding: answer.body, as: UTF8.self).contains(reference))
    }
    // A request that is merely wrong does not count as turned away.
    _ = await pages.respond(to: Request(method: .get, target: "/backstage/nothing"))
    #expect(told.withLock(\.count) == 3)
  }

  @Test("our own pages may call it")
  func own() async throws {
    let fields = [
      HTTPField(name: .origin, value: "http://localhost:8080"),
      HTTPField(name: .site, value: "same-origin"),
    ]
    #expect(try await BackstageClient().send(.get, "clock", fields: fields).status == 200)
  }

  @Test("bodies are JSON")
  func bodies() async throws {
    let client = try BackstageClient()
    let form = HTTPField(name: .contentType, value: "application/x-www-form-urlencoded")
    #expect(
      try await client.send(.post, "clock", body: "freeze=true", fields: [form]).status == 400
    )
    let text = HTTPField(name: .contentType, value: "text/plain")
    #expect(
      try await client.send(.post, "clock", body: #"{"reset":true}"#, fields: [text]).status == 400
    )
    for body in ["{", "[]", "\"x\"", "[1,"] {
      #expect(try await client.send(.post, "clock", body: body).status == 400, "\(body)")
    }
    #expect(try await client.send(.post, "clock").status == 400)
  }

  @Test("callers who are not allowed cannot send long bodies, and are told why (S4)")
  func longBodies() {
    let guarding = BackstageGuard(own: OwnOrigins("http://localhost:8080"))
    func post(_ path: String, _ fields: [HTTPField]) -> Request {
      Request(
        method: .post,
        target: path,
        headerFields: HTTPFields([HTTPField(name: .host, value: "localhost:8080")] + fields)
      )
    }
    let mark = HTTPField(name: .mark, value: "1")
    for (path, limitBytes) in [
      ("/backstage/api/import", 512 * 1024 * 1024), ("/backstage/api/stories", 1024 * 1024),
    ] {
      #expect(guarding.bodyLimitBytes(of: post(path, [mark])) == limitBytes)
      let tooLong = guarding.refusal(.contentTooLarge, of: post(path, [mark]))
      #expect(tooLong.status == .contentTooLarge)
      for fields in [
        [], [mark, HTTPField(name: .origin, value: "http://evil.example")],
        [mark, HTTPField(name: .site, value: "same-site")],
      ] as [[HTTPField]] {
        let request = post(path, fields)
        #expect(guarding.bodyLimitBytes(of: request) == nil, "\(fields)")
        #expect(guarding.refusal(.contentTooLarge, of: request).status == .forbidden, "\(fields)")
        // Any other refusal does not depend on who sends the request.
        #expect(guarding.refusal(.serviceUnavailable, of: request).status == .serviceUnavailable)
      }
    }
    #expect(guarding.bodyLimitBytes(of: post("/sign-in", [mark])) == nil)
    #expect(guarding.bodyLimitBytes(of: post("/backstage/users", [mark])) == nil)
  }

  @Test("a forbidden caller with a long body is reported under the answer's reference")
  func longBodyReported() throws {
    let told = Locked<[String]>([])
    let guarding = BackstageGuard(own: OwnOrigins("http://localhost:8080")) { code, reference, _ in
      told.withLock { $0.append("\(code) \(reference)") }
    }
    let request = Request(method: .post, target: "/backstage/api/import")
    let answer = guarding.refusal(.contentTooLarge, of: request)
    let line = try #require(told.withLock(\.self).first)
    #expect(line.hasPrefix("header_required "))
    let reference = try #require(line.split(separator: " ").last)
    #expect(String(decoding: answer.body, as: UTF8.self).contains(reference))
  }

  @Test("unknown paths answer 404, and wrong methods 405 with the allowed ones")
  func routes() async throws {
    let client = try BackstageClient()
    for path in ["", "nonsense", "messages/", "messages/x", "clock/x", "users/user_ada/x"] {
      #expect(try await client.send(.get, path).status == 404, "\(path)")
    }
    for (method, path, allowed) in [
      (HTTPRequest.Method.post, "messages", "GET, HEAD, DELETE"),
      (.put, "clock", "GET, HEAD, POST"), (.post, "messages/latest", "GET, HEAD"),
    ] {
      let answer = try await client.send(method, path)
      #expect(answer.status == 405)
      #expect(answer.fields[.allow] == allowed)
    }
    #expect(try await client.send(.head, "clock").status == 200)
    let badWorld = HTTPField(name: .vestibuleWorld, value: "Not A Name")
    #expect(try await client.send(.get, "clock", fields: [badWorld]).status == 400)
  }

  @Test(
    "another origin's page neither embeds nor prefetches a page of backstage, but may link to it",
    arguments: [
      (["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe"], true),
      (["Sec-Fetch-Site": "same-site", "Sec-Fetch-Dest": "image"], true),
      (["Sec-Purpose": "prefetch"], true),
      (["Origin": "http://evil.example"], true),
      (["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"], false),
      (["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "iframe"], false),
      ([:], false),
    ] as [([String: String], Bool)]
  )
  func foreignPages(named: [String: String], isRefused: Bool) throws {
    let pages = try BackstagePages(
      worlds: BackstageClient().worlds,
      renderer: .project(),
      secret: []
    )
    var request = Request(method: .get, target: "/backstage/inbox")
    request.headerFields[.host] = "localhost:8080"
    for (name, value) in named {
      let field = try #require(HTTPField.Name(name))
      request.headerFields[field] = value
    }
    let refusal = pages.refusalOfForeignPage(request)
    #expect(refusal?.status.code == (isRefused ? 403 : nil))
  }
}
