import Emulators
import HTTPExchange
import Testing

@Suite("Entra: the second factor")
struct EntraSecondFactorTests {
  @Test("mia chooses between text and email, and the code completes")
  func choice() async throws {
    let world = try EntraWorld()
    for (channel, target) in [("sms", "+12015550123"), ("email", "mia@example.com")] {
      let client = world.client()
      let asked = try await client.signIn("mia@example.com")
      #expect(asked.refusal == "400 invalid_grant mfa_required 50076")
      #expect(asked.continuation != nil)
      let methods = try await client.go("oauth2/v2.0/introspect").json["methods"]?.array ?? []
      #expect(methods.map { $0["challenge_channel"]?.string } == ["email", "sms"])
      #expect(
        methods.map { $0["login_hint"]?.string } == ["m***a@ex***le.com", "+1********23"]
      )
      let id = try #require(
        methods.first { $0["challenge_channel"]?.string == channel }?["id"]?.string
      )
      let challenged = try await client.challenge(["id": id])
      #expect(challenged.json["challenge_channel"]?.string == channel)
      let code = try await world.code(to: target, for: .secondFactor)
      let signedIn = try await client.token("mfa_oob", ["oob": code])
      #expect(signedIn.status == 200)
      let claims = try signedIn.claims(of: "access_token")
      #expect(claims["amr"]?.array?.contains("mfa") == true)
    }
  }

  @Test("ezra has one method: it is the default, and either grant takes the code")
  func defaultMethod() async throws {
    let world = try EntraWorld()
    for grant in ["mfa_oob", "oob"] {
      let client = world.client()
      try await client.signIn("ezra@example.com")
      #expect(try await client.challenge().json["challenge_channel"] == "email")
      let code = try await world.code(to: "ezra@example.com")
      #expect(try await client.token(grant, ["oob": code]).status == 200)
    }
  }

  @Test(
    "an app's challenge types are read as at the first factor; none, or oob alone, also works",
    arguments: [
      (nil, "200 -", "oob"), ("oob", "200 -", "oob"), ("oob password redirect", "200 -", "oob"),
      ("password redirect", "200 -", "redirect"), ("magic", "400 invalid_request 901007", nil),
      ("oob magic redirect", "400 invalid_request 901007", nil),
      ("oob password", "400 invalid_request 901007", nil),
    ] as [(String?, String, String?)]
  )
  func challengeTypes(sent: String?, answered: String, type: String?) async throws {
    let world = try EntraWorld()
    let client = world.client()
    try await client.signIn("ezra@example.com")
    var form: FormData = [:]
    if let sent { form.append("challenge_type", sent) }
    let answer = try await client.challenge(form)
    #expect(answer.refusal == answered)
    #expect(answer.challengeType == type)
    #expect(try await world.messageCount() == (type == "oob" ? 1 : 0))
    // A refusal leaves the step as it was.
    if answer.status == 400 { #expect(try await client.challenge().challengeType == "oob") }
  }

  @Test(
    "a tenant without codes sends a second factor to a browser before a method is chosen",
    arguments: ["mia@example.com", "ezra@example.com"]
  )
  func noCodes(username: String) async throws {
    let world = try EntraWorld { $0.entraChallengeTypes = ["password"] }
    let answer = try await world.client().signIn(username)
    #expect(answer.status == 200)
    #expect(answer.challengeType == "redirect")
    #expect(answer.continuation == nil)
    #expect(try await world.client().signIn("ada@example.com").json["access_token"] != nil)
  }

  @Test("with several methods, an existing one has to be named")
  func naming() async throws {
    let client = try EntraWorld().client()
    try await client.signIn("mia@example.com")
    #expect(try await client.challenge().refusal == "400 invalid_request introspect_required")
    #expect(try await client.challenge(["id": "x"]).refusal == "400 invalid_request 90100")
    #expect(try await client.go("oauth2/v2.0/introspect").status == 200)
  }

  @Test("a wrong code keeps the step; another method can still be chosen")
  func wrongCode() async throws {
    let world = try EntraWorld()
    let client = world.client()
    try await client.signIn("mia@example.com")
    let methods = try await client.go("oauth2/v2.0/introspect").json["methods"]?.array ?? []
    try #require(methods.count == 2)
    try await client.challenge(["id": methods[1]["id"]?.string ?? ""])
    let refused = try await client.token("mfa_oob", ["oob": "1"])
    #expect(refused.refusal == "400 invalid_grant invalid_oob_value 50181")
    try await client.go("oauth2/v2.0/introspect")
    try await client.challenge(["id": methods[0]["id"]?.string ?? ""])
    let code = try await world.code(to: "mia@example.com", for: .secondFactor)
    #expect(try await client.token("mfa_oob", ["oob": code]).status == 200)
  }

  @Test("the methods have the same ids in every flow")
  func stableIDs() async throws {
    let world = try EntraWorld()
    var ids: [[String?]] = []
    for _ in 0..<2 {
      let client = world.client()
      try await client.signIn("mia@example.com")
      let methods = try await client.go("oauth2/v2.0/introspect").json["methods"]?.array ?? []
      ids.append(methods.map { $0["id"]?.string })
    }
    #expect(ids[0] == ids[1])
    #expect(Set(ids[0]).count == 2)
  }

  @Test("a method that is removed meanwhile ends the flow, instead of leaving an empty list")
  func takenAway() async throws {
    let world = try EntraWorld()
    let client = world.client()
    try await client.signIn("ezra@example.com")
    _ = try await world.world.change("user_ezra", ["email_second_factor": false])
    let answer = try await client.go("oauth2/v2.0/introspect")
    #expect(answer.refusal == "400 invalid_request 55200")
    #expect(try await client.signIn("ezra@example.com").status == 200)
  }

  @Test("an app without the capability is sent to a browser", arguments: [nil, "", "unknown"])
  func capability(capabilities: String?) async throws {
    let client = try EntraWorld().client()
    client.capabilities = capabilities
    let answer = try await client.signIn("ezra@example.com")
    #expect(answer.status == 200)
    #expect(answer.challengeType == "redirect")
    #expect(answer.json["redirect_reason"] == "Client is missing mfa_required capability")
  }

  @Test(
    "capabilities are read in both spellings",
    arguments: [
      ("capabilities", "mfa_required registration_required"), ("capability", "mfa_required,x"),
    ]
  )
  func capabilitySpelling(name: String, value: String) async throws {
    let client = try EntraWorld().client()
    client.capabilities = nil
    try await client.start(
      "oauth2/v2.0/initiate",
      "ezra@example.com",
      FormData([.init(name: name, value: value)])
    )
    try await client.challenge()
    let answer = try await client.token("password", ["password": EntraClient.password])
    #expect(answer.json["suberror"] == "mfa_required")
  }

  @Test(
    "contacts that fraud protection blocks are refused or sent to a browser",
    arguments: [
      ("+12015550199", "400 access_denied provider_blocked_by_rep 550024"),
      ("+99912345678", "400 access_denied provider_blocked_by_admin"), ("+12015550198", "200 -"),
    ]
  )
  func blocked(number: String, expected: String) async throws {
    let user = try AccountDescription(
      json: jsonText(
        #"{"email_addresses":["x@example.com"],"password":"walk-right-in-42","#
          + #""second_factor_phone_numbers":["\#(number)"]}"#
      )
    )
    let world = try EntraWorld(users: [user])
    let client = world.client()
    try await client.signIn("x@example.com")
    let answer = try await client.challenge()
    #expect(answer.refusal == expected)
    #expect((answer.challengeType == "redirect") == (answer.status == 200))
    #expect(try await world.messageCount() == 0)
  }

  @Test("a registered contact that is the account's own is offered once")
  func offeredOnce() async throws {
    let world = try EntraWorld()
    let methods: JSON = [
      ["channel": "email", "target": "mia@example.com"],
      ["channel": "sms", "target": "+12015550123"],
    ]
    _ = try await world.world.change("user_mia", ["entra": ["methods": methods]])
    let client = world.client()
    try await client.signIn("mia@example.com")
    let offered = try await client.go("oauth2/v2.0/introspect").json["methods"]?.array ?? []
    #expect(offered.map { $0["challenge_channel"]?.string } == ["email", "sms"])
  }
}
