import Emulators
import ErrorCodes
import HTTPExchange
import Testing

@Suite("Entra: signing up")
struct EntraSignUpTests {
  private let address = "new@example.com"

  /// Goes past the code page, with the right code.
  private func verified(
    _ world: EntraWorld,
    _ more: FormData = [:],
    challengeTypes: String = "oob password redirect"
  ) async throws -> (client: EntraClient, answer: EntraAnswerRead) {
    let client = world.client()
    client.challengeTypes = challengeTypes
    let begun = try await client.startSignUp(address, more)
    try #require(begun.status == 200, "\(begun)")
    try await client.go("signup/v1.0/challenge")
    let code = try await world.code(to: address, for: .signUp)
    let answer = try await client.go(
      "signup/v1.0/continue",
      ["grant_type": "oob", "oob": code]
    )
    return (client, answer)
  }

  @Test("with a password at the start, the code completes the sign-up and the token signs in")
  func passwordFirst() async throws {
    let world = try EntraWorld()
    let (client, answer) = try await verified(world, ["password": EntraClient.newPassword])
    #expect(answer.status == 200)
    let signedIn = try await client.token("continuation_token", ["username": address])
    #expect(signedIn.status == 200)
    #expect(try signedIn.claims(of: "id_token")["preferred_username"]?.string == address)
    #expect(try signedIn.claims(of: "id_token")["name"] == nil)
    let again = try await world.client().signIn(address, password: EntraClient.newPassword)
    #expect(again.status == 200)
  }

  @Test("a password that did not come at the start is asked for after the code")
  func passwordLater() async throws {
    let world = try EntraWorld()
    let (client, answer) = try await verified(world)
    #expect(answer.refusal == "400 credential_required 55103")
    #expect(answer.continuation != nil)
    #expect(try await client.go("signup/v1.0/challenge").challengeType == "password")
    let weak = try await client.go(
      "signup/v1.0/continue",
      ["grant_type": "password", "password": "short"]
    )
    #expect(weak.refusal == "400 invalid_grant password_too_short 399246")
    #expect(weak.isListed(at: .signUpContinue))
    #expect(weak.continuation == nil)
    let done = try await client.go(
      "signup/v1.0/continue",
      ["grant_type": "password", "password": EntraClient.newPassword]
    )
    #expect(done.status == 200)
    #expect(try await client.token("continuation_token", ["username": address]).status == 200)
  }

  @Test("an app without passwords makes an account that signs in with codes")
  func codeOnly() async throws {
    let world = try EntraWorld()
    let (client, answer) = try await verified(world, challengeTypes: "oob redirect")
    #expect(answer.status == 200)
    #expect(try await client.token("continuation_token", ["username": address]).status == 200)
    let later = world.client()
    try await later.initiate(address)
    #expect(try await later.challenge().challengeType == "oob")
  }

  @Test("a tenant without passwords asks for none and takes none")
  func codeTenant() async throws {
    let world = try EntraWorld { $0.entraChallengeTypes = ["oob", "redirect"] }
    let refused = try await world.client()
      .startSignUp(address, ["password": EntraClient.newPassword])
    #expect(refused.refusal == "400 unsupported_auth_method")
    let (_, answer) = try await verified(world)
    #expect(answer.status == 200)
  }

  @Test("a tenant without codes sends sign-ups to a browser")
  func noCodes() async throws {
    let client = try EntraWorld { $0.entraChallengeTypes = ["password", "redirect"] }.client()
    try await client.startSignUp(address)
    #expect(try await client.go("signup/v1.0/challenge").challengeType == "redirect")
  }

  @Test("the username has to come with the token, and be the one that signed up")
  func usernameAtToken() async throws {
    let (client, _) = try await verified(EntraWorld(), ["password": EntraClient.newPassword])
    #expect(try await client.token("continuation_token").refusal == "400 invalid_request 90100")
    let other = try await client.token("continuation_token", ["username": "ada@example.com"])
    #expect(other.refusal == "400 invalid_grant 55200")
    let own = try await client.token("continuation_token", ["username": "NEW@example.com"])
    #expect(own.status == 200)
  }

