import HTTPExchange
import HTTPTypes
import Testing

@testable import Emulators

@Suite("What a trace does not show")
struct TraceSecretsTests {
  /// Header, payload and signature; not those of anybody.
  private static let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln-bmF0_dXJl"

  private static let browserToken = "dvb_0123456789ABCDEFGHIJabcdefg"

  @Test(
    "a signed token is masked, whatever stands before it",
    arguments: [
      "", "Bearer ", "v1.", "x-", "/v1/client/x-", "/v1/client?q=id-", "/v1/client?_id_", "\u{301}",
    ]
  )
  func signedTokens(prefix: String) {
    #expect(TraceSecrets.shown("\(prefix)\(Self.token)") == "\(prefix)<token>")
    #expect(TraceSecrets.shown("\(prefix)\(Self.token)/x") == "\(prefix)<token>/x")
  }

  @Test(
    "what has no two dots behind the beginning of one is shown as it is",
    arguments: ["eyJhbGciOiJSUzI1NiJ9", "eyJhbGci.signed", "a.b.eyJhbGci", "key.J.a.b", "keyJ.one"]
  )
  func noTokens(text: String) {
    #expect(TraceSecrets.shown(text) == text)
  }

  @Test(
    "the token of a development browser is masked wherever it stands: whoever has it acts for its client",
    arguments: [
      (browserToken, "<jwt>"), ("/a/\(browserToken)/b", "/a/<jwt>/b"),
      ("/a?id=\(browserToken)&b=1", "/a?id=<jwt>&b=1"),
      ("/a?__clerk_db_jwt=\(browserToken)", "/a?__clerk_db_jwt=<jwt>"),
      ("\(browserToken), x\(browserToken)", "<jwt>, x<jwt>"),
      ("\(browserToken)\(token)", "<jwt><token>"),
    ]
  )
  func browserTokens(text: String, shown: String) {
    #expect(TraceSecrets.shown(text) == shown)
  }

  @Test(
    "a name that has values in it is cut before them",
    arguments: [
      ("password=secret", "password…"), ("a&password=secret", "a…"), ("=secret", "…"),
      (#"{"identifier":"a","password":"secret"}"#, "…"), ("a b", "a…"),
      (String(repeating: "n", count: 70), String(repeating: "n", count: 64) + "…"),
      ("identifier", "identifier"), ("", ""), ("codes[]", "codes[]"),
    ]
  )
  func names(sent: String, shown: String) {
    #expect(TraceSecrets.masked([sent: ""]).map(\.name) == [shown])
  }

  @Test(
    "a parameter within a text is masked by its name, in the form of another's value, too",
    arguments: [
      ("/a?password=x1", "/a?password=<password>"),
      ("ada&password=x1&b=1", "ada&password=<password>&b=1"),
      ("1&code=x1", "1&code=<code>"), ("form_token=x1", "form_token=<token>"),
      ("/a?b=c%26password%3Dx1%26d=1", "/a?b=c%26password%3D<password>%26d=1"),
      ("/a?b=%2Fc%3fticket%3dx1", "/a?b=%2Fc%3fticket%3d<ticket>"),
      (#"{"identifier":"ada","password":"x1"}"#, #"{"identifier":"ada","password":"<password>"}"#),
      (#" [{"password":"x1"}]"#, #"[{"password":"<password>"}]"#),
      ("Passwords have a length >= 8", "Passwords have a length >= 8"),
      (#"{ "value" : "c1" }"#, #"{ "value" : "c1" }"#),
      ("/a?b=1&redirect_url=/c", "/a?b=1&redirect_url=/c"),
    ]
  )
  func parameters(text: String, shown: String) {
    #expect(TraceSecrets.shown(text) == shown)
  }

  @Test(
    "a secret under a mistyped name is masked",
    arguments: [
      "pwd", "passwd", "pass", "Passwort", "otp", "otp_2", "pin", "code[]", "code2", "codes",
    ]
  )
  func mistyped(name: String) {
    #expect(TraceSecrets.masked([name: "424242"]).map(\.value) == ["<secret>"])
  }

  @Test(
    "what only sounds like one is shown",
    arguments: ["country_code", "zipcode", "shipping", "compass", "encoding", "passenger"]
  )
  func harmless(name: String) {
    #expect(TraceSecrets.masked([name: "424242"]).map(\.value) == ["424242"])
  }

  @Test("so it is in the answer that brings it, and in a header field that carries it")
  func browserTokenOfAnswer() throws {
    let answer: JSON = ["id": .string(Self.browserToken)]
    #expect(answer.maskedAsAnswered() == ["id": "<jwt>"])
    let name = try #require(HTTPField.Name("Clerk-Db-Jwt"))
    #expect(TraceSecrets.masked([name: "whatever"])[name] == "<secret>")
  }

  @Test("what only begins like one is shown as it is", arguments: ["a long dvb_", "dvb_ a", "dvb"])
  func noBrowserTokens(text: String) {
    #expect(TraceSecrets.shown(text) == text)
  }
}
