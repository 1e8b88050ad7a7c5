import Backstage
import Emulators
import HTTPExchange
import Testing

@Suite("Standing somewhere, and provoking an error there")
struct StandpointTests {
  private let worlds: Worlds
  private let workbench: WorkbenchClient

  init() throws {
    let worlds = try Worlds(storage: .memory)
    self.worlds = worlds
    workbench = WorkbenchClient(
      try BackstagePages(
        worlds: worlds,
        renderer: .project(),
        secret: WorkbenchClient.secret,
        standpoint: Standpoint(
          states: [
            "sign-in/fresh", "sign-in/identifier-first", "sign-in/waiting-list", "sign-up/closed",
            "locked/until", "sign-in-code/just-sent",
          ],
          settings: ["identifier_first", "sign_up_mode"]
        ) { _, state in
          guard let world = worlds.opened(.main) else { return .elsewhere("There is no world.") }
          switch state {
          case "sign-in/fresh": return .there(location: "/sign-in", cookies: [])
          case "sign-in/identifier-first":
            world.settings.identifierFirst = true
            return .there(location: "/sign-in", cookies: [])
          case "sign-in/waiting-list":
            world.settings.signUpMode = .waitlist
            return .there(location: "/sign-in", cookies: [])
          case "sign-up/closed":
            world.settings.signUpMode = .restricted
            return .elsewhere("It rains.")
          case "locked/until":
            // The walk fills in name and password at once.
            return world.settings.identifierFirst
              ? .elsewhere("The form has no password.") : .there(location: "/locked", cookies: [])
          default: return .there(location: "/sign-in/code", cookies: [])
          }
        }
      )
    )
  }

  private func stand(at state: String) async -> Int {
    let names = state.split(separator: "/").map(String.init)
    let form: FormData = ["action": "stand", "page": names[0], "of": names[1]]
    return await workbench.send("atlas", form).status
  }

  @Test("settings made for a stand do not carry over to the next; those that a person made stay")
  func settings() async throws {
    let world = try await worlds.world(.main)
    world.settings.signUpMode = .restricted
    world.settings.codeAttempts = 7
    for state in ["locked/until", "sign-in/identifier-first", "locked/until"] {
      #expect(await stand(at: state) == 303, "\(state)")
      #expect(world.settings.identifierFirst == (state == "sign-in/identifier-first"))
      #expect(world.settings.signUpMode == .restricted && world.settings.codeAttempts == 7)
    }
    #expect(await stand(at: "sign-in/waiting-list") == 303)
    #expect(world.settings.signUpMode == .waitlist)
    #expect(await stand(at: "sign-in/fresh") == 303)
    #expect(world.settings.signUpMode == .restricted, "as it was set before that stand")
    #expect(await stand(at: "sign-in/waiting-list") == 303)
    world.settings.signUpMode = .public
    #expect(await stand(at: "sign-in/fresh") == 303)
    #expect(world.settings.signUpMode == .public, "set since then")
  }

  @Test("a person's own setting that is in the way of a stand is at its default until the next")
  func settingsInTheWay() async throws {
    let world = try await worlds.world(.main)
    world.settings.identifierFirst = true
    world.settings.codeAttempts = 7
    #expect(await stand(at: "sign-in/fresh") == 303)
    #expect(world.settings.identifierFirst, "it is not in the way there")
    #expect(await stand(at: "locked/until") == 303)
    #expect(world.settings == InstanceSettings())
    #expect(await stand(at: "sign-in/fresh") == 303)
    #expect(world.settings.identifierFirst && world.settings.codeAttempts == 7)
  }

  @Test("a stand that leads elsewhere, or nowhere, leaves the settings as they were")
  func settingsOfNoStand() async throws {
    let world = try await worlds.world(.main)
    world.settings.identifierFirst = true
    world.settings.codeAttempts = 7
    #expect(await stand(at: "sign-up/closed") == 422)
    #expect(world.settings.identifierFirst && world.settings.signUpMode == .public)
    #expect(world.settings.codeAttempts == 7)
    world.settings = InstanceSettings()
    #expect(await stand(at: "sign-in/identifier-first") == 303)
    for state in ["sign-up/closed", "sign-in/offline"] {
      #expect(await stand(at: state) == 422, "\(state)")
      #expect(world.settings.identifierFirst && world.settings.signUpMode == .public, "\(state)")
    }
    #expect(await stand(at: "locked/until") == 303, "what the stand before had set is remembered")
  }

  @Test("one error is provoked at a time, and reported beside its row with a link to the form")
  func provoked() async throws {
    let faults = try await worlds.world(.main).faults
    let other: FormData = ["action": "add", "match.path": "/v1/environment", "fault": "empty"]
    _ = await workbench.send("faults", other)
    for (code, page, row) in [
      ("user_locked", "/sign-in", "0"), ("form_code_incorrect", "/sign-in/code", "12"),
    ] {
      let answer = await workbench.send(
        "errors",
        ["action": "provoke", "id": code, "row": row, "q": "o"]
      )
      #expect(answer.location == "/backstage/errors?q=o#error-\(row)")
      #expect(faults.all.count == 2, "the error provoked before is gone, the other fault is not")
      let html = await workbench.open("errors", cookie: answer.cookie).html
      #expect(html.contains("<a href=\"\(page)\">\(page)</a>: it is refused with \(code)."))
    }
  }
}
