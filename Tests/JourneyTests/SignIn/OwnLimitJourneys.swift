import HTTPExchange
import HTTPTypes
import Testing
import Vestibule
import VestibuleTesting

@Suite("Limits of our own over an emulated API", .inTurn)
struct OwnLimitJourneys {
  /// Sends every request from the same address, which calls in process have none of.
  private struct Addressed: HTTPTransport {
    let transport: any HTTPTransport

    func send(_ request: Request) async throws(TransportError) -> Response {
      var request = request
      request.peerAddress = "192.0.2.1"
      return try await transport.send(request)
    }
  }

  private static func signIn(
    _ vestibule: TestVestibule,
    world: String,
    with typed: String = password
  ) async throws -> PageSnapshot {
    let browser = FormSession(
      over: Addressed(transport: vestibule.transport),
      host: vestibule.host,
      world: world
    )
    try await browser.open("/sign-in")
    return try await browser.submit(["identifier": "ada@example.com", "password": typed])
  }

  @Test("a limit that one world has reached holds in no other, and ends by the clock of its world")
  func worlds() async throws {
    var configuration = Configuration()
    configuration.throttle = true
    let vestibule = try TestVestibule(configuration)
    for attempt in 0..<5 {
      let page = try await Self.signIn(vestibule, world: "one", with: "wrong-\(attempt)")
      #expect(page.status == 422)
    }
    let refused = try await Self.signIn(vestibule, world: "one")
    #expect(refused.status == 429)
    #expect(refused.errorCodes == ["too_many_requests"])
    #expect(try await Self.signIn(vestibule, world: "two").page == "account")
    let backstage = vestibule.backstage(world: "one")
    try await backstage.advanceClock(by: .seconds(840))
    #expect(try await Self.signIn(vestibule, world: "one").status == 429)
    try await backstage.advanceClock(by: .seconds(60))
    #expect(try await Self.signIn(vestibule, world: "one").page == "account")
  }

  @Test("a reset forgets what our own limits have counted in the world")
  func reset() async throws {
    var configuration = Configuration()
    configuration.throttle = true
    let vestibule = try TestVestibule(configuration)
    for attempt in 0..<5 {
      _ = try await Self.signIn(vestibule, world: "one", with: "wrong-\(attempt)")
    }
    #expect(try await Self.signIn(vestibule, world: "one").status == 429)
    _ = try await vestibule.backstage(world: "one").call(.post, "reset")
    #expect(try await Self.signIn(vestibule, world: "one").page == "account")
  }
}
