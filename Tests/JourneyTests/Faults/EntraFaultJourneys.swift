import HTTPTypes
import Testing
import VestibuleTesting

@Suite("When Entra misbehaves", .inTurn)
struct EntraFaultJourneys {
  private static let faults: [(fault: String, status: Int, code: String)] = [
    ("reset", 503, "service_unavailable"), ("timeout", 504, "service_timed_out"),
    ("not_json", 502, "service_answered_nonsense"), ("empty", 502, "service_answered_nonsense"),
    ("html_500", 502, "service_answered_nonsense"), ("huge", 502, "service_answered_nonsense"),
  ]

  private func rehearse(_ fault: String, at endpoint: String, in scene: Scene) async throws {
    _ = try await scene.backstage.call(
      .post,
      "faults",
      json: #"""
        {"match":{"method":"POST","path":"/*\#(endpoint)"},"times":1,\#(fault)}
        """#
    )
  }

  @Test("the page has a banner with a reference, keeps the address, and works at the next try")
  func signIn() async throws {
    try await Stage(place: .inProcess, api: .entra).play { scene in
      for (fault, status, code) in Self.faults {
        try await rehearse(#""fault":"\#(fault)""#, at: "/oauth2/v2.0/token", in: scene)
        let browser = scene.newBrowser()
        let page = try await browser.signIn("ada@example.com")
        #expect(page.status == status)
        #expect(page.page == "sign-in")
        #expect(page.errorCodes == [code])
        #expect(page.errors.first?.reference?.isEmpty == false)
        #expect(page.form?.field("identifier")?.value == "ada@example.com")
        #expect(try await browser.submit(["password": password]).page == "account")
      }
    }
  }

  @Test(
    "an answer of the wrong shape is a banner, whichever call it answers",
    arguments: [
      #"{"token_type":"Bearer"}"#, #"{"error":"invalid_grant"}"#, #"{"access_token":7}"#, "[]",
    ]
  )
  func wrongShape(body: String) async throws {
    try await Stage(place: .inProcess, api: .entra).play { scene in
      for endpoint in ["initiate", "challenge", "token"] {
        let answer = #""answer":{"status":200,"json":\#(body)}"#
        try await rehearse(answer, at: "/oauth2/v2.0/\(endpoint)", in: scene)
        let page = try await scene.newBrowser().signIn("ada@example.com")
        #expect(page.status == 502)
        #expect(page.errorCodes == ["service_answered_nonsense"])
      }
    }
  }

  @Test("a rate limit is shown with its time, and the session stays")
  func throttled() async throws {
    try await Stage(place: .inProcess, api: .entra).play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ada@example.com")
      let answer =
        #""answer":{"status":429,"headers":{"Retry-After":"17"},"json":{"error":"temporarily_unavailable"}}"#
      try await rehearse(answer, at: "/oauth2/v2.0/token", in: scene)
      let page = try await browser.submit(form: "get-token")
      #expect(page.status == 429)
      #expect(page.page == "account")
      #expect(page.errorCodes == ["temporarily_unavailable"])
      #expect(page.errors.first?.until != nil)
      try await scene.backstage.advanceClock(by: .seconds(18))
      #expect(try await browser.submit(form: "get-token").noticeCodes == ["token_renewed"])
    }
  }
}
