import HTTPExchange
import HTTPTypes
import Synchronization
import Testing
import TestSupport

@testable import HTTPClientTransport

@Suite struct ExchangeTests {
  /// Sends a request to a service that answers with this text, and returns both sides' view.
  private func ask(
    _ request: Request,
    host: String = "127.0.0.1",
    path: String = "",
    answering text: String = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
  ) async throws -> (sent: String, answer: Response) {
    let (sent, send) = AsyncStream<String>.makeStream()
    let service = try ScriptedService { caller in
      send.yield(caller.readRequest())
      caller.write(text)
    }
    let transport = try HTTPClientTransport(
      to: try BaseURL("http://\(host):\(service.port)\(path)"),
      userAgent: "Vestibule/1.2.3"
    )
    let answer = try await transport.send(request)
    await transport.shutdown()
    let text = await sent.first { _ in true } ?? ""
    return (text.replacing(":\(service.port)", with: ":PORT"), answer)
  }

  @Test("a request goes out as it is, with the fields that are the client's own")
  func request() async throws {
    let request = Request(
      method: .post,
      target: "/v1/client?a=%2Fb&c=~:@",
      headerFields: [
        .contentType: "text/plain", .acceptEncoding: "gzip", .contentLength: "99",
        .transferEncoding: "chunked", .connection: "upgrade",
      ],
      body: Array("body".utf8)
    )
    let (sent, _) = try await ask(request, path: "/tenant")
    let lines = sent.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.first == "POST /tenant/v1/client?a=%2Fb&c=~:@ HTTP/1.1")
    #expect(lines.last == "body")
    let fields = Set(lines.dropFirst().dropLast(2).map { $0.lowercased() })
    #expect(
      fields == [
        "host: 127.0.0.1:port", "user-agent: vestibule/1.2.3", "content-type: text/plain",
        "content-length: 4",
      ]
    )
  }

  @Test(
    "a target that could change the host, or would be rewritten, is never sent (S26)",
    arguments: [
      "", "v1", "@evil.example/", ":81/", "/a b", "/a#b", "/a\r\nHost: evil", "/%zz", "/%2",
      "/\u{E4}",
      "/a\\b", "/a\"b", "/a[b]", "//evil.example\u{0}",
    ]
  )
  func target(_ target: String) async throws {
    let service = try ScriptedService { _ in }
    let transport = try HTTPClientTransport(to: BaseURL("http://127.0.0.1:\(service.port)"))
    await #expect(throws: TransportError.refused) {
      try await transport.send(Request(method: .get, target: target))
    }
    #expect(service.callerCount == 0)
    await transport.shutdown()
  }

  @Test("a call for a form has an idempotency key, which is the same when it is repeated (S16)")
  func idempotencyKey() async throws {
    func key(
      _ form: String?,
      _ method: HTTPRequest.Method = .post,
      _ target: String = "/v1/client/sign_ups",
      body: String = "a=1"
    ) async throws -> String? {
      let request = Request(method: method, target: target, body: Array(body.utf8))
      let (sent, _) = try await Submission.$current.withValue(form.map { Array($0.utf8) }) {
        try await ask(request)
      }
      let name = "Idempotency-Key: "
      let line = sent.split(separator: "\r\n").first { $0.hasPrefix(name) }
      return line.map { String($0.dropFirst(name.count)) }
    }
    let first = try #require(try await key("form"))
    // A string of RFC 8941, section 3.3.3.
    #expect(try /"[A-Za-z0-9_-]{22}"/.wholeMatch(in: first) != nil)
    #expect(try await key("form") == first)
    let others = [
      try await key("form, filled in otherwise"),
      try await key("form", .post, "/v1/client/sign_ups/a/prepare_verification"),
      try await key("form", body: "a=2"),
    ]
    #expect(Set([first] + others.compactMap(\.self)).count == 4)
    #expect(try await key(nil) == nil)
    #expect(try await key("form", .get) == nil)
  }

  @Test("a request's own user agent is kept")
  func userAgent() async throws {
    let (sent, _) = try await ask(
      Request(method: .get, target: "/", headerFields: [.userAgent: "Other/1"])
    )
    #expect(sent.contains("User-Agent: Other/1\r\n"))
    #expect(!sent.contains("Vestibule"))
  }

  @Test(
    "names of this machine are reached without a resolver (S26)",
    arguments: ["localhost", "team-a.localhost", "no.such.name.localhost", "127.0.0.1"]
  )
  func localhost(_ host: String) async throws {
    let (sent, answer) = try await ask(Request(method: .get, target: "/"), host: host)
    #expect(sent.contains("Host: \(host):PORT\r\n"))
    #expect(answer.status == .ok)
  }

  @Test(
    "an answer comes back as it is, whatever its status",
    arguments: [200, 201, 304, 401, 422, 429, 500, 503]
  )
  func answer(_ code: Int) async throws {
    let (_, answer) = try await ask(
      Request(method: .get, target: "/"),
      answering: "HTTP/1.1 \(code) Any\r\nX-A: 1\r\nX-A: 2\r\n"
        + (code == 304 ? "\r\n" : "Content-Length: 6\r\n\r\n<html>")
    )
    #expect(answer.status.code == code)
    #expect(HTTPField.Name("X-A").map { answer.headerFields[values: $0] } == ["1", "2"])
    #expect(answer.body == (code == 304 ? [] : Array("<html>".utf8)))
  }

  @Test("every method goes out as it is, and leaves nothing to the next request")
  func methods() async throws {
    let (sent, send) = AsyncStream<String>.makeStream()
    let service = try ScriptedService { caller in
      while true {
        let request = caller.readRequest()
        guard !request.isEmpty else { return }
        send.yield(request.replacing("\r\n", with: "|"))
        caller.write("HTTP/1.1 204 No Content\r\n\r\n")
      }
    }
    let transport = try HTTPClientTransport(
      to: try BaseURL("http://127.0.0.1:\(service.port)"),
      userAgent: "V"
    )
    let requests: [(HTTPRequest.Method, String, String)] = [
      (.put, "a", "Content-Length: 1||a"), (.get, "", "|"), (.post, "", "Content-Length: 0||"),
      (.delete, "", "|"), (.head, "", "|"), (.patch, "abc", "Content-Length: 3||abc"),
      (.options, "", "|"), (.delete, "d", "Content-Length: 1||d"), (.get, "", "|"),
    ]
    var seen = sent.makeAsyncIterator()
    for (method, body, end) in requests {
      let request = Request(method: method, target: "/", body: Array(body.utf8))
      #expect(try await transport.send(request).status == .noContent)
      #expect(
        await seen.next()
          == "\(method.rawValue) / HTTP/1.1|Host: 127.0.0.1:\(service.port)|User-Agent: V|\(end)"
      )
    }
    #expect(service.callerCount == 1)
    await transport.shutdown()
  }

  @Test("a field without a value is sent, and one that is repeated is sent each time")
  func fields() async throws {
    var request = Request(method: .get, target: "/", headerFields: [.accept: ""])
    request.headerFields.append(HTTPField(name: .cookie, value: "a=1"))
    request.headerFields.append(HTTPField(name: .cookie, value: "b=2"))
    let (sent, _) = try await ask(request)
    #expect(sent.contains("\r\nAccept:\r\nCookie: a=1\r\nCookie: b=2\r\n"))
  }

  @Test(
    "an answer that cannot have a body ends with its head",
    arguments: [(HTTPRequest.Method.head, 200), (.get, 204), (.get, 304), (.post, 204)]
  )
  func bodiless(_ method: HTTPRequest.Method, code: Int) async throws {
    let (_, answer) = try await ask(
      Request(method: method, target: "/"),
      answering: "HTTP/1.1 \(code) Any\r\nContent-Length: 6\r\nX-A: 1\r\n\r\n"
    )
    #expect(answer.status.code == code)
    #expect(answer.headerFields.count == 2)
    #expect(answer.body.isEmpty)
  }

  @Test("interim answers are passed over")
  func interim() async throws {
    let (_, answer) = try await ask(
      Request(method: .post, target: "/", body: Array("a".utf8)),
      answering: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        + "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nhi"
    )
    #expect(answer.status == .created)
    #expect(answer.headerFields == [.contentLength: "2"])
    #expect(answer.body == Array("hi".utf8))
  }

  @Test("a body in chunks arrives whole, without its trailer")
  func chunked() async throws {
    let (_, answer) = try await ask(
      Request(method: .get, target: "/"),
      answering: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX-Trailer: 1\r\n\r\n"
    )
    #expect(answer.body == Array("abcde".utf8))
    #expect(answer.headerFields == [.transferEncoding: "chunked"])
  }

  @Test("a body that ends with the connection arrives whole")
  func unframed() async throws {
    let (_, answer) = try await ask(
      Request(method: .get, target: "/"),
      answering: "HTTP/1.0 200 OK\nX-A:1 \n\nhello"
    )
    #expect(HTTPField.Name("X-A").map { answer.headerFields[values: $0] } == ["1"])
    #expect(answer.body == Array("hello".utf8))
  }

  @Test(
    "a redirect is returned as an answer, and is not followed (S26)",
    arguments: [301, 302, 307]
  )
  func redirect(_ code: Int) async throws {
    let canary = try ScriptedService { _ in }
    let (_, answer) = try await ask(
      Request(method: .get, target: "/"),
      answering: "HTTP/1.1 \(code) Moved\r\nLocation: http://127.0.0.1:\(canary.port)/\r\n"
        + "Content-Length: 0\r\n\r\n"
    )
    #expect(answer.status.code == code)
    #expect(canary.callerCount == 0)
  }

  @Test("a compressed answer that nobody asked for is not unpacked (S27)")
  func compressed() async throws {
    let (sent, answer) = try await ask(
      Request(method: .get, target: "/"),
      answering: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nbomb"
    )
    #expect(!sent.lowercased().contains("accept-encoding"))
    #expect(answer.body == Array("bomb".utf8))
  }

  @Test("a body up to the limit arrives", arguments: [999, 1_000])
  func withinLimit(_ count: Int) async throws {
    let service = try ScriptedService { caller in
      _ = caller.readRequest()
      caller.write("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n")
      caller.write(Array(repeating: 0x61, count: count))
    }
    var limits = HTTPClientTransport.Limits()
    limits.answerLimitBytes = 1_000
    let transport = try HTTPClientTransport(
      to: try BaseURL("http://127.0.0.1:\(service.port)"),
      limits: limits
    )
    #expect(try await transport.send(Request(method: .get, target: "/")).body.count == count)
    await transport.shutdown()
  }
}
