import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("When the auth API fails", .inTurn)
struct FaultJourneys {
  private static let faults: [(kind: String, statuses: [Int])] = [
    ("refused", [503, 504]), ("reset", [503, 504]), ("truncated", [503, 504]),
    ("not_json", [502]), ("empty", [502]), ("html_500", [502]), ("huge", [502]),
  ]

  /// The faults that a person notices.
  private static let noticed: [(String, [Int], Stage)] = Stage.both.flatMap { stage in
    faults.filter { $0.kind != "refused" || !stage.sendsAgain }
      .map { ($0.kind, $0.statuses, stage) }
  }

  @Test(
    "the form stays, with an honest status, and works once the API does (R3)",
    arguments: noticed
  )
  func failures(fault: String, statuses: [Int], stage: Stage) async throws {
    try await stage.play { scene in
      try await scene.rehearse(stage.onlyCall, #""fault":"\#(fault)""#)
      let browser = scene.newBrowser()
      let refused = try await browser.signIn("ada@example.com")
      #expect(statuses.contains(refused.status), "\(refused.status)")
      #expect(refused.page == "sign-in")
      #expect(refused.errors.count == 1)
      #expect(refused.form?.field("identifier")?.value == "ada@example.com")
      let entered = try await browser.submit([
        "identifier": "ada@example.com", "password": password,
      ])
      #expect(entered.page == "account")
    }
  }

  @Test(
    "a call that never left is sent to Entra once more, and the person is signed in",
    arguments: Stage.entra.filter(\.sendsAgain)
  )
  func sentAgain(stage: Stage) async throws {
    try await stage.play { scene in
      try await scene.rehearse(stage.onlyCall, #""fault":"refused""#)
      #expect(try await scene.newBrowser().signIn("ada@example.com").page == "account")
      // The fault is used up.
      let left = try await scene.backstage.call(.get, "faults")
      #expect(String(decoding: left, as: UTF8.self) == "[]")
    }
  }

  @Test(
    "signing out is done only when the API says so; otherwise the session is still there (R3b)",
    arguments: [
      (#""fault":"not_json""#, 502), (#""fault":"empty""#, 502),
      (#""answer":{"status":200,"json":{}}"#, 502),
      (#""answer":{"status":400,"json":{"errors":[{"code":"client_state_invalid"}]}}"#, 422),
      (#""answer":{"status":403,"json":{"errors":[{"code":"authorization_invalid"}]}}"#, 403),
      (#""answer":{"status":403,"json":{"errors":[{"code":"oauth_access_denied"}]}}"#, 403),
    ]
  )
  func signOut(effect: String, status: Int) async throws {
    try await Stage.inProcess.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ada@example.com")
      _ = try await scene.backstage.call(
        .post,
        "faults",
        json: #"{"match":{"method":"DELETE","path":"/v1/client/sessions"},"times":1,\#(effect)}"#
      )
      let refused = try await browser.signOut()
      #expect(refused.status == status)
      #expect(refused.errors.count == 1)
      #expect(try await browser.open("/account").page == "account")
      #expect(try await browser.signOut().noticeCodes == ["signed_out"])
    }
  }

  @Test(
    "other sessions are ended only when the API says so; otherwise each is still there (R3b)",
    arguments: [("end-others", "other_sessions_ended"), ("end-all", "signed_out")],
    [
      (#""fault":"not_json""#, 502, "service_answered_nonsense"),
      (#""fault":"empty""#, 502, "service_answered_nonsense"),
      (#""answer":{"status":200,"json":{}}"#, 502, "service_answered_nonsense"),
      (
        #""answer":{"status":403,"json":{"errors":[{"code":"authorization_invalid"}]}}"#, 403,
        "authorization_invalid"
      ),
      (
        #""answer":{"status":403,"json":{"errors":[{"code":"oauth_access_denied"}]}}"#, 403,
        "oauth_access_denied"
      ),
    ]
  )
  func endSessions(
    form: (name: String, notice: String),
    fault: (effect: String, status: Int, code: String)
  ) async throws {
    try await Stage.inProcess.play { scene in
      let (there, here) = (scene.newBrowser(), scene.newBrowser())
      for browser in [there, here] { try await browser.signIn("ada@example.com") }
      try await scene.rehearse("/v1/me/sessions/*/revoke", fault.effect)
      let refused = try await here.submit(form: form.name)
      #expect(refused.status == fault.status)
      #expect(refused.page == "account")
      #expect(refused.errorCodes == [fault.code])
      #expect(refused.noticeCodes.isEmpty)
      for browser in [there, here] { #expect(try await browser.open("/account").page == "account") }
      #expect(try await here.submit(form: form.name).noticeCodes == [form.notice])
      #expect(try await there.open("/account").page == "sign-in")
    }
  }

  /// What somebody with an open task sends, and from which page.
  private static let tasks: [(user: String, page: String, form: String?, typed: [String: String])] =
    [
      (
        "olga@example.com", "tasks-choose-organization", nil,
        ["organization_name": "Acme", "organization_slug": "acme"]
      ),
      ("tess@example.com", "tasks-setup-mfa", "authenticator", [:]),
      ("kurt", "tasks-reset-password", nil, ["password": "Quite-another-secret-9"]),
    ]

  @Test(
    "a signed-in person who is denied something sees the API's own code and stays (R3b)",
    arguments: tasks.indices
  )
  func deniedTask(index: Int) async throws {
    let task = Self.tasks[index]
    try await Stage.inProcess.play { scene in
      let browser = scene.newBrowser()
      #expect(try await browser.signIn(task.user).page == task.page)
      let item = #"{"code":"oauth_access_denied","message":"m","long_message":"Long words"}"#
      _ = try await scene.backstage.call(
        .post,
        "faults",
        json: """
          {"match": {"method": "POST"}, "times": 1, "answer": {"status": 403, "json":
           {"clerk_trace_id": "trace-7", "errors": [\(item)]}}}
          """
      )
      let refused = try await browser.submit(task.typed, form: task.form)
      #expect(refused.status == 403)
      #expect(refused.page == task.page)
      #expect(refused.errorCodes == ["oauth_access_denied"])
      #expect(refused.errors.first?.message.contains("Long words") == true)
      #expect(refused.errors.first?.reference == "trace-7")
      let told = try JSONDecoder().decode(ToldDetail.self, from: refused.body)
      #expect(told.errors.map(\.detail.code) == ["oauth_access_denied"])
      #expect(told.errors.map(\.detail.traceID) == ["trace-7"])
      let taken = try await browser.submit(task.typed, form: task.form)
      #expect(taken.status == 200 && taken.errors.isEmpty)
    }
  }

  @Test(
    "if the API answers nonsense or half of it, the account page fails and the session stays",
    arguments: [
      (#""fault":"not_json""#, 502), (#""fault":"truncated""#, 503),
      (#""answer":{"status":200,"json":{}}"#, 502),
      (
        #""answer":{"status":200,"json":{"response":{"object":"client","sessions":[{"id":7}]}}}"#,
        502
      ),
    ]
  )
  func account(effect: String, status: Int) async throws {
    try await Stage.inProcess.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ada@example.com")
      _ = try await scene.backstage.call(
        .post,
        "faults",
        json: #"{"match":{"method":"GET","path":"/v1/client"},"times":1,\#(effect)}"#
      )
      #expect(try await browser.open("/account").status == status)
      #expect(try await browser.open("/account").status == 200)
    }
  }

  @Test("if the API does not answer in time, the page is 504")
  func timeout() async throws {
    let stage = Stage.inProcess
    try await stage.play { scene in
      _ = try await scene.backstage.call(
        .post,
        "faults",
        json:
          #"{"match":{"method":"POST","path":"\#(stage.onlyCall)"},"times":1,"fault":"timeout"}"#
      )
      let browser = scene.newBrowser()
      let refused = try await browser.signIn("ada@example.com")
      #expect(refused.status == 504)
      #expect(refused.page == "sign-in")
    }
  }

  @Test("after too many requests the answer says when to try again", arguments: Stage.both)
  func tooMany(stage: Stage) async throws {
    try await stage.play { scene in
      let answer = """
        {"status":429,"headers":{"Retry-After":"30"},
         "json":\(stage.tooManyRequests)}
        """
      _ = try await scene.backstage.call(
        .post,
        "faults",
        json:
          #"{"match":{"method":"POST","path":"\#(stage.onlyCall)"},"times":1,"answer":\#(answer)}"#
      )
      let browser = scene.newBrowser()
      try await browser.open("/sign-in")
      let (form, body) = try await browser.filled([
        "identifier": "ada@example.com", "password": password,
      ])
      let response = try await browser.send(.post, form.action, body: body)
      #expect(response.status == .tooManyRequests)
      let seconds = try #require(response.headerFields[.retryAfter].flatMap(Int.init))
      #expect(seconds >= 25)
    }
  }

  @Test(
    "a page's calls are traced, without the password",
    arguments: Stage.both.filter { $0.place != .twoProcesses }
  )
  func traces(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ada@example.com")
      let data = try await scene.backstage.call(.get, "traces")
      let text = String(decoding: data, as: UTF8.self)
      #expect(text.contains(#""page":{"method":"POST","path":"/sign-in"}"#))
      #expect(
        text.contains(
          stage.either("/v1/client/sign_ins?_is_native=1", entra: "/oauth2/v2.0/token")
        )
      )
      #expect(!text.contains(password))
    }
  }
}

/// What the API itself said about each error of a page.
private struct ToldDetail: Decodable {
  struct Message: Decodable {
    var detail: Detail
  }

  struct Detail: Decodable {
    var code: String
    var traceID: String?

    enum CodingKeys: String, CodingKey {
      case code
      case traceID = "trace_id"
    }
  }

  var errors: [Message]
}

extension Stage {
  /// The path of the first call of a sign-in, as faults name it.
  var firstCall: String { either("/v1/client/sign_ins", entra: "/*/oauth2/v2.0/initiate") }

  /// Whether a call that never left is sent once more, before the page says anything.
  ///
  /// An emulator in another process cannot refuse a connection. It closes it, as for a reset: the
  /// call may have arrived then.
  var sendsAgain: Bool { api == .entra && place != .twoProcesses }

  /// The path of a call of a sign-in that is never made twice, unless it never left.
  var onlyCall: String { either("/v1/client/sign_ins", entra: "/*/oauth2/v2.0/token") }

  /// The body of a 429.
  var tooManyRequests: String {
    either(
      #"{"errors":[{"code":"too_many_requests","message":"m","long_message":"l"}]}"#,
      entra: #"{"error":"temporarily_unavailable","error_description":"Too many requests."}"#
    )
  }
}
