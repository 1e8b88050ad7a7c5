import Emulators
import HTTPExchange
import Testing
import TestSupport

@Suite("Entra: signing in with a password")
struct EntraPasswordTests {
  @Test(
    "initiate, challenge and token lead to tokens",
    arguments: ["ada@example.com", "ADA@Example.com", " ada@example.com "]
  )
  func signsIn(username: String) async throws {
    let client = try EntraWorld().client()
    let begun = try await client.initiate(username)
    #expect(begun.status == 200)
    #expect(begun.continuation != nil)
    let challenged = try await client.challenge()
    #expect(challenged.challengeType == "password")
    #expect(challenged.continuation != nil)
    #expect(challenged.continuation != begun.continuation)
    let signedIn = try await client.token("password", ["password": EntraClient.password])
    #expect(signedIn.status == 200)
    #expect(signedIn.json["token_type"] == "Bearer")
    #expect(signedIn.json["scope"]?.string == EntraClient.everything)
    #expect(signedIn.json["continuation_token"] == nil)
  }

  @Test("a wrong password keeps the continuation token good")
  func wrongPassword() async throws {
    let client = try EntraWorld().client()
    let refused = try await client.signIn("ada@example.com", password: "wrong")
    #expect(refused.refusal == "400 invalid_grant 50126")
    #expect(refused.continuation == nil)
    let signedIn = try await client.token("password", ["password": EntraClient.password])
    #expect(signedIn.status == 200)
  }

  @Test(
    "an unknown name is refused",
    arguments: ["nobody@example.com", "nobody", "nia@example.com"]
  )
  func unknown(username: String) async throws {
    let answer = try await EntraWorld().client().initiate(username)
    #expect(answer.refusal == "400 user_not_found 50034")
  }

  @Test(
    "a malformed name is refused with the text that clients look for",
    arguments: ["", "ada@", "a b", "+12015550110"]
  )
  func malformed(username: String) async throws {
    let answer = try await EntraWorld().client().initiate(username)
    #expect(answer.refusal == "400 invalid_request 90100")
    let text = answer.json["error_description"]?.string ?? ""
    #expect(text.contains("username parameter is empty or not valid"))
  }

  @Test(
    "a challenge_type list without redirect, or with an unknown value, is refused",
    arguments: ["oob password", "password", "", "oob password redirect sms"]
  )
  func challengeTypes(list: String) async throws {
    let client = try EntraWorld().client()
    client.challengeTypes = list
    #expect(try await client.initiate("ada@example.com").refusal == "400 invalid_request 901007")
  }

  @Test("an app that takes no password is sent to a browser, and so is sven")
  func browserRequired() async throws {
    let world = try EntraWorld()
    let codeApp = world.client()
    codeApp.challengeTypes = "oob redirect"
    #expect(try await codeApp.signIn("ada@example.com").challengeType == "redirect")
    let sven = try await world.client().signIn("sven@example.com")
    #expect(sven.status == 200)
    #expect(sven.challengeType == "redirect")
    #expect(sven.json["redirect_reason"]?.string?.isEmpty == false)
    #expect(sven.continuation == nil)
  }

  @Test(
    "the tenant's challenge types decide, too",
    arguments: [
      (["oob", "redirect"], "ada@example.com", "oob"),
      (["password", "redirect"], "ada@example.com", "password"),
      (["password", "redirect"], "cody@example.com", "redirect"),
      (["redirect"], "ada@example.com", "redirect"), ([], "cody@example.com", "redirect"),
    ]
  )
  func tenantChallengeTypes(types: [String], username: String, expected: String) async throws {
    let client = try EntraWorld { $0.entraChallengeTypes = types }.client()
    try await client.initiate(username)
    #expect(try await client.challenge().challengeType == expected)
  }

  @Test(
    "a password that has to be changed is refused with 50142",
    arguments: ["cora@example.com", "pia@example.com"]
  )
  func mustChange(username: String) async throws {
    let client = try EntraWorld().client()
    #expect(try await client.signIn(username).refusal == "400 invalid_request 50142")
    let wrong = try await client.token("password", ["password": "wrong"])
    #expect(wrong.refusal == "400 invalid_grant 50126")
  }

  @Test("pola is refused by a protection policy")
  func protectionPolicy() async throws {
    let client = try EntraWorld().client()
    let answer = try await client.signIn("pola@example.com")
    #expect(answer.refusal == "400 unauthorized_client protection_policy_required 53005")
  }

  @Test("an account that is deleted meanwhile is refused at the token")
  func deleted() async throws {
    let world = try EntraWorld()
    let client = world.client()
    try await client.initiate("ada@example.com")
    try await client.challenge()
    _ = try await world.world.remove("user_ada")
    let answer = try await client.token("password", ["password": EntraClient.password])
    #expect(answer.refusal == "400 invalid_grant 50034")
  }
}

@Suite("Entra: accounts that are locked or disabled")
struct EntraStandingTests {
  @Test(
    "locked and banned accounts are refused at the token, whatever the password",
    arguments: [
      ("lou@example.com", "400 invalid_grant 50053"),
      ("lena@example.com", "400 invalid_grant 50053"),
      ("bann@example.com", "400 invalid_grant 50057"),
    ],
    [EntraClient.password, "wrong"]
  )
  func refused(_ expected: (username: String, refusal: String), password: String) async throws {
    let client = try EntraWorld().client()
    let answer = try await client.signIn(expected.username, password: password)
    #expect(answer.refusal == expected.refusal)
  }

  @Test("lou's lock ends after half an hour of the world's time, lena's does not")
  func lockEnds() async throws {
    let world = try EntraWorld()
    try world.world.clock.advance(1801)
    #expect(try await world.client().signIn("lou@example.com").status == 200)
    #expect(
      try await world.client().signIn("lena@example.com").refusal == "400 invalid_grant 50053"
    )
  }

  @Test("as many wrong passwords as the setting says lock the account, across flows")
  func locks() async throws {
    let world = try EntraWorld { $0.lockoutAttempts = 3 }
    let client = world.client()
    #expect(try await client.signIn("ada@example.com", password: "a").code == 50126)
    #expect(try await client.signIn("ada@example.com", password: "b").code == 50126)
    #expect(try await client.signIn("ada@example.com", password: "c").code == 50053)
    #expect(try await client.signIn("ada@example.com").code == 50053)
    try world.world.clock.advance(3601)
    #expect(try await client.signIn("ada@example.com").status == 200)
    #expect(try await client.signIn("ada@example.com", password: "d").code == 50126)
  }

  @Test("no code is sent to an account that is locked or disabled")
  func noCode() async throws {
    let users = try ["locked": "{}", "banned": "true"].map { key, value in
      try AccountDescription(
        json: jsonText(#"{"email_addresses":["\#(key)@example.com"],"\#(key)":\#(value)}"#)
      )
    }
    let world = try EntraWorld(users: users)
    for (name, code) in [("locked", 50053), ("banned", 50057)] {
      let client = world.client()
      try await client.initiate("\(name)@example.com")
      #expect(try await client.challenge().code == code)
    }
    #expect(try await world.messageCount() == 0)
  }
}
