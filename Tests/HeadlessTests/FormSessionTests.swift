import Headless
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("The cookies of a browser without a screen")
struct FormSessionTests {
  private static func setting(_ cookies: String...) -> Response {
    var fields = HTTPFields()
    for cookie in cookies { fields.append(HTTPField(name: .setCookie, value: cookie)) }
    return Response(status: .ok, headerFields: fields)
  }

  @Test("the cookies for another browser are those that this one has now")
  func headers() async throws {
    let transport = ScriptedTransport(
      Self.setting("a=1; Path=/", "b=2; Path=/; HttpOnly", "c=3"),
      Self.setting("c=; Max-Age=0"),
      Self.setting()
    )
    let browser = FormSession(over: transport)
    _ = try await browser.send(.get, "/")
    _ = try await browser.send(.get, "/")
    #expect(await browser.cookies == ["a": "1", "b": "2"])
    #expect(await browser.cookieHeaders == ["a": "a=1; Path=/", "b": "b=2; Path=/; HttpOnly"])

    await browser.replaceCookies(["a": "9", "b": "2", "d": "4"])
    #expect(await browser.cookies == ["a": "9", "b": "2", "d": "4"])
    // Nobody knows how to set a cookie that no answer has set here.
    #expect(await browser.cookieHeaders == ["b": "b=2; Path=/; HttpOnly"])
    _ = try await browser.send(.get, "/")
    let sent = transport.requests.map { $0.headerFields[.cookie] }
    #expect(sent == [nil, "a=1; b=2; c=3", "a=9; b=2; d=4"])
  }
}