  @Test(
    "an address that has an account is refused",
    arguments: ["ada@example.com", "ADA@example.com"]
  )
  func exists(username: String) async throws {
    let answer = try await EntraWorld().client().startSignUp(username)
    #expect(answer.refusal == "400 user_already_exists 1003037")
  }

  @Test("an address that gets an account meanwhile is refused at the end")
  func claimed() async throws {
    let world = try EntraWorld()
    let first = world.client()
    try await first.startSignUp(address, ["password": EntraClient.newPassword])
    try await first.go("signup/v1.0/challenge")
    let code = try await world.code(to: address)
    _ = try await verified(world, ["password": EntraClient.newPassword])
    let late = try await first.go("signup/v1.0/continue", ["grant_type": "oob", "oob": code])
    #expect(late.refusal == "400 user_already_exists 1003037")
  }

  @Test("only an address can sign up", arguments: ["", "new", "+12015550177", "new@"])
  func malformed(username: String) async throws {
    let answer = try await EntraWorld().client().startSignUp(username)
    #expect(answer.refusal == "400 invalid_request 90100")
  }

  @Test(
    "each kind of bad password is refused with its own suberror",
    arguments: [
      ("Ab1-xyz", "password_too_short"),
      (String(repeating: "Ab1-", count: 65), "password_too_long"),
      ("walkrightin42", "password_too_weak"), ("WALK-RIGHT-IN", "password_too_weak"),
      ("Pässword-99", "password_is_invalid"), ("Tab\tbed-77x", "password_is_invalid"),
      ("My-Passw0rd-Is-Good", "password_banned"), ("My-QWERTY-77", "password_banned"),
    ]
  )
  func passwordRules(password: String, suberror: String) async throws {
    let answer = try await EntraWorld().client().startSignUp(address, ["password": password])
    #expect(answer.refusal == "400 invalid_grant \(suberror) 399246")
    #expect(answer.isListed(at: .signUp))
  }

  @Test("a wrong code keeps the step")
  func wrongCode() async throws {
    let world = try EntraWorld()
    let client = world.client()
    try await client.startSignUp(address, ["password": EntraClient.newPassword])
    try await client.go("signup/v1.0/challenge")
    let refused = try await client.go(
      "signup/v1.0/continue",
      ["grant_type": "oob", "oob": "1"]
    )
    #expect(refused.refusal == "400 invalid_grant invalid_oob_value 50181")
    let code = try await world.code(to: address)
    let done = try await client.go("signup/v1.0/continue", ["grant_type": "oob", "oob": code])
    #expect(done.status == 200)
  }

  @Test(
    "a grant type that does not continue a sign-up is refused",
    arguments: ["mfa_oob", "refresh_token", "x"]
  )
  func wrongGrant(grant: String) async throws {
    let client = try EntraWorld().client()
    try await client.startSignUp(address)
    let answer = try await client.go("signup/v1.0/continue", ["grant_type": grant])
    #expect(answer.refusal == "400 invalid_grant")
  }

  @Test(
    "a sign-up does not start while sign-ups are closed",
    arguments: ["restricted", "waitlist"]
  )
  func closed(mode: String) async throws {
    let world = try EntraWorld {
      $0.signUpMode = InstanceSettings.SignUpMode(rawValue: mode) ?? .public
    }
    #expect(try await world.client().startSignUp(address).refusal == "400 invalid_request")
  }

  @Test("an instance may demand a kind of character, besides three kinds of any")
  func demandedKind() async throws {
    let world = try EntraWorld { $0.passwordRequire = [.special] }
    let weak = try await world.client().startSignUp(address, ["password": "Walkright42"])
    #expect(weak.refusal == "400 invalid_grant password_too_weak 399246")
    let strong = try await world.client().startSignUp(address, ["password": "Walk-right42"])
    #expect(strong.status == 200)
  }
}

@Suite("Entra: attributes at sign-up")
struct EntraAttributeTests {
  private let address = "new@example.com"
  private static let rules = """
    [{"name":"displayName","type":"string","required":true},
     {"name":"postalCode","type":"string","required":true,"options":{"regex":"^[0-9]{4,6}$"}},
     {"name":"city","type":"string","required":false}]
    """

