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

  @Test("what another browser is given is what this one has now")
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
    // Of what no answer has set here nobody knows how it is to be set.
    #expect(await browser.cookieHeaders == ["b": "b=2; Path=/; HttpOnly"])
    _ = try await browser.send(.get, "/")
    let sent = transport.requests.map { $0.headerFields[.cookie] }
    #expect(sent == [nil, "a=1; b=2; c=3", "a=9; b=2; d=4"])
  }
}

@Suite("What a browser without a screen sends of a form")
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
    "an empty line is sent, a box without a tick and a choice that is not made are not",
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
