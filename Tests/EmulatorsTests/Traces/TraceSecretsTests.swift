import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@testable import Emulators

@Suite("What a trace does not show")
struct TraceSecretsTests {
  /// Header, payload and signature of nobody's token.
  private static let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln-bmF0_dXJl"

  private static let browserToken = "dvb_0123456789ABCDEFGHIJabcdefg"

  @Test(
    "a signed token is masked, whatever comes before it",
    arguments: [
      "", "Bearer ", "v1.", "x-", "/v1/client/x-", "/v1/client?q=id-", "/v1/client?_id_", "\u{301}",
    ]
  )
  func signedTokens(prefix: String) {
    #expect(TraceSecrets.shown("\(prefix)\(Self.token)") == "\(prefix)<token>")
    #expect(TraceSecrets.shown("\(prefix)\(Self.token)/x") == "\(prefix)<token>/x")
  }

  @Test(
    "text that only resembles a signed token is shown as it is",
    arguments: ["eyJhbGciOiJSUzI1NiJ9", "eyJhbGci.signed", "a.b.eyJhbGci", "key.J.a.b", "keyJ.one"]
  )
  func noTokens(text: String) {
    #expect(TraceSecrets.shown(text) == text)
  }

  @Test(
    "a development browser's token is masked anywhere, since its holder acts for its client",
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
    "a parameter's name that contains values is cut before them",
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
    "the rest of a secret behind a bare '&' is not shown as a parameter's name",
    arguments: [
      ("password=Summer&Canary77", ["password", "…"]), ("password=&Canary77", ["password", "…"]),
      ("identifier=ada&password=a&b&c77&d=", ["identifier", "password", "…", "…", "d"]),
      ("present&password=a", ["present", "password"]),
      ("form_token=x&identifier=&password=", ["form_token", "identifier", "password"]),
    ]
  )
  func rests(body: String, names: [String]) throws {
    let form = try FormData(decoding: body.utf8)
    #expect(TraceSecrets.masked(form).map(\.name) == names)
  }

  @Test("an answer that names the rest of a secret as a parameter is masked")
  func repeatedRest() throws {
    let form = try FormData(decoding: "password=Summer&Canary77".utf8)
    let answer = Array(#"{"param_name":"Canary77"}"#.utf8)
    let shown = TraceSecrets.hiding(secretsOf: form, in: answer)
    #expect(String(decoding: shown, as: UTF8.self) == #"{"param_name":"<secret>"}"#)
  }

  @Test(
    "a parameter within a text is masked by its name, even within another's value",
    arguments: [
      ("/a?password=x1", "/a?password=<password>"),
      ("ada&password=x1&b=1", "ada&password=<password>&b=1"),
      ("1&code=x1", "1&code=<code>"), ("form_token=x1", "form_token=<token>"),
      ("/a?password=&b=1", "/a?password=&b=1"), ("1&b&password=", "1&b&password="),
      ("otpauth://totp/Vestibule:ada?digits=6", "<secret>"),
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
    "a value whose name only sounds secret is shown",
    arguments: ["country_code", "zipcode", "shipping", "compass", "encoding", "passenger"]
  )
  func harmless(name: String) {
    #expect(TraceSecrets.masked([name: "424242"]).map(\.value) == ["424242"])
  }

  @Test("a browser's token is masked in the answer that brings it and in its header field")
  func browserTokenOfAnswer() throws {
    let answer: JSON = ["id": .string(Self.browserToken)]
    #expect(answer.maskedAsAnswered() == ["id": "<jwt>"])
    let name = try #require(HTTPField.Name("Clerk-Db-Jwt"))
    #expect(TraceSecrets.masked([name: "whatever"])[name] == "<secret>")
  }

  @Test(
    "text that only begins like a browser's token is shown as it is",
    arguments: ["a long dvb_", "dvb_ a", "dvb"]
  )
  func noBrowserTokens(text: String) {
    #expect(TraceSecrets.shown(text) == text)
  }

  @Test(
    "a call's body is kept, masked, if it is a form or JSON",
    arguments: [
      ("application/json", #"{"password":"x1","a":1}"#, ["password": "<password>", "a": 1], nil),
      ("application/x-www-form-urlencoded", "a=x1", nil, "a"), ("text/plain", "a=x1", nil, nil),
    ] as [(String, String, JSON?, String?)]
  )
  func bodies(type: String, body: String, content: JSON?, parameter: String?) {
    let call = SeenCall(
      Request(
        method: .post,
        target: "/v1/client",
        headerFields: [.contentType: type],
        body: Array(body.utf8)
      ),
      .json("{}", status: .ok),
      to: "http://127.0.0.1:4010",
      at: .distantPast,
      fault: nil,
      duration: .zero
    )
    #expect(call.content == content)
    #expect(call.form.first?.name == parameter)
  }
}
