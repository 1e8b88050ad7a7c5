import HTTPExchange
import HTTPTypes
import Testing

@testable import MicroHTTPServer

/// One request that can be read in two ways, with another one hidden behind the ambiguity.
struct MalformedRequest: Sendable, CustomTestStringConvertible {
  /// Who refuses it.
  enum Refuser: Sendable {
    /// We do, with 400 and a closed connection.
    case guarded
    /// The library does, or nothing is answered at all: not ours to word.
    case library
  }

  var label: String
  var bytes: String
  var refuser = Refuser.guarded

  var testDescription: String { label }
}

private let smuggled = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
private let smuggledLength = smuggled.utf8.count

/// A POST whose framing fields are these lines, and whose body is the hidden request.
private func post(_ label: String, _ lines: String..., body: String = smuggled) -> MalformedRequest
{
  let fields = lines.map { $0 + "\r\n" }.joined()
  return MalformedRequest(
    label: label,
    bytes: "POST /meant HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\(body)"
  )
}

/// A GET with this request line or these lines, and the hidden request behind it.
private func get(
  _ label: String,
  target: String = "/meant",
  line: String? = nil,
  _ lines: String...
) -> MalformedRequest {
  let fields = lines.map { $0 + "\r\n" }.joined()
  let line = line ?? "GET \(target) HTTP/1.1"
  return MalformedRequest(
    label: label,
    bytes: "\(line)\r\n\(fields)\r\n\(smuggled)"
  )
}

private func by(_ refuser: MalformedRequest.Refuser, _ request: MalformedRequest)
  -> MalformedRequest
{
  var request = request
  request.refuser = refuser
  return request
}

private let host = "Host: localhost"

