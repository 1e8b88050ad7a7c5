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
