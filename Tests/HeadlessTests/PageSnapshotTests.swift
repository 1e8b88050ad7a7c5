import AuthFlow
import Foundation
import Testing

@testable import Headless

@Suite("What a test reads from a page and from a message")
struct PageSnapshotTests {
  private static let page = #"""
    {"page": "account", "step": "signed-in", "title": "T", "notices": [], "links": [],
     "errors": [{"code": "user_locked", "message": "M", "detail": {"kind": "api", "meta": {"n": 1}}}],
     "forms": [
       {"name": "sign-out", "action": "/sign-out", "method": "post", "token": "t", "fields": []},
       {"name": "get-token", "action": "/account/token", "method": "post", "token": "u", "fields": [
         {"name": "scopes", "type": "text", "value": null, "errors": []},
         {"name": "claims", "type": "text", "value": "{",
          "errors": [{"code": "claims_format_invalid", "message": "M"}]}]}]}
    """#

  private let snapshot: PageSnapshot

  init() throws {
    snapshot = try JSONDecoder().decode(PageSnapshot.self, from: Data(Self.page.utf8))
  }

  @Test("an error is found at a field of any form, by stories too")
  func secondForm() throws {
    #expect(snapshot.errorCodes(at: "claims") == ["claims_format_invalid"])
    #expect(snapshot.errorCodes(at: "scopes") == [])
    #expect(snapshot.errorCodes(at: "claim") == [])
    var told = Story.Expectation()
    told.fieldErrors = ["claims": ["claims_format_invalid"], "scopes": []]
    #expect(told.differences(from: snapshot) == [])
  }

  @Test(
    "an expected list is compared whole with the twin's, an object only in its given parts",
    arguments: [
      (
        #"""
        {"title": "T", "links": [], "forms": [{"name": "sign-out"},
          {"name": "get-token", "fields": [{"name": "scopes"}, {"name": "claims", "value": "{"}]}],
         "errors": [{"code": "user_locked", "message": "M", "reference": "of-another-time"}]}
        """#, []
      ),
      (#"{"title": "U"}"#, ["title is T, not U"]),
      (#"{"links": ["sign-up"]}"#, ["links are 0, not 1: sign-up is missing"]),
      (#"{"forms": [{"name": "sign-out"}]}"#, ["forms are 2, not 1: get-token is not expected"]),
      (
        #"{"forms": ["sign-out", {"name": "get-token", "action": "/"}]}"#,
        [#"forms[1].action is "/account/token", not "/""#]
      ),
      (
        #"{"errors": [{"code": "user_locked", "message": "N"}]}"#,
        [#"errors[0].message is "M", not "N""#]
      ),
    ] as [(String, [String])]
  )
  func twin(part: String, differences: [String]) throws {
    var page = snapshot
    page.body = Data(Self.page.utf8)
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(part.utf8))
    let told = try Story.Expectation(StoryObject(value, at: "expect"))
    #expect(!told.isEmpty)
    #expect(told.differences(from: page) == differences)
  }

  @Test("an error has what the auth API itself said about it")
  func detail() {
    let error = snapshot.errors.first
    #expect(error?.detail?["kind"] == .string("api"))
    #expect(error?.detail?["meta"]?["n"] == .number(1))
    #expect(snapshot.form("get-token")?.field("claims")?.errors?.first?.detail == nil)
  }

  @Test("a required field is found, or reported as missing with what the page is")
  func requiredField() throws {
    #expect(try snapshot.requireField("claims").errorCodes == ["claims_format_invalid"])
    #expect(try snapshot.requireField("scopes").errorCodes == [])
    let failure = #expect(throws: FormSession.Failure.self) { try snapshot.requireField("claim") }
    #expect(failure?.description == "There is no field claim on \(snapshot)")
  }

  @Test(
    "an address is printed with scheme, host, port and path, and nothing that may be a secret",
    arguments: [
      ("/reset?ticket=secret", "/reset"), ("/account#access_token=secret", "/account"),
      ("https://app.example.com:8443/in#token=secret", "https://app.example.com:8443/in"),
      ("https://app.example.com?code=secret#x", "https://app.example.com"),
      ("https://ada:secret@app.example.com/@/in", "https://app.example.com/@/in"),
      ("//ada:se@cret@app.example.com/", "//app.example.com/"),
      ("ada:secret@b.example/x", "b.example/x"), ("localhost:8080", "localhost:8080"),
      ("/a:b//c@d", "/a:b//c@d"), ("", ""),
    ]
  )
  func places(address: String, printed: String) {
    #expect(address.withoutSecrets == printed)
    var page = snapshot
    page.path = address
    #expect(page.description.hasPrefix("\(printed) 0: page account"))
  }

  @Test("a page is printed with what it is, without tokens and values")
  func printed() throws {
    var page = snapshot
    page.status = 422
    page.path = "/account?ticket=secret"
    #expect(
      page.description
        == "/account 422: page account, step signed-in, at claims claims_format_invalid, "
        + "error user_locked, form get-token scopes claims, form sign-out"
    )
    let form = try #require(page.form("get-token"))
    #expect("\(form)" == "form get-token scopes claims")
    let fields = form.fields.map { "\($0)" }
    #expect(fields == ["field scopes (text)", "field claims (text) claims_format_invalid"])
  }

  @Test("a message says whether it would have been sent, and when")
  func message() throws {
    let json = #"""
      {"id": "msg_1", "to": "+12015550110", "channel": "sms", "sent": false, "purpose": "sign_in",
       "code": "424242", "link": null, "subject": null, "text": "T",
       "created_at": "2026-11-21T14:35:00Z"}
      """#
    let message = try JSONDecoder().decode(TestBackstage.Message.self, from: Data(json.utf8))
    #expect(!message.sent && message.createdAt == "2026-11-21T14:35:00Z")
  }
}
