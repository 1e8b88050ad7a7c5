import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

/// Standing at a state of the atlas, by one call.
@Suite("Standing at a step", .inTurn)
struct StandJourneys {
  private func send(_ page: String, _ state: String?, _ browser: FormSession) async throws
    -> Response
  {
    let name = state.map { "\"\($0)\"" } ?? "null"
    return try await browser.sendJSON(
      "/backstage/api/stand",
      #"{"page": "\#(page)", "state": \#(name)}"#
    )
  }

  /// The status of each state's answer, as the gallery says beside its picture.
  private func statuses(in browser: FormSession) async throws -> [String: Int] {
    let answer = try await browser.send(.get, "/backstage/atlas", fields: [.accept: "text/html"])
    let cards = String(decoding: answer.body, as: UTF8.self).matches(
      of: #/src="\/backstage\/atlas\/([^"?]+)[^>]*>[^·]*class="about">([0-9]+) ·/#
    )
    let told = cards.compactMap { card in Int(card.2).map { (String(card.1), $0) } }
    return Dictionary(told) { $1 }
  }

  private static let apis = [Stage.inProcess, Stage(place: .inProcess, api: .entra)]

  @Test("a stand reaches every state that can be reached, as the atlas shows it", arguments: apis)
  func everyState(stage: Stage) async throws {
    try await stage.play { scene in
      let list = try await scene.newBrowser().send(.get, "/backstage/atlas")
      let names = try JSONDecoder().decode([String].self, from: Data(list.body))
      let statuses = try await statuses(in: scene.newBrowser())
      #expect(statuses.count == names.count)
      var reached: Set<String> = []
      for (number, name) in names.enumerated() {
        let parts = name.split(separator: "/").map(String.init)
        let browser = FormSession(over: scene.pages, host: scene.host, world: "stand-\(number)")
        let answer = try await send(parts[0], parts[1], browser)
        guard answer.status == .seeOther else {
          let body = String(decoding: answer.body, as: UTF8.self)
          #expect(answer.status.code == 422 && body.contains("cannot be reached"), "\(body)")
          continue
        }
        let page = try await browser.follow(answer, from: "/backstage/api/stand")
        let drawn = try await browser.follow(
          try await browser.send(.get, "/backstage/atlas/\(name)"),
          from: "/backstage/atlas"
        )
        #expect(page.page == drawn.page && page.step == drawn.step, "\(name)")
        #expect(Set(page.noticeCodes).isSuperset(of: drawn.noticeCodes), "\(name)")
        // A choice of methods offers those of the account.
        let isChoice = page.step == "method"
        #expect(isChoice || page.form?.name == drawn.form?.name, "\(name)")
        #expect(page.errorCodes == drawn.errorCodes, "\(name)")
        #expect(page.status == statuses[name], "\(name)")
        reached.insert(name)
      }
      #expect(try reached == Stands(over: stage.api.rawValue).states)
    }
  }

  @Test("what the way to one state has set does not affect the way to the next")
  func oneAfterTheOther() async throws {
    try await Stage.inProcess.play { scene in
      for (page, state) in [
        ("sign-in", "identifier-first"), ("locked", "until"), ("sign-in-methods", "fresh"),
        ("account", "fresh"), ("sign-up", "closed"), ("sign-up-verify", "email"),
        ("locked", "over"),
      ] {
        let browser = scene.newBrowser()
        let answer = try await send(page, state, browser)
        #expect(answer.status == .seeOther, "\(page)/\(state)")
        #expect(try await browser.follow(answer, from: "/").page == page)
      }
      // The clock is ahead of the lock.
      let refused = try await send("locked", "until", scene.newBrowser())
      #expect(refused.status.code == 422)
      let words = String(decoding: refused.body, as: UTF8.self)
      let advice = "if the world has changed since it began, reset it and try again."
      #expect(words.contains(advice), "\(words)")
    }
  }

  @Test("a stand gets there if settings are in its way, or another step is on its page")
  func otherSettings() async throws {
    try await Stage.inProcess.play { scene in
      for (settings, page, state) in [
        (#"{"identifier_first": true}"#, "account", "fresh"),
        (#"{"sign_up_mode": "restricted"}"#, "sign-up", "fresh"),
        (#"{"phone": "off", "username": "off"}"#, "tasks-setup-mfa", "method"),
      ] {
        _ = try await scene.backstage.call(.post, "reset")
        _ = try await scene.backstage.call(.patch, "instance", json: settings)
        let browser = scene.newBrowser()
        let answer = try await send(page, state, browser)
        #expect(answer.status == .seeOther, "\(page)/\(state)")
        let reached = try await browser.follow(answer, from: "/")
        let drawn = try await browser.follow(
          try await browser.send(.get, "/backstage/atlas/\(page)/\(state)"),
          from: "/backstage/atlas"
        )
        #expect(reached.page == page && reached.step == drawn.step, "\(page)/\(state)")
      }
    }
  }

  @Test("the walk meets no faults, and leaves them to the next call", arguments: apis)
  func faults(stage: Stage) async throws {
    try await stage.play { scene in
      _ = try await scene.backstage.call(
        .post,
        "faults",
        json: #"{"match": {"method": "POST"}, "times": 1, "fault": "not_json"}"#
      )
      let before = try await scene.backstage.call(.get, "faults")
      let browser = scene.newBrowser()
      let page = try await browser.follow(try await send("sign-in-code", nil, browser), from: "/")
      #expect(page.page == "sign-in-code")
      #expect(try await scene.backstage.call(.get, "faults") == before)
      let code = try await scene.backstage.latestCode(to: "cody@example.com", purpose: "sign_in")
      #expect(try await browser.submit(["code": code]).status == 502)
      let left = try await scene.backstage.call(.get, "faults")
      #expect(String(decoding: left, as: UTF8.self) == "[]")
    }
  }

  @Test("a browser goes on from where it stands, and has left what was before", arguments: apis)
  func goesOn(stage: Stage) async throws {
    try await stage.play { scene in
      let browser = scene.newBrowser()
      try await browser.signIn("ada@example.com")
      let code = try await browser.follow(try await send("sign-in-code", nil, browser), from: "/")
      #expect(code.page == "sign-in-code")
      let sent = try await scene.backstage.latestCode(to: "cody@example.com", purpose: "sign_in")
      #expect(try await browser.submit(["code": sent]).page == "account")
      let fresh = try await browser.follow(try await send("sign-in", nil, browser), from: "/")
      #expect(fresh.page == "sign-in")
      #expect(try await browser.open("/account").page == "sign-in")
      for (page, state, status) in [("nothing", nil, 422), ("sign-in", "offline", 422)] {
        let refused = try await send(page, state, browser)
        #expect(refused.status.code == status)
      }
    }
  }
}

extension FormSession {
  func sendJSON(_ target: String, _ body: String) async throws -> Response {
    try await send(
      .post,
      target,
      bytes: Array(body.utf8),
      fields: [.contentType: "application/json", .vestibuleBackstage: "1"]
    )
  }
}
