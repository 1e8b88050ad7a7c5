import Backstage
import Emulators
import HTTPExchange
import HTTPTypes
import Testing

@Suite("Users, settings and worlds")
struct WorldsTests {
  @Test("users are listed, and never with a password")
  func lists() async throws {
    let begun = ContinuousClock.now
    let client = try BackstageClient()
    let all = try await client.send(.get, "users")
    #expect(all.json.array?.count == AccountDescription.demoUsers.count)
    let mia = try await client.send(.get, "users?identifier=mia@example.com")
    #expect(mia.json.array?.count == 1)
    #expect(mia.json[0]?["totp_secret"] == "JBSWY3DPEHPK3PXP")
    #expect(mia.json[0]?["backup_codes"]?.array?.count == 10)
    #expect(mia.json[0]?["password"] == nil)
    let lou = try await client.send(.get, "users?identifier=lou@example.com")
    let seconds = try #require(lou.json[0]?["locked"]?["seconds"]?.integer)
    // Thirty minutes, less what has passed since the world's start.
    let passed = Int64((ContinuousClock.now - begun) / .seconds(1))
    #expect((1799 - passed...1800).contains(seconds))
  }

  @Test("a user is made, and cannot be made twice")
  func adds() async throws {
    let client = try BackstageClient()
    let body = #"{"email_addresses":["New@Example.com"],"password":"walk-right-in-42"}"#
    let made = try await client.send(.post, "users", body: body)
    #expect(made.status == 200)
    #expect(made.json["email_addresses"] == ["new@example.com"])
    #expect(made.json["id"]?.string?.hasPrefix("user_") == true)
    #expect(try await client.send(.post, "users", body: body).status == 422)
    #expect(try await client.send(.post, "users", body: #"{"e_mail":"x"}"#).status == 422)
  }

