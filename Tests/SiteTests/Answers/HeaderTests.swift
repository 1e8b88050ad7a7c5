import Foundation
import HTTPExchange
import HTTPTypes
import Pages
import Testing
import TestSupport

@testable import Site

@Suite("Header fields")
struct HeaderTests {
  /// One of every kind of answer.
  private static func answers(
    of test: TestSite
  ) async throws -> [(name: String, page: Visitor.Page)] {
    let visitor = test.visitor()
    let page = await visitor.open("/sign-in", [.accept: "text/html"])
    let asset = await visitor.open("/public/vestibule.css")
    let tag = try #require(asset.response.headerFields[.eTag])
    let foreign = Request(method: .get, target: "/", headerFields: [.host: "evil.example"])
    var multipart = visitor.form("/sign-in")
    multipart.headerFields[.contentType] = "multipart/form-data; boundary=x"
    let put = Request(method: .put, target: "/sign-in", headerFields: visitor.fields())
    let head = Request(method: .head, target: "/sign-in", headerFields: visitor.fields())
    return [
      ("page", page), ("twin", await visitor.open("/sign-in")), ("asset", asset),
      ("unchanged asset", await visitor.open("/public/vestibule.css", [.ifNoneMatch: tag])),
      ("redirect", await visitor.open("/account")), ("HEAD", await visitor.send(head)),
      ("400", await visitor.send(foreign)), ("403", await visitor.post("/sign-in", token: "x")),
      ("404", await visitor.open("/nothing")), ("405", await visitor.send(put)),
      ("415", await visitor.send(multipart)),
      ("422", await visitor.post("/sign-in", ["identifier": ""])),
      ("health", await visitor.open("/healthz")), ("ready", await visitor.open("/readyz")),
      ("refused by the server", .init(response: test.site.refuse(.stopping, status: 503, nil))),
      ("a neighbour's", .init(response: test.site.secured(Response(status: .ok)))),
    ]
  }

