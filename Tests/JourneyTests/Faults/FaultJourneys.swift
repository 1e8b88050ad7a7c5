import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("When the auth API fails")
struct FaultJourneys {
  private static let signIns = #""match":{"method":"POST","path":"/v1/client/sign_ins"}"#

  @Test(
    "the form stays, with an honest status, and works once the API does (R3, E-offline)",
    arguments: [
      ("refused", [503, 504]), ("reset", [503, 504]), ("truncated", [502]),
      ("not_json", [502]), ("empty", [502]), ("html_500", [502]), ("huge", [502]),
    ],
    Stage.allCases
  )
  func failures(fault: (kind: String, statuses: [Int]), stage: Stage) async throws {
    try await stage.play { scene in
      _ = try await scene.workbench.call(
        .post,
        "faults",
        json: #"{\#(Self.signIns),"times":1,"fault":"\#(fault.kind)"}"#
      )
      let browser = scene.newBrowser()
      let refused = try await browser.signIn("ada@example.com")
      #expect(fault.statuses.contains(refused.status), "\(refused.status)")
      #expect(refused.page == "sign-in")
      #expect(refused.errors.count == 1)
      #expect(refused.form?.field("identifier")?.value == "ada@example.com")
      let entered = try await browser.submit([
        "identifier": "ada@example.com", "password": password,
      ])
      #expect(entered.page == "account")
    }
  }

  @Test("an API that does not answer in time is told as such")
  func timeout() async throws {
    try await Stage.inProcess.play { scene in
      _ = try await scene.workbench.call(
        .post,
        "faults",
        json: #"{\#(Self.signIns),"times":1,"fault":"timeout"}"#
      )
      let browser = scene.newBrowser()
      let refused = try await browser.signIn("ada@example.com")
      #expect(refused.status == 504)
      #expect(refused.page == "sign-in")
    }
  }

  @Test("too many requests: the moment when to try again", arguments: Stage.allCases)
  func tooMany(stage: Stage) async throws {
    try await stage.play { scene in
      let answer = """
        {"status":429,"headers":{"Retry-After":"30"},
         "json":{"errors":[{"code":"too_many_requests","message":"m","long_message":"l"}]}}
        """
      _ = try await scene.workbench.call(
        .post,
        "faults",
        json: #"{\#(Self.signIns),"times":1,"answer":\#(answer)}"#
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
    "a page's calls are traced, and no secret is shown",
    arguments: [Stage.inProcess, .overSockets]
  )
  func traces(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ada@example.com")
      let data = try await scene.workbench.call(.get, "traces")
      let text = String(decoding: data, as: UTF8.self)
      #expect(text.contains(#""page":{"method":"POST","path":"/sign-in"}"#))
      #expect(text.contains("/v1/client/sign_ins?_is_native=1"))
      #expect(!text.contains(password))
    }
  }
}
