import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

/// The documents' examples, each with the calls that bring the emulator's own answer.
///
/// The names of the members and the types of their values are compared. The emulator's answer may
/// have the members that every error has, even if an example leaves them out.
@Suite("Entra: answers have the shape of the documents' examples")
struct EntraShapeTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var name: String
    var document: String
    var answer: @Sendable (EntraWorld) async throws -> EntraAnswerRead
    var testDescription: String { name }
  }

  @Test("the emulator's answer has the shape of each example", arguments: successes + errors)
  func shape(_ example: Example) async throws {
    let rules: [InstanceSettings.AttributeRule] = [
      .init(name: "displayName"), .init(name: "postalCode", options: .init(regex: "^[0-9]{4,6}$")),
    ]
    let needsAttributes = example.name.contains("attribute")
    let world = try EntraWorld { settings in
      if needsAttributes { settings.entraRequiredAttributes = rules }
      settings.rateLimits = example.name == "throttled"
    }
    let documented = try jsonText(example.document)
    let answer = try await example.answer(world)
    let faults = Self.differences(answer.json, from: documented, at: "$")
    #expect(faults.isEmpty, "\(answer)")
    let extra = Set(Self.names(answer.json)).subtracting(Self.names(documented))
    let allowed: Set<String> = documented["error"] == nil ? [] : Self.everyError
    #expect(extra.subtracting(allowed).isEmpty, "\(answer)")
    for name in ["error", "suberror", "error_codes", "challenge_type", "status", "methods"]
    where documented[name]?.array == nil || name == "error_codes" {
      #expect(answer.json[name] == documented[name], "\(name)")
    }
  }

  @Test("no example is left out: there are 13 answers and 15 errors")
  func all() {
    #expect(Self.successes.count == 13)
    #expect(Self.errors.count == 15)
  }

  private static let everyError: Set<String> = [
    "error_description", "error_codes", "timestamp", "trace_id", "correlation_id",
  ]

  private static func names(_ json: JSON) -> [String] {
    guard case .object(let members) = json else { return [] }
    return members.map(\.name)
  }

  /// What the answer lacks of the example, or has as another type.
  private static func differences(_ answer: JSON, from example: JSON, at place: String) -> [String]
  {
    switch (example, answer) {
    case (.object(let members), .object):
      return members.flatMap { member -> [String] in
        guard let value = answer[member.name] else { return ["\(place).\(member.name) is missing"] }
        return differences(value, from: member.value, at: "\(place).\(member.name)")
      }
    case (.array(let examples), .array(let elements)):
      guard !examples.isEmpty else { return [] }
      if elements.isEmpty { return ["\(place) is empty"] }
      return zip(elements, examples).enumerated().flatMap { index, pair in
        differences(pair.0, from: pair.1, at: "\(place)[\(index)]")
      }
    case (.string, .string), (.integer, .integer), (.bool, .bool), (.null, .null),
      (.number, .number):
      return []
    default: return ["\(place) has another type"]
    }
  }
}

// MARK: - Successes

extension EntraShapeTests {
  private static let address = "new@example.com"

