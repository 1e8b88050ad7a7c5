import Backstage
import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import TestSupport
import Testing

@Suite("Standing somewhere, and an error that is provoked there")
struct StandpointTests {
  private let worlds: Worlds
  private let workbench: BackstagePages

  init() throws {
    worlds = try Worlds(storage: .memory)
    workbench = try BackstagePages(
      worlds: worlds,
      renderer: .project(),
      secret: [1],
      standpoint: Standpoint(
        states: ["sign-in/fresh", "sign-in-code/just-sent"],
        settings: ["identifier_first", "sign_up_mode"]
      ) { _, state in
        .there(location: state == "sign-in/fresh" ? "/sign-in" : "/sign-in/code", cookies: [])
      }
    )
  }

  private func send(_ tool: String, _ fields: FormData) async -> Response {
    var form: FormData = ["form_token": BackstagePages.token(of: [1])]
    form.fields += fields.fields
    return await workbench.respond(
      to: Request(
        .post,
        "/backstage/\(tool)",
        form: form,
        headerFields: [.host: "localhost:8080"]
      )
    )
  }

  @Test("the settings that ways change are what they were when the world began, and others stay")
  func settings() async throws {
    let world = try await worlds.world(.main)
    world.settings.identifierFirst = true
    world.settings.signUpMode = .waitlist
    world.settings.codeAttempts = 7
    let answer = await send("atlas", ["action": "stand", "page": "sign-in", "of": "fresh"])
    #expect(answer.headerFields[.location] == "/sign-in")
    #expect(!world.settings.identifierFirst && world.settings.signUpMode == .public)
    #expect(world.settings.codeAttempts == 7)
  }

  @Test("one error is provoked at a time, told beside its row with a link to the form")
  func provoked() async throws {
    let faults = try await worlds.world(.main).faults
    _ = await send("faults", ["action": "add", "path": "/v1/environment", "fault": "empty"])
    for (code, page, row) in [
      ("user_locked", "/sign-in", "0"), ("form_code_incorrect", "/sign-in/code", "12"),
    ] {
      let answer = await send(
        "errors",
        ["action": "provoke", "id": code, "row": row, "q": "o"]
      )
      #expect(answer.headerFields[.location] == "/backstage/errors?q=o#error-\(row)")
      #expect(faults.all.count == 2, "what was provoked before is gone, what else was set is not")
      let cookie = try #require(answer.headerFields[values: .setCookie].last)
      let shown = await workbench.respond(
        to: Request(
          method: .get,
          target: "/backstage/errors",
          headerFields: [.host: "localhost:8080", .cookie: String(cookie.prefix { $0 != ";" })]
        )
      )
      let html = String(decoding: shown.body, as: UTF8.self)
      #expect(html.contains("<a href=\"\(page)\">\(page)</a>: it is refused with \(code)."))
    }
  }
}
