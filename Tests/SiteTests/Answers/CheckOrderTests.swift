import AuthFlow
import Foundation
import HTTPExchange
import HTTPTypes
import Pages
import Testing
import TestSupport

@testable import Site

@Suite("What is checked first")
struct CheckOrderTests {
  /// What may be wrong with a request; each row also has the faults of the rows after it.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var host = TestSite.host
    var method = HTTPRequest.Method.post
    var path = "/sign-in"
    var type: String? = "text/plain"
    var body = Array(repeating: UInt8(ascii: "%"), count: 70_000)
    var status: Int
    var code: String

    var testDescription: String { name }
  }

  static let form = "application/x-www-form-urlencoded"
  static let rows = [
    Row(
      name: "host",
      host: "evil.example",
      method: .put,
      path: "/no",
      status: 400,
      code: "host_not_allowed"
    ),
    Row(name: "path", method: .put, path: "/no", status: 404, code: "not_found"),
    Row(name: "method", method: .put, status: 405, code: "method_not_allowed"),
    Row(
      name: "method of a page without forms",
      path: "/locked",
      status: 405,
      code: "method_not_allowed"
    ),
    Row(name: "length", status: 413, code: "body_too_large"),
    Row(name: "type", body: Array("%".utf8), status: 415, code: "unsupported_content_type"),
    Row(name: "no type", type: nil, body: [], status: 415, code: "unsupported_content_type"),
    Row(
      name: "multipart",
      type: "multipart/form-data; boundary=x",
      body: [],
      status: 415,
      code: "unsupported_content_type"
    ),
    Row(name: "escape", type: form, body: Array("%".utf8), status: 400, code: "malformed_form"),
    Row(
      name: "no UTF-8",
      type: form,
      body: Array("a=%FF".utf8),
      status: 400,
      code: "malformed_form"
    ),
    Row(
      name: "a field twice",
      type: form,
      body: Array("a=1&a=2".utf8),
      status: 400,
      code: "malformed_form"
    ),
    Row(
      name: "a field twice among many",
      type: form,
      body: Array(((0...20).map { "f\($0)=" } + ["f7=1"]).joined(separator: "&").utf8),
      status: 400,
      code: "malformed_form"
    ),
    Row(
      name: "101 fields",
      type: form,
      body: Array((0...100).map { "f\($0)=" }.joined(separator: "&").utf8),
      status: 400,
      code: "malformed_form"
    ),
    Row(
      name: "token",
      type: "\(form); charset=utf-8",
      body: Array("a=1".utf8),
      status: 403,
      code: "form_token_invalid"
    ),
  ]

  @Test("host, path, method, length, type, form, token: in this order (R3)", arguments: rows)
  func order(row: Row) async throws {
    let test = try TestSite()
    var fields: HTTPFields = [.host: row.host, .accept: "application/json"]
    fields[.contentType] = row.type
    let request = Request(
      method: row.method,
      target: row.path,
      headerFields: fields,
      body: row.body
    )
    let page = Visitor.Page(response: await test.site.respond(to: request))
    #expect(page.status == row.status)
    #expect(page.errorCodes == [row.code])
    #expect(test.provider.calls.isEmpty)
    // The server's own refusals follow the same order.
    if row.status <= 413, row.body.count > 65_536 {
      let refused = test.site.refuse(.bodyTooLarge, status: 413, request)
      #expect(refused.status.code == row.status)
    }
    if row.status == 400 || row.status == 404 {
      #expect(page.response.headerFields[values: .setCookie].isEmpty)
    }
  }

  @Test("a form of 64 KiB is read, one byte more is not (S4)", arguments: [65_536, 65_537])
  func length(count: Int) async throws {
    let visitor = try TestSite().visitor()
    _ = await visitor.open("/sign-in")
    var request = visitor.form("/sign-in", ["password": ""])
    request.body += Array(repeating: UInt8(ascii: "x"), count: count - request.body.count)
    let page = await visitor.send(request)
    #expect(page.status == (count > 65_536 ? 413 : 422))
  }

  @Test("a 405 says which methods would have been right", arguments: Address.everyPath)
  func allow(path: String) async throws {
    let visitor = try TestSite().visitor()
    let address = try #require(Address(path: path))
    for method in [HTTPRequest.Method.get, .head, .post, .put, .delete, .options, .trace]
    where !address.methods.contains(method) {
      let request = Request(method: method, target: path, headerFields: visitor.fields())
      let page = await visitor.send(request)
      #expect(page.status == 405)
      #expect(page.header("Allow") == address.methods.map(\.rawValue).joined(separator: ", "))
    }
  }

  @Test(
    "a form's own address, if it is opened, links to the form's page and then to the start",
    arguments: [
      ("/sign-in/code/resend", "/sign-in/code"), ("/sign-up/verify/resend", "/sign-up/verify"),
    ]
  )
  func opened(path: String, page address: String) async throws {
    let page = try await TestSite().visitor().open(path)
    #expect(page.status == 405)
    let places = page.body.matches(of: #/"href":"([^"]+)"/#).map { String($0.1) }
    let way = try #require(places.firstIndex(of: address))
    #expect(try way < #require(places.firstIndex(of: "/sign-in")))
  }

  @Test(
    "a host that is not on the list reaches nothing (S2)",
    arguments: [
      "evil.example", "localhost", "localhost:80", "localhost:8081", "127.0.0.1", "127.0.0.1:1",
      "127.0.0.1.:8080", "localhost.:8080", "localhost:8080.", "a.b.localhost:8080",
      "-_.localhost:8080", ".localhost:8080", "localhost.evil.example:8080",
      "evil.example#localhost:8080", "evil.example@localhost:8080", "localhost:8080@evil.example",
      "[::1]", "[::1%eth0]:8080", "::1:8080", "0.0.0.0:8080", "[::]:8080", "127.1:8080",
      "2130706433:8080", "0x7f000001:8080", "localhost:08080", "localhost: 8080", "",
      "localhost:8080, evil.example", "xn--localhost:8080", "LOCALHOST", "team_a.localhost:8080",
    ]
  )
  func host(host: String) async throws {
    let test = try TestSite()
    for target in ["/", "/sign-in", "/healthz", "/public/vestibule.css", "/nothing"] {
      let request = Request(method: .get, target: target, headerFields: [.host: host])
      let page = Visitor.Page(response: await test.site.respond(to: request))
      // For a name below localhost, the refusal is a page with its style sheet.
      let isFile = target.hasPrefix("/public/") && host.hasSuffix(".localhost:8080")
      #expect(page.status == (isFile ? 200 : 400), "\(target)")
      #expect(page.response.headerFields[values: .setCookie].isEmpty)
      #expect(isFile || page.body.contains("<main"))
    }
  }

  @Test("for a host that is not on the list, page and log say what to do, and no more (S2)")
  func hostIsTold() async throws {
    let test = try TestSite()
    let hostile = "<b>evil</b>\u{1B}.example"
    for (accept, isPage) in [("text/html", true), ("application/json", false)] {
      let request = Request(
        method: .get,
        target: "/sign-in",
        headerFields: [.host: "evil.example:1", .accept: accept]
      )
      let page = Visitor.Page(response: await test.site.respond(to: request))
      #expect(page.body.contains(isPage ? "--allow-host" : "host_not_allowed"))
      #expect(!page.body.contains("evil"))
      // It links to no page, since none is served there.
      for path in ["/sign-in", "/sign-up", "/forgot-password"] {
        #expect(!page.body.contains(path), "\(path)")
      }
    }
    #expect(test.log.lines.allSatisfy { $0.contains("code=host_not_allowed host=evil.example:1 ") })
    _ = await test.site.respond(
      to: Request(method: .get, target: "/", headerFields: [.host: hostile])
    )
    #expect(test.log.lines.last?.contains("host=<b>evil</b>.example ") == true)
    // With no host, or with two, the list does not matter.
    for hosts in [[], [TestSite.host, TestSite.host]] {
      var fields: HTTPFields = [.accept: "application/json"]
      for host in hosts { fields.append(HTTPField(name: .host, value: host)) }
      let page = Visitor.Page(
        response: await test.site.respond(
          to: Request(method: .get, target: "/sign-in", headerFields: fields)
        )
      )
      #expect(page.errorCodes == ["bad_request"])
    }
  }

  @Test(
    "a wrong name of a world is refused, with links to the pages and to help, not to itself",
    arguments: [
      ("localhost:8080", "Team A"), ("team_a.localhost:8080", nil), ("localhost:8080", ""),
      ("Team_A.LocalHost:8080", nil), ("team-a.localhost:8080", "Team A"),
    ]
  )
  func misnamedWorld(host: String, header: String?) async throws {
    var instance = InstanceDescription.unknown
    instance.supportAddress = "help@example.com"
    let test = try TestSite(
      ScriptedProvider([], lastKnownInstance: instance),
      emulation: .init(api: "Clerk", world: "main", inboxPath: "/backstage/inbox")
    )
    func page(_ type: String, at target: String = "/sign-in") async -> Visitor.Page {
      var fields: HTTPFields = [.accept: type, .host: host]
      // A browser asks for a style sheet without this header.
      if target == "/sign-in" { fields[.vestibuleWorld] = header }
      return Visitor.Page(
        response: await test.site.respond(
          to: Request(method: .get, target: target, headerFields: fields)
        )
      )
    }
    let twin = await page("application/json")
    #expect(twin.response.status == .badRequest)
    #expect(twin.errorCodes == ["invalid_world"])
    let links = twin.json["links"] as? [[String: Any]] ?? []
    #expect(
      links.compactMap { $0["href"] as? String }
        == ["http://localhost:8080/sign-in", "mailto:help@example.com"]
    )
    #expect(twin.response.headerFields[.setCookie] == nil)
    let html = await page("text/html").body
    #expect(html.contains("1 to 40 characters: a to z, 0 to 9 and hyphens"))
    #expect(html.contains("Emulated") && !html.contains("/backstage"))
    #expect(!html.contains("/sign-up"))
    #expect(!html.contains("language="))
    let sheet = try #require(html.firstMatch(of: /rel="stylesheet" href="([^"]+)"/)?.output.1)
    #expect(await page("text/css", at: String(sheet)).response.status == .ok, "\(sheet)")
  }

  @Test(
    "below a name that no world can have, files can be read and nothing can be sent",
    arguments: [(.get, 200), (.head, 200), (.post, 400), (.put, 400)]
      as [(HTTPRequest.Method, Int)]
  )
  func fileOfMisnamedWorld(method: HTTPRequest.Method, status: Int) async throws {
    let request = Request(
      method: method,
      target: "/public/vestibule.css",
      headerFields: [.host: "team_a.localhost:8080"]
    )
    #expect(try await TestSite().site.respond(to: request).status.code == status)
  }

  @Test(
    "a world that the header names is served under any name below localhost",
    arguments: ["a_b", "a.b"]
  )
  func worldOfHeader(label: String) async throws {
    let fields: HTTPFields = [.host: "\(label).localhost:8080", .vestibuleWorld: "okworld"]
    let request = Request(method: .get, target: "/sign-in", headerFields: fields)
    #expect(try await TestSite().site.respond(to: request).status == .ok)
  }

  @Test(
    "every spelling of this machine is answered (S2)",
    arguments: [
      "localhost:8080", "LocalHost:8080", "127.0.0.1:8080", "[::1]:8080", "team-a.localhost:8080",
    ]
  )
  func ownHost(host: String) async throws {
    let request = Request(method: .get, target: "/sign-in", headerFields: [.host: host])
    #expect(try await TestSite().site.respond(to: request).status == .ok)
  }

  @Test(
    "a world with an invalid name is a 400, whatever the address",
    arguments: ["", "A", "a b", "ä", "a/b"]
  )
  func world(name: String) async throws {
    let visitor = try TestSite().visitor()
    for path in Address.everyPath + ["/public/vestibule.css", "/healthz", "/readyz", "/nothing"] {
      let page = await visitor.open(path, [.vestibuleWorld: name])
      #expect(page.status == 400, "\(path)")
      #expect(page.errorCodes == ["invalid_world"], "\(path)")
    }
  }

  @Test("a supervisor's questions are answered in plain text")
  func supervisor() async throws {
    let well = try TestSite().visitor()
    #expect(await well.open("/healthz").body == "ok")
    #expect(await well.open("/readyz").body == "ok")
    let ill = try TestSite(notReady: "the database cannot be written").visitor()
    #expect(await ill.open("/healthz").status == 200)
    let answer = await ill.open("/readyz")
    #expect(answer.status == 503)
    #expect(answer.body == "the database cannot be written")
    let request = Request(method: .get, target: "/readyz", headerFields: ill.fields())
    let stopping = Visitor.Page(
      response: ill.test.site.refuse(.stopping, status: 503, request)
    )
    #expect(stopping.status == 503)
    #expect(stopping.body == "stopping")
    // Any other refusal is a page, there too.
    let refused = Visitor.Page(
      response: ill.test.site.refuse(.bodyTooLarge, status: 413, request)
    )
    #expect(refused.status == 413 && refused.errorCodes == ["body_too_large"])
  }

  @Test("a world that cannot be opened is a 503 page")
  func down() async throws {
    let test = try TestSite(isDown: true)
    let page = await test.visitor().open("/sign-in")
    #expect(page.status == 503)
    #expect(page.errorCodes == ["world_unavailable"])
    // The log says why.
    let line = try #require(test.log.lines.first { $0.hasPrefix("turned away") })
    #expect(line.contains("reason=it is not there"))
  }

  @Test(
    "only listed paths exist, however they are spelt (S3)",
    arguments: [
      "/sign-in/", "/Sign-in", "/sign%2din", "/sign-in%00", "/./sign-in", "/x/../sign-in",
      "/sign-in;x", "/public/", "/public/../Package.swift", "/public/%2e%2e/Package.swift",
      "/public/..%2fPackage.swift", "/public/.gitignore", "/public//vestibule.css",
      "/public/vestibule.css/", "/Public/vestibule.css", "/public/vestibule.css%20",
      "/.vestibule/sealing-keys", "/templates/layout.mustache", "/healthz/", "/backstage/x",
    ]
  )
  func paths(path: String) async throws {
    let page = try await TestSite().visitor().open(path)
    #expect(page.status == 404)
    #expect(page.errorCodes == ["not_found"])
  }
}

extension Address {
  /// The path of every address.
  static var everyPath: [String] { allCases.map(\.path) + ["/"] }
}