private let malformedRequests: [MalformedRequest] = [
  // Where the body ends.
  post(
    "length, then chunked",
    "Content-Length: \(smuggledLength)",
    "Transfer-Encoding: chunked",
    body: "0\r\n\r\n" + smuggled
  ),
  post(
    "chunked, then length",
    "Transfer-Encoding: chunked",
    "Content-Length: 5",
    body: "0\r\n\r\n" + smuggled
  ),
  post(
    "length zero and chunked",
    "Content-Length: 0",
    "Transfer-Encoding: chunked",
    body: "0\r\n\r\n" + smuggled
  ),
  post(
    "chunked and identity",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: identity",
    body: "0\r\n\r\n" + smuggled
  ),
  post(
    "identity and chunked",
    "Transfer-Encoding: identity",
    "Transfer-Encoding: chunked",
    body: "0\r\n\r\n" + smuggled
  ),
  MalformedRequest(
    label: "chunked in HTTP/1.0",
    bytes: "POST /meant HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
      + "0\r\n\r\n" + smuggled
  ),
  post(
    "chunked twice",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: chunked",
    body: "0\r\n\r\n" + smuggled
  ),
  post("chunked, chunked", "Transfer-Encoding: chunked, chunked", body: "0\r\n\r\n" + smuggled),
  post("identity, chunked", "Transfer-Encoding: identity, chunked", body: "0\r\n\r\n" + smuggled),
  post("gzip, chunked", "Transfer-Encoding: gzip, chunked", body: "0\r\n\r\n" + smuggled),
  post("xchunked", "Transfer-Encoding: xchunked", body: "0\r\n\r\n" + smuggled),
  post("chunked in capitals", "Transfer-Encoding: Chunked", body: "0\r\n\r\n" + smuggled),
  post("gzip alone", "Transfer-Encoding: gzip"),
  post("identity alone", "Transfer-Encoding: identity"),
  post("quoted chunked", "Transfer-Encoding: \"chunked\"", body: "0\r\n\r\n" + smuggled),
  post("chunked with a parameter", "Transfer-Encoding: chunked;a=b", body: "0\r\n\r\n" + smuggled),
  post("empty transfer encoding", "Transfer-Encoding:"),
  post(
    "vertical tab before chunked",
    "Transfer-Encoding: \u{0B}chunked",
    body: "0\r\n\r\n" + smuggled
  ),
  post("two different lengths", "Content-Length: 0", "Content-Length: \(smuggledLength)"),
  post("two different lengths, swapped", "Content-Length: \(smuggledLength)", "Content-Length: 0"),
  post("two equal lengths", "Content-Length: 0", "Content-Length: 0"),
  post("space before the colon of a length", "Content-Length : \(smuggledLength)"),
  post("tab before the colon of a length", "Content-Length\t: \(smuggledLength)"),
  post(
    "space before the colon of an encoding",
    "Transfer-Encoding : chunked",
    body: "0\r\n\r\n" + smuggled
  ),
  by(.library, post("list of lengths", "Content-Length: 5, 5")),
  by(.library, post("length with a plus", "Content-Length: +5")),
  by(.library, post("negative length", "Content-Length: -1")),
  by(.library, post("length with a letter", "Content-Length: 5x")),
  by(.library, post("hexadecimal length", "Content-Length: 0x5")),
  by(.library, post("length beyond 64 bits", "Content-Length: 18446744073709551617")),
  by(.library, post("empty length", "Content-Length: ")),
  by(
    .library,
    post("chunk size with a letter", "Transfer-Encoding: chunked", body: "zz\r\n" + smuggled)
  ),
  by(
    .library,
    post("negative chunk size", "Transfer-Encoding: chunked", body: "-1\r\n" + smuggled)
  ),
  by(
    .library,
    post(
      "chunk size beyond 64 bits",
      "Transfer-Encoding: chunked",
      body: "10000000000000005\r\n" + smuggled
    )
  ),
  // A body that is announced, but does not exist.
  get("continue without a body", host, "Expect: 100-continue"),
  get("continue without a body, in capitals", host, "expect: 100-CONTINUE"),
  get("continue without a body, twice", host, "Expect: 100-continue", "Expect: 100-continue"),
  post("continue before an empty body", "Expect: 100-continue", "Content-Length: 0"),
  post("continue before a body of no length", "Expect: 100-continue"),
  // Folded lines.
  post("length on the next line", "Content-Length:\r\n \(smuggledLength)"),
  post("length on the next line, by a tab", "Content-Length:\r\n\t\(smuggledLength)"),
  post("length on the next line, after blanks", "Content-Length: \t \r\n  \t\(smuggledLength)"),
  post("length on the next line, by a bare line feed", "Content-Length:\n \(smuggledLength)"),
  post("length on the line after an empty fold", "Content-Length:\r\n \r\n \(smuggledLength)"),
  post("length on two lines", "Content-Length: \(smuggledLength / 10)\r\n \(smuggledLength % 10)"),
  post("length with an empty fold behind", "Content-Length: \(smuggledLength)\r\n "),
  post("length by a folded name", "Content-Len: \(smuggledLength)\r\n gth"),
  post("length by a name folded twice", "Content-: \(smuggledLength)\r\n Len\r\n gth"),
  post("length by a folded name, a line behind", "Content-Len: 4\r\n gth", "X-Y: 1"),
  post(
    "chunked on the next line",
    "Transfer-Encoding:\r\n chunked",
    body: "0\r\n\r\n" + smuggled
  ),
  post("chunked on two lines", "Transfer-Encoding: chun\r\n ked", body: "0\r\n\r\n" + smuggled),
  post(
    "chunked by a folded name",
    "Transfer-Enc: chunked\r\n oding",
    body: "0\r\n\r\n" + smuggled
  ),
  get("host on the next line", "Host:\r\n localhost"),
  get("host on the next line, by a tab", "Host:\r\n\tlocalhost"),
  get("host on two lines", "Host: local\r\n host"),
  get("host by a folded name", "Ho: localhost\r\n st"),
  get("a second host by a folded name", host, "Ho: localhost\r\n st"),
  get("any field on two lines", host, "X-Y: a\r\n b"),
  get("any field with an empty fold", host, "X-Y: a\r\n "),
  get("fold right behind the request line", " X-Y: a", host),
  // Field names and values.
  get("space within a field name", host, "X Y: 1"),
  get("parenthesis in a field name", host, "X(1): 1"),
  get("letter beyond ASCII in a field name", host, "X-\u{E9}: 1"),
  get("field name with a slash", host, "X/Y: 1"),
  get("control in a field value", host, "X-Y: a\u{01}b"),
  get("escape in a field value", host, "X-Y: a\u{1B}[0mb"),
  get("delete in a field value", host, "X-Y: a\u{7F}b"),
  // What the library takes for the end of the head, or leaves out.
  get("no field name", host, ": x"),
  get("no field name, and a length behind", host, ": x", "Content-Length: \(smuggledLength)"),
  get("colon alone", host, ":"),
  get("colon and blank", host, ": "),
  get("colon and NUL", host, ":\0"),
  get("NUL alone", host, "\0"),
  get("NUL before a field", host, "\0X-Y: 1"),
  get("colon before all fields", ": x", host),
  get("NUL in a field value", host, "X-Y: a\0b"),
  get("NUL in the last field value", host, "X-Y: 1", "X-Z: a\0"),
  get("NUL in the host", "Host: localhost\0.evil.example"),
  get("NUL in the origin", host, "Origin: http://localhost\0.evil.example", "X-Y: 1"),
  post(
    "NUL behind chunked",
    "Transfer-Encoding: chunked\0, identity",
    body: "0\r\n\r\n" + smuggled
  ),
  post("blank behind chunked", "Transfer-Encoding: chunked ", body: "0\r\n\r\n" + smuggled),
  post("tab behind chunked", "Transfer-Encoding: chunked\t", body: "0\r\n\r\n" + smuggled),
  post("no field name in a form", ": x", "Content-Length: \(smuggledLength)"),
  MalformedRequest(
    label: "colon alone between bare line feeds",
    bytes: "GET /meant HTTP/1.1\nHost: localhost\n:\n\(smuggled)"
  ),
  MalformedRequest(
    label: "lines that end in two ways",
    bytes: "GET /meant HTTP/1.1\r\nHost: localhost\nX-Y: 1\r\n\r\n\(smuggled)"
  ),
  // The host.
  get("two hosts", host, "Host: example.com"),
  get("two equal hosts", host, host),
  get("no host"),
  get("no host in HTTP/1.0", line: "GET /meant HTTP/1.0"),
  get("space before the colon of the host", "Host : localhost"),
  // The request line.
  get("absolute form", target: "http://evil/meant", host),
  get("two slashes", target: "//evil/meant", host),
  get("asterisk form", line: "OPTIONS * HTTP/1.1", host),
  get("authority form", line: "CONNECT localhost:80 HTTP/1.1", host),
  get("no slash", target: "meant", host),
  get("question mark first", target: "?a=b", host),
  get("space in the target", target: "/me ant", host),
  get("tab in the target", target: "/me\tant", host),
  get("NUL in the target", target: "/meant\0evil", host),
  get("NUL in the query", target: "/meant?a\0b", host),
  get("control in the target", target: "/me\u{01}ant", host),
  get("delete in the target", target: "/me\u{7F}ant", host),
  get("letter beyond ASCII in the target", target: "/me\u{E9}ant", host),
  get("two spaces before the version", line: "GET /meant  HTTP/1.1", host),
  get("method that is no token", line: "G@T /meant HTTP/1.1", host),
  get("NUL in the method", line: "GET\0X /meant HTTP/1.1", host),
  get("NUL behind the method", line: "GET\0 /meant HTTP/1.1", host),
  get("NULs behind the method", line: "GET\0\0\0 /meant HTTP/1.1", host),
  get("NUL between a method and blanks", line: "GET\0  /meant HTTP/1.1", host),
  get("NUL between two methods", line: "POST\0GET /meant HTTP/1.1", host),
  get("method beyond ASCII", line: "G\u{C9}T /meant HTTP/1.1", host),
  by(.library, get("HTTP/2 preface", line: "PRI * HTTP/2.0\r\n\r\nSM", host)),
  by(.library, get("HTTP/3.7", line: "GET /meant HTTP/3.7", host)),
  by(.library, get("no version", line: "GET /meant", host)),
  by(.library, get("no target", line: "GET", host)),
  by(.library, get("garbage", line: "\u{16}\u{03}\u{01}garbage", host)),
]