  @Test(
    "a user is reached by any id, escaped as paths are",
    arguments: [
      ("auth0|77", "auth0%7C77"), ("auth0|77", "auth0|77"), ("ada lovelace", "ada%20lovelace"),
      ("müller", "m%C3%BCller"), ("a/b", "a%2Fb"), ("a%b", "a%25b"), ("x+y", "x+y"),
    ]
  )
  func reaches(id: String, segment: String) async throws {
    let client = try BackstageClient()
    let body = #"{"id":"\#(id)","email_addresses":["q@example.com"]}"#
    #expect(try await client.send(.post, "users", body: body).json["id"]?.string == id)
    #expect(try await client.send(.get, "users/\(segment)").json["id"]?.string == id)
    let named = try await client.send(.patch, "users/\(segment)", body: #"{"first_name":"Q"}"#)
    #expect(named.json["first_name"] == "Q")
    #expect(try await client.send(.delete, "users/\(segment)").status == 204)
    #expect(try await client.send(.get, "users/\(segment)").status == 404)
  }

  @Test("a user is changed: only the keys that are sent")
  func changes() async throws {
    let client = try BackstageClient()
    let unlocked = try await client.send(.patch, "users/user_lena", body: #"{"locked":null}"#)
    #expect(unlocked.json["locked"] == .null)
    #expect(unlocked.json["email_addresses"] == ["lena@example.com"])
    #expect(try await client.signIn("lena@example.com", "walk-right-in-42") == "complete")
    let moved = try await client.send(
      .patch,
      "users/user_ada",
      body: #"{"email_addresses":["augusta@example.com"],"password":"another one 42"}"#
    )
    #expect(moved.status == 200)
    #expect(try await client.signIn("augusta@example.com", "another one 42") == "complete")
    #expect(try await client.send(.get, "users/user_ada").json == moved.json)
    for body in [
      #"{"email_addresses":["mia@example.com"]}"#, #"{"nickname":"x"}"#, #"{"id":"user_x"}"#,
    ] {
      #expect(try await client.send(.patch, "users/user_ada", body: body).status == 422, "\(body)")
    }
    #expect(try await client.send(.get, "users/user_ada").json == moved.json)
    #expect(try await client.send(.patch, "users/user_nobody", body: "{}").status == 404)
  }

  @Test("an organisation's slug must be valid", arguments: ["", "Acme", "a--b", "東京"])
  func slugs(slug: String) async throws {
    let client = try BackstageClient()
    let body = #"{"organizations":[{"name":"Acme","slug":"\#(slug)"}]}"#
    let answer = try await client.send(.patch, "users/user_ada", body: body)
    #expect(answer.status == 422)
    #expect(answer.json["errors"]?[0]?["message"]?.string?.contains("slug") == true)
  }

  @Test("a user is deleted")
  func deletes() async throws {
    let client = try BackstageClient()
    #expect(try await client.send(.delete, "users/user_ada").status == 204)
    #expect(try await client.send(.delete, "users/user_ada").status == 404)
    #expect(
      try await client.signIn("ada@example.com", "walk-right-in-42")
        == "form_identifier_not_found"
    )
  }

  @Test("an authenticator's code can be read")
  func totp() async throws {
    let client = try BackstageClient()
    let answer = try await client.send(.get, "users/user_mia/totp")
    #expect(answer.json["code"]?.string?.count == 6)
    #expect(try await client.send(.get, "users/user_ada/totp").status == 404)
  }

  @Test("settings are merged, unknown keys refused by name")
  func settings() async throws {
    let client = try BackstageClient()
    let changed = try await client.send(.patch, "instance", body: #"{"identifier_first":true}"#)
    #expect(changed.json["identifier_first"] == true)
    #expect(changed.json["code_attempts"] == 5)
    let refused = try await client.send(.patch, "instance", body: #"{"identifer_first":true}"#)
    #expect(refused.status == 422)
    let message = refused.json["errors"]?[0]?["message"]?.string
    #expect(message == "unknown key 'identifer_first': did you mean 'identifier_first'?")
  }

  @Test("different settings that are changed at the same time are all changed")
  func settingsAtOnce() async throws {
    let client = try BackstageClient()
    let keys = [
      "password_min_length", "code_lifetime_seconds", "code_attempts", "lockout_attempts",
      "lockout_seconds", "resend_cooldown_seconds", "session_seconds", "entra_reset_polls",
    ]
    for value in 1...50 {
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for key in keys {
          group.addTask {
            try await client.send(.patch, "instance", body: #"{"\#(key)":\#(value)}"#).status
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.allSatisfy { $0 == 200 })
      let settings = try await client.send(.get, "instance").json
      #expect(keys.allSatisfy { settings[$0]?.integer == Int64(value) }, "\(settings)")
    }
  }

  @Test("reset puts the world back to its seed")
  func resets() async throws {
    let client = try BackstageClient()
    await client.sendCode()
    _ = try await client.send(.patch, "instance", body: #"{"identifier_first":true}"#)
    _ = try await client.send(.post, "clock", body: #"{"advance_seconds":60}"#)
    #expect(try await client.send(.post, "reset").status == 200)
    #expect(try await client.send(.get, "messages").json == [])
    #expect(try await client.send(.get, "instance").json["identifier_first"] == false)
    #expect(try await client.send(.get, "clock").json["offset_seconds"] == 0)
    #expect(
      try await client.send(.get, "users").json.array?.count == AccountDescription.demoUsers.count
    )
  }

  @Test(
    "a reset may begin at a time of its own, ahead or past, and the seed's locks begin then",
    arguments: ["2030-01-01T00:00:00Z", "2020-01-01T00:00:00Z"]
  )
  func resetsToATime(time: String) async throws {
    let client = try BackstageClient()
    await client.sendCode()
    let body = #"{"clock": {"set": "\#(time)", "freeze": true}}"#
    #expect(try await client.send(.post, "reset", body: body).json == ["name": "main"])
    #expect(try await client.send(.get, "messages").json == [])
    let clock = try await client.send(.get, "clock").json
    #expect(clock["now"] == .string(time) && clock["frozen"] == true)
    func isLocked() async throws -> Bool {
      let signedIn = try await client.signIn("lou@example.com", AccountDescription.demoPassword)
      return signedIn == "user_locked"
    }
    #expect(try await isLocked())
    _ = try await client.send(.post, "clock", body: #"{"advance_seconds": 1799}"#)
    #expect(try await isLocked())
    _ = try await client.send(.post, "clock", body: #"{"advance_seconds": 1}"#)
    #expect(try await !isLocked())
    #expect(try await client.send(.post, "reset").status == 200)
    let machine = try await client.send(.get, "clock").json
    #expect(machine["offset_seconds"] == 0 && machine["frozen"] == false)
  }

  @Test("a reset clock runs on from its time, or stands still at the machine's")
  func resetClocks() async throws {
    let client = try BackstageClient()
    let set = #"{"clock": {"set": "2030-01-01T00:00:00+01:00"}}"#
    #expect(try await client.send(.post, "reset", body: set).status == 200)
    let running = try await client.send(.get, "clock").json
    #expect(running["frozen"] == false)
    #expect(running["now"]?.string?.hasPrefix("2029-12-31T23:") == true)
    #expect(
      try await client.send(.post, "reset", body: #"{"clock": {"freeze": true}}"#).status == 200
    )
    let still = try await client.send(.get, "clock").json
    #expect(still["frozen"] == true)
    #expect(try await client.send(.get, "users/user_lou").json["locked"]?["seconds"] == 1800)
    #expect(try await client.send(.get, "clock").json["now"] == still["now"])
  }

  @Test(
    "a reset with a senseless clock is refused, and resets nothing",
    arguments: [
      (#"{"clock": {}}"#, "'clock': set, freeze or both are expected."),
      (#"{"clock": null}"#, "'clock' must be an object."),
      (#"{"clock": "2030-01-01T00:00:00Z"}"#, "'clock' must be an object."),
      (#"{"clock": {"advance_seconds": 1}}"#, "There is no key 'clock.advance_seconds'."),
      (#"{"clock": {"set": "soon"}}"#, "'clock.set' must be a time like 2026-11-21T14:35:00Z."),
      (
        #"{"clock": {"set": "9999-01-01T00:00:00Z"}}"#,
        "The clock must stay between the years 1970 and 3000."
      ),
      (#"{"clock": {"freeze": 1}}"#, "'clock.freeze' must be true or false."),
    ]
  )
  func refusedReset(body: String, words: String) async throws {
    let client = try BackstageClient()
    await client.sendCode()
    let answer = try await client.send(.post, "reset", body: body)
    #expect(answer.status == 422)
    #expect(answer.json["errors"]?[0]?["message"]?.string == words)
    #expect(try await client.send(.get, "messages").json.array?.count == 1)
  }

  @Test(
    "a call refuses a body that it does not take, and does nothing",
    arguments: [(.post, "reset", 200), (.delete, "messages", 204)]
      as [(HTTPRequest.Method, String, Int)]
  )
  func unaskedBody(method: HTTPRequest.Method, path: String, status: Int) async throws {
    let client = try BackstageClient()
    await client.sendCode()
    for (body, refusal) in [(#"{"world":"team-a"}"#, 422), ("garbage", 400), ("[1]", 400)] {
      let answer = try await client.send(method, path, body: body)
      #expect(answer.status == refusal, "\(body)")
      #expect(try await client.send(.get, "messages").json.array?.count == 1)
    }
    #expect(try await client.send(method, path, body: "{}").status == status)
    #expect(try await client.send(.get, "messages").json == [])
  }

  @Test("worlds are listed and dropped")
  func drops() async throws {
    let client = try BackstageClient()
    await client.sendCode(world: "a")
    #expect(try await client.send(.get, "worlds").json == [["name": "a"], ["name": "main"]])
    #expect(try await client.send(.delete, "worlds/a").status == 204)
    let again = try await client.send(.delete, "worlds/a")
    #expect(again.status == 404)
    #expect(again.json["errors"]?[0]?["message"] == "No world a has been used.")
  }

  @Test("a walk whose world is dropped on the way is refused, and makes no fresh one")
  func droppedOnTheWay() async throws {
    let worlds = try Worlds(storage: .memory, users: [])
    let name = try #require(WorldName("w"))
    let fields: HTTPFields = [.host: "localhost:8080", .mark: "1", .vestibuleWorld: name.text]
    let users = Request(method: .get, target: "/backstage/api/users", headerFields: fields)
    let calls = BackstageAPI(worlds: worlds)
    let standpoint = Standpoint(states: ["sign-in/fresh"]) { _, _ in
      worlds.drop(name)
      // The rest of the walk: each of its requests names the world.
      let answer = await calls.respond(to: users)
      return .elsewhere("The next step was answered with \(answer.status.code).")
    }
    var stand = Request(
      method: .post,
      target: "/backstage/api/stand",
      headerFields: fields,
      body: Array(#"{"page":"sign-in","state":"fresh"}"#.utf8)
    )
    stand.headerFields[.contentType] = "application/json"
    let answer = await BackstageAPI(worlds: worlds, standpoint: standpoint).respond(to: stand)
    #expect(answer.status.code == 503)
    #expect(JSON(decoding: answer.body)?["errors"]?[0]?["code"] == "world_unavailable")
    #expect(worlds.opened(name) == nil)
  }
}

@Suite("Many users")
struct ManyUsersTests {
  private let client: BackstageClient
  /// 250 of them: three pages.
  private let users: [AccountDescription]

  init() throws {
    users = (0..<250).map { index in
      var user = AccountDescription()
      user.id = "user_\(index)"
      user.emailAddresses = ["user\(index)@example.com"]
      user.organizations = [.init(name: "Harbour Books", slug: "harbour-books")]
      if index == 7 { user.locked = .init() }
      return user
    }
    client = try BackstageClient(users: users)
  }

  @Test("they are listed a hundred at a time, and the answer leads to the next hundred")
  func pages() async throws {
    var ids: [String?] = []
    var path: String? = "users"
    var sizes: [Int] = []
    while let next = path {
      let answer = try await client.send(.get, next)
      ids += (answer.json.array ?? []).map { $0["id"]?.string }
      sizes.append(answer.json.array?.count ?? 0)
      let link = answer.fields[.link]
      path = link.flatMap { $0.split(separator: ">").first }.map {
        String($0.dropFirst("</backstage/api/".count))
      }
    }
    #expect(sizes == [100, 100, 50])
    #expect(ids == users.map(\.id))
  }

  @Test("a page may be smaller, and begins after an existing user")
  func limited() async throws {
    let two = try await client.send(.get, "users?limit=2&after=user_6")
    #expect(two.json.array?.map { $0["id"] } == ["user_7", "user_8"])
    #expect(two.json[0]?["locked"] == .object([]))
    #expect(two.json[1]?["organizations"]?[0]?["slug"] == "harbour-books")
    for query in ["limit=0", "limit=101", "limit=x", "after=nobody", "limit=2&limit=3"] {
      #expect(try await client.send(.get, "users?\(query)").status == 422, "\(query)")
    }
  }

  @Test("a change to a user leaves the rest as it is, such as the count of failed sign-ins")
  func changesNothingElse() async throws {
    let client = try BackstageClient()
    for _ in 0..<9 { _ = try await client.signIn("ada@example.com", "wrong-password-1") }
    let renamed = try await client.send(
      .patch,
      "users/user_ada",
      body: #"{"first_name":"Augusta"}"#
    )
    #expect(renamed.json["first_name"] == "Augusta")
    // The tenth failure locks: the nine before still count.
    #expect(try await client.signIn("ada@example.com", "wrong-password-1") == "user_locked")
  }
}
