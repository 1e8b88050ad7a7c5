import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@_spi(Provider) @testable import AuthFlow
@testable import EntraNativeAuth

@Suite("What is not asked again for a while")
struct BrakeTests {
  private let stage = SignedInStage()
  private static let badScope = #"{"error":"invalid_scope","error_codes":[70011]}"#

  @Test("after a 429 the service is left alone until the time it named")
  func throttled() async throws {
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [
        .success(
          .json(Fixture.throttled, status: .tooManyRequests, headerFields: [.retryAfter: "17"])
        ),
        .success(try await stage.tokens()),
      ]
    )
    var memory = start
    let session = try stage.session(outcome)
    for _ in 0..<2 {
      let refused = await provider.renewAccess(
        of: session,
        scopes: [],
        claims: nil,
        memory: &memory
      )
      let until = Fixture.now.addingTimeInterval(17)
      #expect(refused.error?.problems.map(\.reason) == [.tooManyRequests(until: until)])
    }
    #expect(transport.requests.count == 4)
    stage.clock.advance(17)
    let renewed = await provider.renewAccess(of: session, scopes: [], claims: nil, memory: &memory)
    #expect(renewed.moved != nil)
  }

  @Test("a 429 without a time brakes for a minute, and one with a day for an hour")
  func limits() async throws {
    for (header, seconds) in [(nil, 60.0), ("86400", 3_600)] {
      let stage = SignedInStage()
      var fields: HTTPFields = [:]
      fields[.retryAfter] = header
      let (outcome, provider, transport, start) = try await stage.signedIn(
        try await stage.tokens(),
        then: [
          .success(.json(Fixture.throttled, status: .tooManyRequests, headerFields: fields)),
          .success(try await stage.tokens()),
        ]
      )
      var memory = start
      let session = try stage.session(outcome)
      for asked in [["a"], ["b"]] {
        let refused = await provider.renewAccess(
          of: session,
          scopes: asked,
          claims: nil,
          memory: &memory
        )
        let until = Fixture.now.addingTimeInterval(seconds)
        #expect(refused.error?.problems.map(\.reason) == [.tooManyRequests(until: until)])
      }
      #expect(transport.requests.count == 4)
      stage.clock.advance(seconds)
      #expect(
        await provider.renewAccess(of: session, scopes: [], claims: nil, memory: &memory).moved
          != nil
      )
    }
  }

  @Test("a refusal is repeated for two minutes to the same request")
  func repeated() async throws {
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [.success(.error(Self.badScope)), .success(.error(Self.badScope))]
    )
    var memory = start
    let session = try stage.session(outcome)
    let first = await provider.renewAccess(
      of: session,
      scopes: ["a b"],
      claims: nil,
      memory: &memory
    )
    #expect(first.error?.diagnosis?.contains("MSALThrottlingCacheHit") == false)
    stage.clock.advance(119)
    let again = await provider.renewAccess(
      of: session,
      scopes: ["A B"],
      claims: nil,
      memory: &memory
    )
    #expect(again.error?.problems.map(\.reason) == first.error?.problems.map(\.reason))
    #expect(again.error?.traceID == first.error?.traceID)
    #expect(again.error?.diagnosis?.contains("MSALThrottlingCacheHit") == true)
    #expect(transport.requests.count == 4)
    stage.clock.advance(1)
    let later = await provider.renewAccess(
      of: session,
      scopes: ["a b"],
      claims: nil,
      memory: &memory
    )
    #expect(later.error?.problems.map(\.code) == first.error?.problems.map(\.code))
    #expect(transport.isDone)
  }

  @Test("other requests are sent while one is braked, and their success ends the brake")
  func another() async throws {
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [
        .success(.error(Self.badScope)), .success(try await stage.tokens()),
        .success(try await stage.tokens()), .success(.error(Self.badScope)),
      ]
    )
    var memory = start
    let session = try stage.session(outcome)
    #expect(
      await provider.renewAccess(of: session, scopes: ["a"], claims: nil, memory: &memory).error
        != nil
    )
    #expect(
      await provider.renewAccess(of: session, scopes: [], claims: nil, memory: &memory).moved != nil
    )
    let scopes = ["api://orders/Read"]
    #expect(
      await provider.renewAccess(of: session, scopes: scopes, claims: nil, memory: &memory).moved
        != nil
    )
    let again = await provider.renewAccess(
      of: session,
      scopes: ["a"],
      claims: nil,
      memory: &memory
    )
    #expect(again.error?.diagnosis?.contains("MSALThrottlingCacheHit") == false)
    #expect(transport.isDone)
  }

  @Test("a clock that is set back ends the brake, unless by no more than the tolerated skew")
  func clockSetBack() async throws {
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [
        .success(
          .json(Fixture.throttled, status: .tooManyRequests, headerFields: [.retryAfter: "20"])
        ),
        .success(.json(#"{"token_type":"Bearer","expires_in":3600,"access_token":"a2"}"#)),
      ]
    )
    var memory = start
    let session = try stage.session(outcome)
    for _ in 0..<2 {
      let refused = await provider.renewAccess(
        of: session,
        scopes: [],
        claims: nil,
        memory: &memory
      )
      #expect(refused.error != nil)
      stage.clock.advance(-60)
    }
    #expect(transport.requests.count == 4)
    stage.clock.advance(-1)
    let renewed = await provider.renewAccess(of: session, scopes: [], claims: nil, memory: &memory)
    #expect(renewed.moved != nil)
    #expect(transport.isDone)
  }

  @Test("a fault of the service is not a brake: the next press asks again")
  func fault() async throws {
    let down = ScriptedTransport.Answer.success(Response(status: .serviceUnavailable))
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [down, down, .success(try await stage.tokens())]
    )
    var memory = start
    let session = try stage.session(outcome)
    #expect(
      await provider.renewAccess(of: session, scopes: [], claims: nil, memory: &memory).error != nil
    )
    #expect(
      await provider.renewAccess(of: session, scopes: [], claims: nil, memory: &memory).moved != nil
    )
    #expect(transport.isDone)
  }

  @Test("a new sign-in is not braked by earlier refusals")
  func interactive() async throws {
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [
        .success(.error(Self.badScope)), .success(.json(Fixture.begun)),
        .success(.json(Fixture.password)), .success(try await stage.tokens()),
        .success(try await stage.tokens()),
      ]
    )
    var memory = start
    let session = try stage.session(outcome)
    #expect(
      await provider.renewAccess(of: session, scopes: [], claims: nil, memory: &memory).error != nil
    )
    let entered = await provider.beginSignIn(
      identifier: try .typed(),
      password: try .typed(),
      memory: &memory
    )
    let anew = try stage.session(entered)
    #expect(
      await provider.renewAccess(of: anew, scopes: [], claims: nil, memory: &memory).moved != nil
    )
    #expect(transport.isDone)
  }

  @Test("a caller's own claims go along with a renewal, unless they are too long or not an object")
  func ownClaims() async throws {
    let (outcome, provider, transport, start) = try await stage.signedIn(
      try await stage.tokens(),
      then: [.success(try await stage.tokens())]
    )
    var memory = start
    let session = try stage.session(outcome)
    let before = transport.requests.count
    let tooDeep =
      #"{"a":"# + String(repeating: "[", count: 32) + String(repeating: "]", count: 32) + "}"
    let tooLong = #"{"a": ""# + String(repeating: "x", count: 4_096) + #""}"#
    for text in ["acrs", "[1]", "{", #"{"a":1,"a":2}"#, tooDeep, tooLong] {
      let refused = await provider.renewAccess(
        of: session,
        scopes: [],
        claims: text,
        memory: &memory
      )
      #expect(refused.error?.problems.first?.field == .claims)
    }
    #expect(transport.requests.count == before)
    let renewed = await provider.renewAccess(
      of: session,
      scopes: [],
      claims: #"{"access_token":{"acrs":{"value":"c2"}}}"#,
      memory: &memory
    )
    #expect(renewed.moved != nil)
    let body = try FormData(decoding: try #require(transport.requests.last).body)
    #expect(body["claims"]?.contains(#""acrs":{"value":"c2"}"#) == true)
  }
}
