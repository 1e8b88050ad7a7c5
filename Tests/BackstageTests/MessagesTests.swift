import Emulators
import HTTPExchange
import HTTPTypes
import Testing

@Suite("Messages")
struct MessagesTests {
  @Test("a message has the documented members, newest first")
  func shape() async throws {
    let client = try BackstageClient()
    await client.sendCode()
    await client.sendCode(to: "ada@example.com")
    let all = try await client.send(.get, "messages")
    #expect(all.json.array?.map { $0["to"] } == ["ada@example.com", "cody@example.com"])
    let message = try #require(all.json[0])
    guard case .object(let members) = message else {
      Issue.record("not an object")
      return
    }
    #expect(
      members.map(\.name).sorted() == [
        "channel", "code", "created_at", "id", "link", "purpose", "sent", "subject", "text", "to",
      ]
    )
    #expect(message["channel"] == "email")
    #expect(message["purpose"] == "sign_in")
    #expect(message["sent"] == true)
    let code = try #require(message["code"]?.string)
    #expect(message["text"]?.string?.contains(code) == true)
    #expect(message["created_at"]?.string?.hasSuffix("Z") == true)
  }

  @Test(
    "messages are filtered",
    arguments: [
      ("?to=CODY@example.com", 1), ("?to=nobody@example.com", 0), ("?purpose=sign_in", 2),
      ("", 2), ("?purpose=sign_up", 0), ("?channel=sms", 0),
      ("?channel=email&to=ada@example.com", 1),
    ]
  )
  func filters(query: String, count: Int) async throws {
    let client = try BackstageClient()
    await client.sendCode()
    await client.sendCode(to: "ada@example.com")
    #expect(try await client.send(.get, "messages\(query)").json.array?.count == count)
    let latest = try await client.send(.get, "messages/latest\(query)")
    #expect(latest.status == (count == 0 ? 404 : 200))
  }

  @Test(
    "a filter that makes no sense is refused",
    arguments: [
      "purpose=x", "channel=pigeon", "from=x", "to=a&to=b", "wait=31", "wait=-1", "wait=x",
      "after=zzz", "after=msg_1", "after=user_012345678901234567890123456",
    ]
  )
  func refused(query: String) async throws {
    let client = try BackstageClient()
    await client.sendCode()
    #expect(try await client.send(.get, "messages/latest?\(query)").status == 422)
  }

  @Test(
    "an empty filter is refused, since it would give anybody's message",
    arguments: [
      "messages?to=", "messages?purpose=", "messages?channel=&to=cody@example.com",
      "messages/latest?to=&wait=0", "messages/latest?channel=", "traces?visit=",
    ]
  )
  func emptyFilter(path: String) async throws {
    let client = try BackstageClient()
    await client.sendCode()
    let answer = try await client.send(.get, path)
    #expect(answer.status == 422 && answer.code == "invalid_value")
  }

  @Test(
    "a message that does not come is named by its filter, with those that are there instead",
    arguments: [
      ("to=zed@example.com", " to zed@example.com"),
      ("to=ZED@example.com&purpose=sign_up", " to ZED@example.com (sign_up)"),
      ("purpose=sign_in&channel=sms&after=", " (sign_in, sms)"),
    ]
  )
  func missing(query: String, filter: String) async throws {
    let client = try BackstageClient()
    func words() async throws -> String? {
      try await client.send(.get, "messages/latest?\(query)").json["errors"]?[0]?["message"]?.string
    }
    #expect(try await words() == "There is no message\(filter): the inbox is empty.")
    await client.sendCode()
    await client.sendCode(to: "ada@example.com")
    let newest = "the newest are to ada@example.com (sign_in), to cody@example.com (sign_in)"
    #expect(try await words() == "There is no message\(filter): \(newest).")
    for _ in 0..<10 { await client.sendCode() }
    #expect(try await words()?.hasSuffix("to cody@example.com (sign_in), and 2 more.") == true)
  }

  @Test("an empty `after` waits for the first message")
  func emptyAfter() async throws {
    let client = try BackstageClient()
    #expect(try await client.send(.get, "messages/latest?after=&wait=0").status == 404)
    await client.sendCode()
    let first = try await client.send(.get, "messages/latest?after=&wait=0")
    #expect(first.json["to"] == "cody@example.com")
  }

  @Test(
    "a phone number may be written as people write it, and its plus need not be escaped",
    arguments: [
      "+12015550142", "%2B12015550142", "%2B1%20201-555-0142", "+1+(201)+555-0142",
      "%20%2B1%20201.555.0142%20",
    ]
  )
  func number(to: String) async throws {
    let client = try BackstageClient()
    await client.sendCode(to: "+12015550142", strategy: "phone_code")
    #expect(try await client.send(.get, "messages/latest?to=\(to)").json["channel"] == "sms")
    let users = try await client.send(.get, "users?identifier=\(to)")
    #expect(users.json[0]?["phone_numbers"] == ["+12015550142"])
  }

  @Test(
    "blanks around an address are ignored, and a plus in it need not be escaped",
    arguments: ["%20ada+walks@example.com%20", "ADA%2Bwalks@example.com%0A"]
  )
  func address(to: String) async throws {
    let client = try BackstageClient()
    let made = #"{"id":"user_walks","email_addresses":["ada+walks@example.com"]}"#
    #expect(try await client.send(.post, "users", body: made).status == 200)
    await client.sendCode(to: "ada+walks@example.com")
    #expect(try await client.send(.get, "messages?to=\(to)").json.array?.count == 1)
    let users = try await client.send(.get, "users?identifier=\(to)")
    #expect(users.json[0]?["id"] == "user_walks")
  }

  @Test("they can be deleted")
  func deletes() async throws {
    let client = try BackstageClient()
    await client.sendCode()
    #expect(try await client.send(.delete, "messages").status == 204)
    #expect(try await client.send(.get, "messages").json == [])
    #expect(try await client.send(.get, "messages/latest").code == "no_message")
  }

  @Test("one is deleted by its id, and the others stay")
  func deletesOne() async throws {
    let client = try BackstageClient()
    await client.sendCode(to: "ada@example.com")
    await client.sendCode(to: "cody@example.com")
    let id = try #require(try await client.send(.get, "messages/latest").json["id"]?.string)
    #expect(try await client.send(.get, "messages/\(id)").json["to"] == "cody@example.com")
    #expect(try await client.send(.delete, "messages/\(id)").status == 204)
    #expect(try await client.send(.delete, "messages/\(id)").status == 404)
    #expect(try await client.send(.get, "messages/\(id)").status == 404)
    let left = try await client.send(.get, "messages").json.array
    #expect(left?.map { $0["to"] } == ["ada@example.com"])
  }

  @Test("`after` waits for later messages only, or for any if that message is gone")
  func after() async throws {
    let client = try BackstageClient()
    await client.sendCode(to: "ada@example.com")
    let first = try #require(try await client.send(.get, "messages/latest").json["id"]?.string)
    let none = try await client.send(.get, "messages/latest?after=\(first)")
    #expect(none.status == 404)
    let words = "There is no message after \(first): the newest are to ada@example.com (sign_in)."
    #expect(none.json["errors"]?[0]?["message"]?.string == words)
    await client.sendCode(to: "cody@example.com")
    let next = try await client.send(.get, "messages/latest?after=\(first)")
    #expect(next.json["to"] == "cody@example.com")
    _ = try await client.send(.delete, "messages/\(first)")
    #expect(try await client.send(.get, "messages/latest?after=\(first)").status == 200)
  }

  @Test("waiting ends as soon as the message is there")
  func wakes() async throws {
    let client = try BackstageClient()
    async let waiting = client.send(.get, "messages/latest?to=cody@example.com&wait=30")
    await client.sendCode(to: "ada@example.com")
    await client.sendCode()
    let started = ContinuousClock.now
    let answer = try await waiting
    #expect(answer.json["to"] == "cody@example.com")
    #expect(ContinuousClock.now - started < .seconds(10))
  }

  @Test("waiting ends with the time allowed")
  func timesOut() async throws {
    let client = try BackstageClient()
    let started = ContinuousClock.now
    #expect(try await client.send(.get, "messages/latest?wait=0.2").status == 404)
    #expect(ContinuousClock.now - started >= .milliseconds(200))
  }

  @Test("waiting ends when the request is given up")
  func cancels() async throws {
    let client = try BackstageClient()
    let waiting = Task { try await client.send(.get, "messages/latest?wait=30") }
    waiting.cancel()
    // One that waited to its end would find none: 404.
    #expect(try await waiting.value.status == 503)
  }

  @Test("waiting ends when the program stops, and says so; a call that does not wait is answered")
  func stops() async throws {
    let client = try BackstageClient()
    client.worlds.endWaiting()
    let answer = try await client.send(.get, "messages/latest?wait=30")
    #expect(answer.status == 503 && answer.code == "stopping")
    #expect(try await client.send(.get, "messages/latest").code == "no_message")
  }

  @Test("a hundred wait at once, and all wake")
  func manyWait() async throws {
    let client = try BackstageClient()
    let answers = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 {
        group.addTask { try await client.send(.get, "messages/latest?wait=30").status }
      }
      await client.sendCode()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.allSatisfy { $0 == 200 })
  }

  @Test("worlds do not see each other's messages")
  func worlds() async throws {
    let client = try BackstageClient()
    await client.sendCode(world: "a")
    let inA = HTTPField(name: .vestibuleWorld, value: "a")
    #expect(try await client.send(.get, "messages", fields: [inA]).json.array?.count == 1)
    #expect(try await client.send(.get, "messages").json == [])
    let byHost = HTTPField(name: .host, value: "a.localhost:8080")
    #expect(try await client.send(.get, "messages", fields: [byHost]).json.array?.count == 1)
  }
}