  @Test(
    "a file that the client has is not sent again, however its tag is given (RFC 9110, 13.1.2)",
    arguments: [
      ("TAG", 304), ("W/TAG", 304), (#""other", TAG"#, 304), ("*", 304), (#""other""#, 200),
    ]
  )
  func keptFile(_ told: String, _ status: Int) async throws {
    let visitor = try TestSite().visitor()
    let path = "/public/vestibule.css"
    let tag = try #require(await visitor.open(path).response.headerFields[.eTag])
    let kept = told.replacing("TAG", with: tag)
    let page = await visitor.open(path, [.ifNoneMatch: kept])
    #expect(page.response.status.code == status)
    #expect(page.response.body.isEmpty == (status == 304))
  }

  @Test("the server's own refusals have a twin as well (P-errors)")
  func twinOfTheServersRefusal() throws {
    let wishes = Request(
      method: .get,
      target: "/",
      headerFields: [.accept: "application/json"]
    )
    let response = try TestSite().site.refuse(.badRequest, status: 400, wishes)
    #expect(response.status == .badRequest)
    #expect(response.headerFields[.contentType]?.hasPrefix("application/json") == true)
  }

  @Test("a head that is too large is a 431, unless the host is wrong (R3)")
  func headTooLarge() throws {
    let site = try TestSite().site
    func status(_ fields: HTTPFields) -> Int {
      let request = Request(method: .get, target: "/sign-in", headerFields: fields)
      return site.refuse(.headTooLarge, status: 431, request).status.code
    }
    #expect(status([.host: TestSite.host]) == 431)
    #expect(status([:]) == 431)
    #expect(status([.host: "evil.example"]) == 400)
  }

  @Test("every kind of answer carries every security field (S8, R6)")
  func everywhere() async throws {
    for (name, page) in try await Self.answers(of: TestSite()) {
      let policy = page.header("Content-Security-Policy") ?? ""
      for directive in [
        "default-src 'none'", "base-uri 'none'", "object-src 'none'", "frame-ancestors 'none'",
        "form-action 'self'", "script-src 'self'", "style-src 'self'",
      ] { #expect(policy.contains(directive), "\(name)") }
      #expect(!policy.contains("unsafe"), "\(name)")
      #expect(page.header("X-Frame-Options") == "DENY", "\(name)")
      #expect(page.header("X-Content-Type-Options") == "nosniff", "\(name)")
      #expect(page.header("Cross-Origin-Opener-Policy") == "same-origin", "\(name)")
      #expect(page.header("Cross-Origin-Resource-Policy") == "same-origin", "\(name)")
      #expect(page.header("Referrer-Policy") == "same-origin", "\(name)")
      #expect(page.header("Permissions-Policy")?.contains("camera=()") == true, "\(name)")
      #expect(page.header("Strict-Transport-Security") == nil, "\(name)")
      #expect(page.header("Server") == nil, "\(name)")
      let cached = name.contains("asset") ? "no-cache" : "no-store"
      #expect(page.header("Cache-Control") == cached, "\(name)")
      if !page.response.body.isEmpty {
        #expect(page.header("Content-Type")?.contains("charset=utf-8") == true, "\(name)")
      }
      let names = page.response.headerFields.map(\.name).filter { $0 != .setCookie }
      #expect(Set(names).count == names.count, "\(name) has a field twice")
    }
  }

  @Test("behind https every answer asks for a year of https (S8)")
  func strictTransport() async throws {
    let test = try TestSite(publicOrigin: "https://id.example.test")
    for (name, page) in try await Self.answers(of: test) {
      #expect(page.header("Strict-Transport-Security") == "max-age=31536000", "\(name)")
    }
  }

  @Test("forms may lead to the origins that are allowed, and to no other (S9)")
  func formAction() async throws {
    let test = try TestSite(redirectOrigins: ["https://app.example.com"])
    let page = await test.visitor().open("/sign-in")
    let policy = page.header("Content-Security-Policy") ?? ""
    #expect(policy.contains("form-action 'self' https://app.example.com;"))
  }

  @Test("a page says that it depends on the field Accept")
  func vary() async throws {
    let page = try await TestSite().visitor().open("/sign-in")
    #expect(page.header("Vary") == "Accept")
  }
}

@Suite("HTML or its twin")
struct RenderingTests {
  @Test(
    "JSON goes to clients that prefer it, HTML to all others",
    arguments: [
      ("application/json", true), ("text/html", false), ("*/*", false), (nil, false),
      ("application/json, text/html", true), ("text/html, application/json", false),
      ("application/json;q=0.5, text/html;q=0.9", false), ("application/json;q=0", false),
      ("application/json;q=0.9, */*;q=0.1", true), ("image/png", false),
      ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false),
      ("APPLICATION/JSON", true), ("application/json;q=banana", false),
      ("text/*, application/json", false), ("*/*, application/json", true),
      ("application/xhtml+xml, application/json", false),
      ("text/html;q=0.1, */*;q=0.9, application/json;q=0.5", true),
      ("application/*", true), ("text/html;q=0, application/*", true),
      ("application/*, */*", false),
      ("text/html;q=0, */*", true), ("text/html, application/*", false), ("text/html;q=0", false),
      ("application/*;q=0, */*", false), ("application/*, application/json;q=0", false),
      ("text/html;q=0, */*;q=0", false), ("application/xhtml+xml;q=0, */*", false),
      ("application/*, text/html", false), ("text/html;q=0.5, application/*", true),
      ("application/json;q=0.5, */*", false), ("application/json;q=0.5, text/*;q=0.4", true),
      ("text/html;level=1, application/json;q=0.5", false),
      ("text/html;level=1;q=0.4, application/json;q=0.5", true),
      ("application/json;q=0.1, application/json;q=0.9, text/html;q=0.5", true),
      ("application/json;q=0.9, application/json;q=0.1, text/html;q=0.5", true),
      ("text/html, application/json, text/html", false),
      ("text/html5, application/json;q=0.5", true),
    ] as [(String?, Bool)]
  )
  func preference(accept: String?, isJSON: Bool) async throws {
    let visitor = try TestSite().visitor()
    var fields = visitor.fields()
    fields[.accept] = accept
    for target in ["/sign-in", "/nothing"] {
      let page = await visitor.send(Request(method: .get, target: target, headerFields: fields))
      let type = page.header("Content-Type")
      #expect(type == (isJSON ? "application/json" : "text/html") + "; charset=utf-8")
      #expect(page.body.hasPrefix(isJSON ? "{" : "<!DOCTYPE html>"))
    }
  }

  @Test("HEAD answers with the status and the header fields of GET")
  func head() async throws {
    let visitor = try TestSite().visitor()
    /// Every field; of a cookie, whose value is a new one each time, the name and the attributes.
    func told(_ response: Response) -> [String] {
      response.headerFields.map { field in
        guard field.name == .setCookie else { return "\(field.name.canonicalName): \(field.value)" }
        let value = field.value.replacing(/=[\w-]+;/, with: "=;", maxReplacements: 1)
        return "\(field.name.canonicalName): \(value)"
      }
    }
    for path in [
      "/sign-in", "/sign-up", "/sign-up?language=ar", "/nothing", "/healthz",
      "/public/vestibule.css", "/",
    ] {
      let request = Request(method: .get, target: path, headerFields: visitor.fields())
      var head = request
      head.method = .head
      let get = await visitor.test.site.respond(to: request)
      let answer = await visitor.test.site.respond(to: head)
      #expect(answer.status == get.status, "\(path)")
      #expect(told(answer) == told(get), "\(path)")
    }
  }

  @Test(
    "the twin has the status and the errors of the page (R3)",
    arguments: [
      ("/sign-in", "identifier"), ("/sign-up", "email_address"), ("/forgot-password", "identifier"),
    ]
  )
  func sameStatus(path: String, field: String) async throws {
    let visitor = try TestSite().visitor()
    _ = await visitor.open(path)
    let twin = await visitor.post(path, [field: ""])
    let html = await visitor.post(path, [field: ""], [.accept: "*/*"])
    #expect(twin.status == 422 && html.status == 422)
    #expect(twin.errorCodes(at: field) == ["required"])
    let shown = html.body.matches(of: /data-error-code="([^"]+)"/).map { String($0.output.1) }
    #expect(shown.sorted() == twin.allErrorCodes.sorted())
  }
}