  private func world() throws -> EntraWorld {
    let rules: JSON = ["entra_required_attributes": try jsonText(Self.rules)]
    let settings = try InstanceSettings().merging(rules)
    return try EntraWorld { $0 = settings }
  }

  private func begun(_ world: EntraWorld, _ more: FormData = [:]) async throws -> EntraClient {
    let client = world.client()
    let fields = [FormData.Field(name: "password", value: EntraClient.newPassword)] + more.fields
    let begun = try await client.startSignUp(address, FormData(fields))
    try #require(begun.status == 200, "\(begun)")
    try await client.go("signup/v1.0/challenge")
    return client
  }

  private func prove(_ client: EntraClient, _ world: EntraWorld) async throws -> EntraAnswerRead {
    let code = try await world.code(to: address)
    return try await client.go("signup/v1.0/continue", ["grant_type": "oob", "oob": code])
  }

  private func submit(_ client: EntraClient, _ text: String) async throws -> EntraAnswerRead {
    try await client.go(
      "signup/v1.0/continue",
      ["grant_type": "attributes", "attributes": text]
    )
  }

  private func names(_ answer: EntraAnswerRead, _ member: String) -> [String?] {
    answer.json[member]?.array?.map { $0["name"]?.string } ?? []
  }

  @Test("missing attributes are asked for, even over several screens")
  func asked() async throws {
    let world = try world()
    let client = try await begun(world)
    let asked = try await prove(client, world)
    #expect(asked.refusal == "400 attributes_required 55106")
    #expect(names(asked, "required_attributes") == ["displayName", "postalCode", "city"])
    let rule = asked.json["required_attributes"]?[1]
    #expect(rule?["options"]?["regex"] == "^[0-9]{4,6}$")
    #expect(rule?["required"] == true)
    let again = try await submit(client, #"{"displayName":"Mara"}"#)
    #expect(again.refusal == "400 attributes_required 55106")
    #expect(names(again, "required_attributes") == ["postalCode", "city"])
    #expect(again.continuation != nil)
    let done = try await submit(client, #"{"postalCode":"12345","nonsense":"x"}"#)
    #expect(done.status == 200)
    let tokens = try await client.token("continuation_token", ["username": address])
    #expect(try tokens.claims(of: "id_token")["name"] == "Mara")
  }

  @Test("the account shows the collected attributes, and a person's names under their own keys")
  func told() async throws {
    let world = try world()
    let client = try await begun(
      world,
      ["attributes": #"{"displayName":"Mara L.","postalCode":"12345","givenName":"Mara"}"#]
    )
    #expect(try await prove(client, world).status == 200)
    let account = try #require(try await world.world.account(identifiedBy: address))
    #expect(account.entra.attributes == ["displayName": "Mara L.", "postalCode": "12345"])
    #expect(account.firstName == "Mara")
    #expect(account.unsafeMetadata == [:])
  }

  @Test(
    "tokens carry the display name, even from where older programs have kept it",
    arguments: [
      #""entra":{"attributes":{"displayName":"Ida B."}}"#,
      #""unsafe_metadata":{"attributes":{"displayName":"Ida B."}}"#,
    ]
  )
  func shownName(member: String) async throws {
    let user = try AccountDescription(
      json: jsonText(
        #"{"email_addresses":["ida@example.com"],"password":"walk-right-in-42",\#(member)}"#
      )
    )
    let tokens = try await EntraWorld(users: [user]).client().signIn("ida@example.com")
    #expect(try tokens.claims(of: "id_token")["name"] == "Ida B.")
  }

  @Test("if all required attributes come at the start, not even optional ones are asked for")
  func atStart() async throws {
    let world = try world()
    let client = try await begun(
      world,
      ["attributes": #"{"displayName":"Mara","postalCode":"12345"}"#]
    )
    #expect(try await prove(client, world).status == 200)
  }

  @Test("bad values are named, at the start and later, and the token stays good")
  func invalid() async throws {
    let world = try world()
    let early = try await world.client()
      .startSignUp(address, ["attributes": #"{"postalCode":"x","displayName":7}"#])
    #expect(early.refusal == "400 invalid_grant attribute_validation_failed")
    #expect(early.isListed(at: .signUp))
    #expect(Set(names(early, "invalid_attributes")) == ["postalCode", "displayName"])
    #expect(early.json["error_codes"] == nil)
    let client = try await begun(world)
    _ = try await prove(client, world)
    let late = try await submit(client, #"{"displayName":"Mara","postalCode":"12"}"#)
    #expect(late.refusal == "400 invalid_grant attribute_validation_failed")
    #expect(late.isListed(at: .signUpContinue))
    #expect(names(late, "invalid_attributes") == ["postalCode"])
    #expect(late.continuation == nil)
    let done = try await submit(client, #"{"displayName":"Mara","postalCode":"1234"}"#)
    #expect(done.status == 200)
  }

  @Test("attributes sent before the code are kept, and verification is asked for")
  func unverified() async throws {
    let world = try world()
    let client = try await begun(world)
    let asked = try await submit(client, #"{"displayName":"Mara","postalCode":"1234"}"#)
    #expect(asked.refusal == "400 verification_required")
    #expect(names(asked, "unverified_attributes") == ["email"])
    #expect(asked.continuation != nil)
    #expect(try await prove(client, world).status == 200)
  }

  @Test("attributes that are not an object are malformed", arguments: ["x", "[]", "\"a\"", "{"])
  func malformed(text: String) async throws {
    let answer = try await world().client().startSignUp(address, ["attributes": text])
    #expect(answer.refusal == "400 invalid_request 9002313")
  }

  @Test(
    "a value has to be what its type says",
    arguments: [("boolean", "True", "yes"), ("integer", "-7", "7.5"), ("int", "0", "many")]
  )
  func types(type: String, good: String, bad: String) async throws {
    let kind = try #require(InstanceSettings.AttributeRule.Kind(rawValue: type))
    let world = try EntraWorld { $0.entraRequiredAttributes = [.init(name: "x", kind: kind)] }
    let refused = try await world.client()
      .startSignUp(address, ["attributes": #"{"x":"\#(bad)"}"#])
    #expect(names(refused, "invalid_attributes") == ["x"])
    let client = try await begun(world, ["attributes": #"{"x":"\#(good)"}"#])
    #expect(try await prove(client, world).status == 200)
  }

  @Test("names that the instance requires are attributes, too")
  func namesRequired() async throws {
    let world = try EntraWorld { $0.names = .required }
    let client = try await begun(world)
    let asked = try await prove(client, world)
    #expect(names(asked, "required_attributes") == ["givenName", "surname"])
    #expect(try await submit(client, #"{"givenName":"Mara","surname":"Lind"}"#).status == 200)
    let tokens = try await client.token("continuation_token", ["username": address])
    #expect(try tokens.claims(of: "id_token")["name"] == "Mara Lind")
  }

  @Test("a value with a control character or of more than 256 characters is not valid")
  func plainValues() async throws {
    let world = try world()
    for value in [#"a\nb"#, String(repeating: "n", count: 257)] {
      let refused = try await world.client()
        .startSignUp(address, ["attributes": #"{"displayName":"\#(value)"}"#])
      #expect(names(refused, "invalid_attributes") == ["displayName"])
    }
    let longest = String(repeating: "n", count: 256)
    let taken = try await world.client()
      .startSignUp(address, ["attributes": #"{"displayName":"\#(longest)"}"#])
    #expect(taken.status == 200)
  }

  @Test("an empty value counts as missing")
  func emptyValue() async throws {
    let world = try world()
    let client = try await begun(
      world,
      ["attributes": #"{"displayName":"Mara","postalCode":"","city":""}"#]
    )
    let asked = try await prove(client, world)
    #expect(names(asked, "required_attributes") == ["postalCode", "city"])
    let done = try await submit(client, #"{"postalCode":"12345","city":""}"#)
    #expect(done.status == 200)
    let account = try await world.world.account(identifiedBy: address)
    #expect(
      account?.entra.attributes == ["displayName": "Mara", "postalCode": "12345"]
    )
  }
}
