import HTTPExchange
import HTTPTypes
import Metrics
import Testing

@testable import Vestibule

@Suite("Counting what a handler answers")
struct MeasuredHandlerTests {
  /// Answers one path at once, and the others after a while.
  private struct Handler: HTTPHandler {
    func respond(to request: Request) async -> Response { Response(status: .notFound) }

    func readyAnswer(to request: Request) -> ReadyAnswer? {
      request.path == "/sign-in" ? { Response(status: .ok) } : nil
    }
  }

  @Test("each method that is used here is counted as itself, and any other as `other`")
  func methods() async throws {
    let meter = RequestMeter("pages", .ofPages)
    let handler = MeasuredHandler(handler: Handler(), meter: meter)
    let own: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]
    for method in own + [.trace, .connect, try #require(HTTPRequest.Method("PROPFIND"))] {
      _ = await handler.respond(to: Request(method: method, target: "/sign-up"))
    }
    var text = ExpositionText()
    meter.writeRequests(to: &text, as: "requests")
    for (name, count) in own.map({ ($0.rawValue, 1) }) + [("other", 3)] {
      let labels = #"{listener="pages",route="/sign-up",method="\#(name)",status="404"}"#
      #expect(text.text.contains("requests\(labels) \(count)\n"), "\(text.text)")
    }
  }

  @Test("a ready answer is counted and timed each time that it is given")
  func ready() async throws {
    let meter = RequestMeter("pages", .ofPages)
    let handler = MeasuredHandler(handler: Handler(), meter: meter)
    func count(of line: String) -> Bool {
      var text = ExpositionText()
      meter.writeRequests(to: &text, as: "requests")
      meter.writeDurations(to: &text, as: "seconds")
      return text.text.contains(line)
    }
    let page = Request(method: .get, target: "/sign-in")
    let answer = handler.readyAnswer(to: page)
    #expect(!count(of: "/sign-in"))
    for _ in 0..<3 { _ = answer?() }
    let labels = #"{listener="pages",route="/sign-in",method="GET",status="200"}"#
    #expect(count(of: "requests\(labels) 3"))
    #expect(count(of: #"seconds_count{listener="pages",route="/sign-in"} 3"#))
    let other = Request(method: .get, target: "/sign-up")
    let isReady = handler.readyAnswer(to: other) != nil
    #expect(!isReady)
    _ = await handler.respond(to: other)
    #expect(count(of: #"route="/sign-up",method="GET",status="404"} 1"#))
  }

  @Test(
    "a path below a prefix counts as the prefix, and so does the prefix without its slash",
    arguments: [
      ("/backstage", "/backstage"), ("/backstage?after=1", "/backstage"),
      ("/backstage/inbox", "/backstage"), ("/backstage/api/clock", "/backstage/api"),
      ("/public/vestibule.css", "/public"), ("/backstages", "other"), ("/nowhere", "other"),
    ]
  )
  func prefixes(target: String, route: String) {
    let routes = Routes.ofPages
    #expect(routes.names[routes.place(of: Request(method: .get, target: target))] == route)
  }
}