  static let successes: [Example] = [
    Example(
      name: "introspect",
      document: """
        {"continuation_token":"CT-sign-04","methods":[
         {"id":"6e3b1c50-8f12-4b7e-9d10-0a5f2c77e410","challenge_type":"oob",
          "challenge_channel":"email","login_hint":"m***a@fe***od.example"},
         {"id":"a90d42f7-13c6-46f5-b1a2-57d0c9e6b830","challenge_type":"oob",
          "challenge_channel":"sms","login_hint":"+4********71"}]}
        """
    ) { world in
      let client = world.client()
      try await client.signIn("mia@example.com")
      return try await client.go("oauth2/v2.0/introspect")
    },
    Example(
      name: "browser required",
      document: """
        {"challenge_type":"redirect",
         "redirect_reason":"Client is missing registration_required capability"}
        """
    ) { world in
      let client = world.client()
      client.capabilities = nil
      return try await client.signIn("rita@example.com")
    },
    Example(
      name: "challenge of a password",
      document: #"{"continuation_token":"CT-sign-02","challenge_type":"password"}"#
    ) { world in
      let client = world.client()
      try await client.initiate("ada@example.com")
      return try await client.challenge()
    },
    Example(
      name: "challenge of a code",
      document: """
        {"continuation_token":"CT-sign-03","challenge_type":"oob","binding_method":"prompt",
         "challenge_channel":"email","challenge_target_label":"m***a@fe***od.example",
         "code_length":8,"interval":300}
        """
    ) { world in
      let client = world.client()
      try await client.initiate("cody@example.com")
      return try await client.challenge()
    },
    Example(
      name: "reset proven",
      document: #"{"continuation_token":"CT-reset-03","expires_in":600}"#
    ) { world in try await reset(world, until: 0) },
    Example(
      name: "reset submitted",
      document: #"{"continuation_token":"CT-reset-04","poll_interval":2}"#
    ) { world in try await reset(world, until: 1) },
    Example(name: "reset in progress", document: #"{"status":"in_progress"}"#) { world in
      try await reset(world, until: 2)
    },
    Example(
      name: "reset succeeded",
      document: #"{"status":"succeeded","continuation_token":"CT-reset-05"}"#
    ) { world in try await reset(world, until: 3) },
    Example(
      name: "registration's challenge",
      document: """
        {"continuation_token":"CT-reg-02","challenge_type":"oob","binding_method":"prompt",
         "challenge_target":"mara@fernwood.example","challenge_channel":"email","code_length":8,
         "interval":300}
        """
    ) { world in
      let client = world.client()
      try await client.signIn("rita@example.com")
      return try await client.go(
        "register/v1.0/challenge",
        ["challenge_type": "oob", "challenge_target": "rita@example.com"]
      )
    },
    Example(
      name: "preverified",
      document: #"{"continuation_token":"CT-reg-02","challenge_type":"preverified"}"#
    ) { world in
      try world.world.settings = world.world.settings.merging(["mfa_required": true])
      let client = world.client()
      try await client.startSignUp(address, ["password": EntraClient.newPassword])
      _ = try await prove(client, world)
      try await client.token("continuation_token", ["username": address])
      return try await client.go(
        "register/v1.0/challenge",
        ["challenge_type": "oob", "challenge_target": address]
      )
    },
    Example(
      name: "tokens",
      document: """
        {"token_type":"Bearer","scope":"openid profile offline_access api://orders/Read",
         "expires_in":3599,"ext_expires_in":3599,"access_token":"eyJ…","refresh_token":"1.AXk…",
         "id_token":"eyJ…","client_info":"eyJ1aWQiOiIy…"}
        """
    ) { world in try await world.client().signIn("ada@example.com") },
    Example(
      name: "configuration",
      document: """
        {"issuer":"https://idp.test:8443/94d1b0c2-0f6a-4a53-8f57-6f2f0b1a7e20/v2.0",
         "authorization_endpoint":"https://idp.test:8443/94d1…/oauth2/v2.0/authorize",
         "token_endpoint":"https://idp.test:8443/94d1…/oauth2/v2.0/token",
         "jwks_uri":"https://idp.test:8443/94d1…/discovery/v2.0/keys",
         "end_session_endpoint":"https://idp.test:8443/94d1…/oauth2/v2.0/logout",
         "response_types_supported":["code"],"subject_types_supported":["pairwise"],
         "id_token_signing_alg_values_supported":["RS256"],
         "scopes_supported":["openid","profile","email","offline_access"],
         "token_endpoint_auth_methods_supported":["none"],
         "claims_supported":["sub","iss","aud","exp","iat","nbf","name","oid","tid",
           "preferred_username"]}
        """
    ) { world in
      try await world.client().send(
        .get,
        "/\(EntraTenant.defaultID)/v2.0/.well-known/openid-configuration"
      )
    },
    Example(
      name: "keys",
      document: """
        {"keys":[{"kty":"RSA","use":"sig","alg":"RS256","kid":"k1","n":"…","e":"AQAB"}]}
        """
    ) { world in
      try await world.client().send(.get, "/\(EntraTenant.defaultID)/discovery/v2.0/keys")
    },
  ]

  private static func prove(
    _ client: EntraClient,
    _ world: EntraWorld
  ) async throws -> EntraAnswerRead {
    try await client.go("signup/v1.0/challenge")
    let code = try await world.code(to: address)
    return try await client.go("signup/v1.0/continue", ["grant_type": "oob", "oob": code])
  }

  /// The answer of a step of ada's reset: proven, submitted, polled once, polled twice.
  private static func reset(_ world: EntraWorld, until step: Int) async throws -> EntraAnswerRead {
    let client = world.client()
    try await client.startReset("ada@example.com")
    try await client.go("resetpassword/v1.0/challenge")
    let code = try await world.code(to: "ada@example.com")
    let calls: [(String, FormData)] = [
      ("continue", ["grant_type": "oob", "oob": code]),
      ("submit", ["new_password": EntraClient.newPassword]), ("poll_completion", [:]),
      ("poll_completion", [:]),
    ]
    for call in calls.prefix(step) { try await client.go("resetpassword/v1.0/\(call.0)", call.1) }
    return try await client.go("resetpassword/v1.0/\(calls[step].0)", calls[step].1)
  }
}

// MARK: - Errors

