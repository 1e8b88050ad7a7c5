import AuthFlow
@testable import ClerkFrontendAPI
import HTTPExchange
import Testing
import TestSupport

@Suite("What an instance offers, for the person who sets it up")
struct SurveyTests {
  /// The documented instance with other first factors, and perhaps without identifiers.
  private static func survey(
    _ firstFactors: [String],
    hasIdentifiers: Bool = true
  ) throws -> InstanceSurvey {
    let list = firstFactors.map { "\"\($0)\"" }.joined(separator: ", ")
    var environment = Fixture.environment.replacing(
      #/"first_factors": \["email_code", "password"[^\]]*\]/#,
      with: "\"first_factors\": [\(list)]"
    )
    if !hasIdentifiers {
      environment = environment.replacing(
        #""used_for_first_factor": true"#,
        with: #""used_for_first_factor": false"#
      )
    }
    let resource = JSONBody.decode(EnvironmentResource.self, from: Array(environment.utf8))
    return InstanceSurvey(try #require(resource))
  }

  @Test(
    "it is an obstacle if nobody can say who they are, or prove it",
    arguments: [
      (["password"], true, []), (["email_link", "passkey"], true, []),
      (["oauth_google"], false, [.noIdentifier]), (["passkey", "ticket"], true, [.noFirstFactor]),
      ([], true, [.noFirstFactor]), (["passkey"], false, [.noIdentifier, .noFirstFactor]),
      // The pages lead on to the provider's, or the organization's, whose domain is enough.
      (["oauth_google"], true, []), (["enterprise_sso"], false, []),
    ] as [([String], Bool, [InstanceSurvey.Obstacle])]
  )
  func obstacles(
    firstFactors: [String],
    hasIdentifiers: Bool,
    obstacles: [InstanceSurvey.Obstacle]
  ) throws {
    let survey = try Self.survey(firstFactors, hasIdentifiers: hasIdentifiers)
    #expect(survey.firstFactors == firstFactors)
    #expect(survey.identifiers.isEmpty != hasIdentifiers)
    #expect(survey.obstacles == obstacles)
  }

  @Test(
    "several accounts in one browser are reported if the instance says that it allows them",
    arguments: [("true", false), ("false", true), ("null", false)]
  )
  func sessions(isSingle: String, areSeveral: Bool) throws {
    let environment = Fixture.environment.replacing(
      #""single_session_mode": true"#,
      with: #""single_session_mode": \#(isSingle)"#
    )
    let resource = JSONBody.decode(EnvironmentResource.self, from: Array(environment.utf8))
    #expect(InstanceSurvey(try #require(resource)).allowsSeveralSessions == areSeveral)
  }

  @Test("first factors without a form are sorted into those of a browser and unknown ones")
  func strange() throws {
    let survey = try Self.survey([
      "password", "oauth_google", "passkey", "ticket", "enterprise_sso",
      "reset_password_email_code", "web3_metamask_signature", "oauth_custom_quay",
    ])
    #expect(survey.browserFirstFactors == ["oauth_google", "oauth_custom_quay"])
    #expect(survey.unknownFirstFactors == ["passkey", "web3_metamask_signature"])
  }

  @Test(
    "an instance that is closed to apps like ours is an obstacle, for which no call is needed",
    arguments: [
      (#""api_enabled": true"#, #""api_enabled": false"#, .nativeAPIOff),
      (
        #""device_attestation_mode": "disabled""#, #""device_attestation_mode": "enforced""#,
        .deviceAttestation(mode: "enforced")
      ),
    ] as [(String, String, InstanceSurvey.Obstacle)]
  )
  func closed(was: String, becomes: String, obstacle: InstanceSurvey.Obstacle) async throws {
    let transport = ScriptedTransport(.json(Fixture.environment.replacing(was, with: becomes)))
    #expect(try await provider(transport).survey().obstacles == [obstacle])
    #expect(transport.calls == ["GET /v1/environment?_is_native=1"])
  }

  @Test("a native API that is on in the settings, but refuses the first call, is an obstacle")
  func closedToCalls() async throws {
    let transport = ScriptedTransport(
      .json(Fixture.environment),
      .error("native_api_disabled", status: 400)
    )
    #expect(try await provider(transport).survey().obstacles == [.nativeAPIOff])
    #expect(transport.calls.last == "GET /v1/client?_is_native=1")
  }

  @Test("a survey whose first call is refused for another reason says that reason")
  func refused() async {
    let transport = ScriptedTransport(
      .json(Fixture.environment),
      .error("gateway_timeout", status: 504)
    )
    let error = await #expect(throws: AuthError.self) {
      try await provider(transport).survey()
    }
    #expect(error?.reasons == [.serviceTimedOut])
  }
}