@Suite("What a browser without a screen sends with a form")
struct SentFieldsTests {
  private static let page = #"""
    {"page": "p", "step": "s", "title": "T", "errors": [], "notices": [], "links": [], "forms": [{
      "name": "f", "action": "/f", "method": "post", "token": "t", "fields": [
        {"name": "hidden", "type": "hidden", "value": null},
        {"name": "line", "type": "text", "value": null},
        {"name": "kept", "type": "email", "value": "a@b"},
        {"name": "secret", "type": "password", "value": null},
        {"name": "list", "type": "select", "value": null, "options": []},
        {"name": "choice", "type": "radio", "value": null, "options": []},
        {"name": "ticked", "type": "checkbox", "value": "true", "checked": true},
        {"name": "unticked", "type": "checkbox", "value": "true", "checked": false}]}]}
    """#

  @Test(
    "an empty line is sent; a box without a tick and a choice that is not made are not",
    arguments: [
      ([:], ["line=", "kept=a@b", "secret=", "list=", "ticked=true"]),
      (["ticked": ""], ["line=", "kept=a@b", "secret=", "list="]),
      (
        ["line": "x", "kept": "", "choice": "c", "unticked": "true"],
        ["line=x", "kept=", "secret=", "list=", "choice=c", "ticked=true", "unticked=true"]
      ),
    ] as [([String: String], [String])]
  )
  func sent(typed: [String: String], fields: [String]) async throws {
    let browser = FormSession(over: ScriptedTransport(.json(Self.page)))
    try await browser.open("/f")
    let body = try await browser.filled(typed).body
    #expect(body.fields.map { "\($0.name)=\($0.value)" } == ["form_token=t"] + fields)
  }
}

@Suite("Where a browser without a screen goes")
struct SessionPlacesTests {
  private static func page(_ name: String, forms: String = "") -> Response {
    .json(
      #"{"page": "\#(name)", "step": "s", "title": "T", "errors": [{"code": "e", "message": "M"}],"#
        + #" "notices": [], "links": [], "forms": [\#(forms)]}"#
    )
  }

  private static func form(_ name: String, token: String) -> String {
    #"{"name": "\#(name)", "action": "/f", "method": "post", "token": "\#(token)", "fields": []}"#
  }

  private static func redirect(to location: String) -> Response {
    Response(status: .seeOther, headerFields: [.location: location])
  }

  @Test("a redirect to an app is not followed: the page says where it leads")
  func elsewhere() async throws {
    let address = "https://app.example.com/done?code=1#access_token=2"
    let transport = ScriptedTransport(
      Self.page("sign-in", forms: Self.form("f", token: "t")),
      Self.redirect(to: address)
    )
    let browser = FormSession(over: transport, host: "localhost:8080")
    try await browser.open("/sign-in")
    let left = try await browser.submit()
    #expect(left.elsewhere == address && left.redirects == [address])
    #expect("\(left)" == "https://app.example.com/done 303: page elsewhere, step redirect")
    #expect(transport.isDone)
  }

  @Test(
    "a whole URL of the pages counts as their path, whether opened or redirected to",
    arguments: ["http://localhost:8080", "https://localhost:8080", "https://login.example.com"]
  )
  func ownOrigin(origin: String) async throws {
    let transport = ScriptedTransport(
      Self.redirect(to: "\(origin)/b#there"),
      Self.page("b"),
      Self.page("c"),
      Self.page("d")
    )
    let browser = FormSession(
      over: transport,
      host: "localhost:8080",
      world: nil,
      origins: ["https://login.example.com/"]
    )
    let page = try await browser.open("\(origin)/a?x=http://y")
    #expect(page.path == "/b" && page.elsewhere == nil)
    try await browser.open(origin)
    try await browser.open("\(origin)?x=/y")
    #expect(transport.requests.map(\.target) == ["/a?x=http://y", "/b", "/", "/?x=/y"])
  }

  @Test(
    "a URL of another origin is not opened",
    arguments: [
      ("http://localhost:80801/a", "http://localhost:80801/a"),
      ("https://app.example.com/#access_token=secret", "https://app.example.com/"),
      ("https://ada:secret@localhost:8080/", "https://localhost:8080/"),
      ("//localhost:8080/", "//localhost:8080/"), ("mailto:a@b", "b"),
    ]
  )
  func foreignOrigin(address: String, printed: String) async throws {
    let browser = FormSession(over: ScriptedTransport(), host: "localhost:8080")
    let words = await complaint { try await browser.open(address) }
    #expect(words == "The pages are not at \(printed)")
  }

  @Test(
    "a relative address is neither opened nor followed",
    arguments: [
      ("sign-in", "sign-in"), ("../sign-in?ticket=secret", "../sign-in"), ("?ticket=secret", ""),
      ("", ""),
    ]
  )
  func relativeAddress(address: String, printed: String) async throws {
    let reason = "An address of the pages begins with / or an origin, not as \"\(printed)\""
    let transport = ScriptedTransport(Self.redirect(to: address))
    let browser = FormSession(over: transport, host: "localhost:8080")
    #expect(await complaint { try await browser.open(address) } == reason)
    #expect(transport.requests.isEmpty)
    #expect(await complaint { try await browser.open("/a") } == reason)
  }

  @Test("a loop of redirects is reported without their queries and fragments")
  func loop() async throws {
    let loop = (0...10).map { Self.redirect(to: "/a?ticket=secret\($0)#secret") }
    let browser = FormSession(over: ScriptedTransport(loop.map(ScriptedTransport.Answer.success)))
    let words = await complaint { try await browser.open("/a") }
    #expect(words.hasPrefix("Redirected in a loop: /a → /a") && !words.contains("secret"))
  }

  @Test("a missing form is reported with what the page is, or that no page is open")
  func noForm() async throws {
    let transport = ScriptedTransport(Self.page("error", forms: Self.form("f", token: "t")))
    let browser = FormSession(over: transport)
    #expect(await complaint { try await browser.submit() } == "No page has been opened yet")
    try await browser.open("/x?ticket=secret")
    #expect(
      await complaint { try await browser.submit(form: "g") }
        == "There is no form g on /x 200: page error, step s, error e, form f"
    )
  }

  @Test("a form is sent as an older tab still has it")
  func olderTab() async throws {
    let transport = ScriptedTransport(
      Self.page("old", forms: Self.form("f", token: "old")),
      Self.page("new", forms: Self.form("f", token: "new")),
      Self.page("end")
    )
    let browser = FormSession(over: transport)
    let older = try await browser.open("/old")
    try await browser.open("/new")
    try await browser.submit(on: older)
    #expect(transport.forms.last?["form_token"] == "old")
  }

  @Test("an invalid name of a world is refused before any request", arguments: ["My World", ""])
  func worldName(name: String) async throws {
    let reason = "There is no world \"\(name)\": a world's name is 1 to 40 of a-z, 0-9 and -"
    let browser = FormSession(over: ScriptedTransport(), world: name)
    #expect(await complaint { try await browser.open("/") } == reason)
    #expect(await complaint { try await browser.submit() } == reason)
    let backstage = TestBackstage(over: ScriptedTransport(), world: name)
    #expect(await complaint { _ = try await backstage.messages() } == reason)
  }

  @Test(
    "a refusal to bring the browser to a page is thrown in backstage's words, or as it came",
    arguments: [
      (
        #"{"errors": [{"code": "unreachable", "message": "No walk leads there."}]}"#,
        "No walk leads there."
      ),
      (#"{"errors": []}"#, #"Status 422: {"errors": []}"#), ("<html>", "Status 422: <html>"),
    ]
  )
  func refusedStand(body: String, words: String) async {
    let transport = ScriptedTransport(.json(body, status: .unprocessableContent))
    let browser = FormSession(over: transport)
    #expect(await complaint { try await browser.stand(at: "locked") } == words)
    #expect(transport.isDone)
  }

  @Test("a form is sent as one, unless the caller names another type")
  func contentType() async throws {
    let transport = ScriptedTransport(Response(status: .ok), Response(status: .ok))
    let browser = FormSession(over: transport)
    _ = try await browser.send(.post, "/f", body: ["a": "b"])
    _ = try await browser.send(.post, "/f", body: ["a": "b"], fields: [.contentType: "text/plain"])
    #expect(
      transport.requests.map { $0.headerFields[.contentType] } == [
        "application/x-www-form-urlencoded", "text/plain",
      ]
    )
  }
}