@Suite struct MalformedRequestTests {
  @Test(
    "a malformed request runs no hidden request, and the guard answers it once (S1, S2)",
    arguments: malformedRequests
  )
  func refused(_ malformed: MalformedRequest) async throws {
    let handler = TestHandler()
    try await serving(handler) { server in
      let received = try await exchange(malformed.bytes, port: server.port)
      let answers = received.ranges(of: "HTTP/1.").count
      #expect(!handler.targets.contains("/smuggled"))
      switch malformed.refuser {
      case .guarded:
        #expect(received.hasPrefix("HTTP/1.1 400 ") || received.hasPrefix("HTTP/1.0 400 "))
        #expect(received.contains("\r\nConnection: close\r\n"))
        #expect(received.contains("refused: malformedFraming("))
        #expect(answers == 1)
        #expect(handler.targets.isEmpty)
      case .library:
        // It may send its refusal of a length or a head twice, the second as the body of the first.
        #expect(answers <= 2)
        #expect(!received.contains(" 200 "))
        #expect(handler.targets.isEmpty)
      }
    }
  }

  @Test(
    "the same holds after a request whose lines it repeats (S1)",
    arguments: malformedRequests.filter { $0.refuser == .guarded }
  )
  func refusedBehind(_ malformed: MalformedRequest) async throws {
    let handler = TestHandler()
    try await serving(handler) { server in
      let lines = ["Host: localhost", "X-Y: 1", "Content-Length: 0"]
      let before = lines.indices.map { count in
        let fields = lines[...count].map { $0 + "\r\n" }.joined()
        return "GET /before HTTP/1.1\r\n\(fields)\r\n"
      }
      for before in before {
        let received = try await exchange(before + malformed.bytes, port: server.port)
        #expect(received.hasPrefix("HTTP/1.1 200 "))
        #expect(received.contains("refused: malformedFraming("))
        #expect(received.ranges(of: "HTTP/1.").count == 2)
      }
      #expect(handler.targets == before.map { _ in "/before" })
    }
  }