extension EntraShapeTests {
  /// An error with the members that every error has.
  private static func error(_ members: String) -> String {
    """
    {\(members),"error_description":"AADSTS1: …","timestamp":"2031-04-02 09:15:07Z",
     "trace_id":"0f6d2c1e-57a4-4c0b-8d35-91c2a6b70e00",
     "correlation_id":"7b1e90aa-64d2-4f0f-9a3c-2f1d6e85c4b9"}
    """
  }

  static let errors: [Example] = [
    Example(
      name: "wrong code",
      document: error(
        #""error":"invalid_grant","suberror":"invalid_oob_value","error_codes":[50181]"#
      )
    ) { world in
      let client = world.client()
      try await client.initiate("cody@example.com")
      try await client.challenge()
      return try await client.token("oob", ["oob": "1"])
    },
    Example(
      name: "account exists",
      document: error(#""error":"user_already_exists","error_codes":[1003037]"#)
    ) { world in try await world.client().startSignUp("ada@example.com") },
    Example(
      name: "wrong password",
      document: error(#""error":"invalid_grant","error_codes":[50126]"#)
    ) { world in try await world.client().signIn("ada@example.com", password: "x") },
    Example(
      name: "second factor",
      document: error(
        #""error":"invalid_grant","suberror":"mfa_required","error_codes":[50076],"#
          + #""continuation_token":"CT-sign-M1""#
      )
    ) { world in try await world.client().signIn("ezra@example.com") },
    Example(
      name: "registration",
      document: error(
        #""error":"invalid_grant","suberror":"registration_required","error_codes":[50079],"#
          + #""continuation_token":"CT-sign-R1""#
      )
    ) { world in try await world.client().signIn("rita@example.com") },
    Example(
      name: "banned password",
      document: error(
        #""error":"invalid_grant","suberror":"password_banned","error_codes":[399246]"#
      )
    ) { world in
      try await world.client().startSignUp(address, ["password": "My-Qwerty-77"])
    },
    Example(
      name: "credential",
      document: error(
        #""error":"credential_required","error_codes":[55103],"continuation_token":"CT-up-03""#
      )
    ) { world in
      let client = world.client()
      try await client.startSignUp(address)
      return try await prove(client, world)
    },
    Example(
      name: "attributes",
      document: error(
        #""error":"attributes_required","error_codes":[55106],"continuation_token":"CT-up-04","#
          + #""required_attributes":[{"name":"displayName","type":"string","required":true},"#
          + #"{"name":"postalCode","type":"string","required":true,"#
          + #""options":{"regex":"^[0-9]{4,6}$"}}]"#
      )
    ) { world in
      let client = world.client()
      try await client.startSignUp(address, ["password": EntraClient.newPassword])
      return try await prove(client, world)
    },
    Example(
      name: "invalid attributes",
      document: error(
        #""error":"invalid_grant","suberror":"attribute_validation_failed","#
          + #""invalid_attributes":[{"name":"postalCode"}]"#
      )
    ) { world in
      try await world.client().startSignUp(address, ["attributes": #"{"postalCode":"x"}"#])
    },
    Example(
      name: "expired",
      document: error(#""error":"expired_token","error_codes":[552003]"#)
    ) { world in
      let client = world.client()
      try await client.initiate("ada@example.com")
      try world.world.clock.advance(600)
      return try await client.challenge()
    },
    Example(
      name: "native authentication off",
      document: error(
        #""error":"invalid_client","suberror":"nativeauthapi_disabled""#
      )
    ) { world in
      let client = world.client()
      client.clientID = "ffffffff-ffff-ffff-ffff-ffffffffffff"
      return try await client.initiate("ada@example.com")
    },
    Example(
      name: "refresh token",
      document: error(#""error":"invalid_grant","suberror":"bad_token","error_codes":[70008]"#)
    ) { world in
      let client = world.client()
      let token = try await client.signIn("ada@example.com").json["refresh_token"]?.string
      try world.world.clock.advance(604_801)
      return try await client.refresh(token ?? "")
    },
    Example(
      name: "interaction",
      document: error(
        #""error":"interaction_required","suberror":"basic_action","error_codes":[50076],"#
          + #""claims":"{\"access_token\":{\"capolids\":{}}}""#
      )
    ) { world in
      let client = world.client()
      let token = try await client.signIn("iris@example.com").json["refresh_token"]?.string
      return try await client.refresh(token ?? "")
    },
    Example(
      name: "protection policy",
      document: error(
        #""error":"unauthorized_client","suberror":"protection_policy_required","#
          + #""error_codes":[53005]"#
      )
    ) { world in try await world.client().signIn("pola@example.com") },
    Example(
      name: "throttled",
      document: error(#""error":"temporarily_unavailable""#)
    ) { world in
      try world.world.clock.freeze(true)
      let client = world.client()
      for _ in 0..<10 { try await client.initiate("ada@example.com") }
      return try await client.initiate("ada@example.com")
    },
  ]
}