  @Test(
    "nothing is read after a chunked body, whatever its trailers hide (S1)",
    arguments: ["", "\0\r\n", "\0X-Y: 1\r\n", "X-Y: 1\0\r\n", ": 1\r\n", "X-Y: 1\r\n"]
  )
  func trailers(_ lines: String) async throws {
    let handler = TestHandler()
    try await serving(handler) { server in
      let head = "POST /meant HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
      let received = try await exchange(
        "\(head)3\r\nabc\r\n0\r\n\(lines)\r\n\(smuggled)",
        port: server.port
      )
      #expect(received.ranges(of: "HTTP/1.").count == 1)
      #expect(received.contains("\r\nConnection: close\r\n"))
      #expect(!handler.targets.contains("/smuggled"))
    }
  }

  @Test("from a malformed head only the accepted kinds of answer are used (S1)")
  func wishes() {
    func field(_ name: String, _ value: String) -> RequestHead.Field {
      .init(line: FieldLine(name: Array(name.utf8), value: Array(value.utf8)))
    }
    let head = RequestHead(
      method: Array("POST".utf8),
      target: Array("//account".utf8),
      isTargetWhole: true,
      version: Array("HTTP/1.1".utf8),
      fields: [
        field("Host", "localhost"), field("Cookie", "a=b"), field("ACCEPT", "application/json"),
        field("Accept", "text/\u{1}html"),
      ]
    )
    #expect(head.wishes.headerFields == [.accept: "application/json"])
    #expect(head.wishes.method == .get && head.wishes.target == "/")
  }

  @Test("a fold is found wherever in the server's memory it comes to lie (S1)")
  func foldsAnywhere() async throws {
    let handler = TestHandler()
    var options = MicroHTTPServer.Options()
    options.headerMemoryBytes = 2_048
    try await serving(handler, options: options) { server in
      for padding in 0..<1_960 {
        let received = try await exchange(
          "POST /meant HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: padding))\r\n"
            + "Content-Lengt:  \(smuggledLength)\r\n h\r\n\r\n\(smuggled)",
          port: server.port
        )
        #expect(!received.contains(" 200 "), "\(padding)")
      }
      #expect(handler.targets.isEmpty)
    }
  }

  @Test(
    "a field on one line is accepted as it is, whatever its blanks",
    arguments: ["\r\n", "\n"],
    [
      "Content-Length:3", "Content-Length: 3", "Content-Length:\t 3", "X-Y:", "X-Y: ", "X-Y: \t",
      "X-Y: a b",
    ]
  )
  func oneLine(lineBreak: String, line: String) async throws {
    let handler = TestHandler()
    try await serving(handler) { server in
      let hasBody = line.hasPrefix("Content-Length")
      let lines = ["POST /a HTTP/1.1", "Host:localhost", line, "Connection: close", "", ""]
      let received = try await exchange(
        lines.joined(separator: lineBreak) + (hasBody ? "abc" : ""),
        port: server.port
      )
      #expect(received.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(received.hasSuffix("POST /a " + (hasBody ? "abc" : "")))
      #expect(handler.targets == ["/a"])
    }
  }

  @Test("the table is as long as the rule asks (S1)")
  func tableLength() {
    #expect(malformedRequests.count >= 40)
  }

  @Test(
    "an odd but unambiguous request is served as the one request that it is",
    arguments: [
      "GET /a HTTP/1.1\nHost: localhost\nConnection: close\n\n",
      "\r\nGET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      "POST /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nTrailer: x\r\n\r\n",
      "POST /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 003\r\n\r\nabc",
      "GET /a HTTP/1.0\r\nHost: localhost\r\n\r\n",
      "GET   /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      "GET /a HTTP/1.0\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n",
      "FOO /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Y: caf\u{E9}\r\n\r\n",
    ]
  )
  func odd(_ text: String) async throws {
    let handler = TestHandler()
    try await serving(handler) { server in
      let received = try await exchange(text, port: server.port)
      #expect(received.contains(" 200 OK\r\n"))
      #expect(handler.targets == ["/a"])
    }
  }
}
