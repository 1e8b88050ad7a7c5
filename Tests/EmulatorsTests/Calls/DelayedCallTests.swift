@testable import Emulators
import GRDB
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Calls that a fault delays")
struct DelayedCallTests {
  private static let inMain: HTTPFields = [.vestibuleWorld: WorldName.main.text]

  private static let clerkSignUp = Request(
    .post,
    "/v1/client/sign_ups?_is_native=1",
    form: ["email_address": "new@example.com", "password": "walk-right-in-42"],
    headerFields: inMain
  )

  private static let entraSignUp = Request(
    .post,
    "/\(EntraTenant.defaultName)/signup/v1.0/start",
    form: [
      "client_id": EntraClient.clientID, "challenge_type": "oob password redirect",
      "username": "new@example.com", "password": EntraClient.password,
    ],
    headerFields: inMain
  )

  /// The API of a world whose next call is delayed.
  private func service<Emulator: HTTPHandler>(
    of world: EmulatedWorld<Emulator>,
    delayingBy milliseconds: Int
  ) throws -> EmulatedService {
    let fault = Fault(
      match: FaultMatch(),
      timesLeft: 1,
      delayMilliseconds: milliseconds,
      effect: .none
    )
    _ = try #require(try world.world.faults.add(fault))
    return EmulatedService(
      world.emulator,
      worlds: world.worlds,
      address: "http://127.0.0.1:4010"
    )
  }

  /// Makes a call whose caller does not wait for the answer.
  private func expectCarriedOut<Emulator: HTTPHandler>(
    _ request: Request,
    in world: EmulatedWorld<Emulator>
  ) async throws {
    let service = try service(of: world, delayingBy: 50)
    let begin = ContinuousClock.now
    let call = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await service.respond(to: request)
    }
    let response = await call.value
    #expect(response.status == .ok)
    #expect(ContinuousClock.now - begin >= .milliseconds(50))
    #expect(try world.world.traces.all.first?.calls.first?.status == 200)
  }

  @Test(
    "are carried out after the whole delay, also if the caller has given up",
    arguments: [false, true]
  )
  func givenUp(isOnDisk: Bool) async throws {
    try await withTemporaryFolder { folder in
      let storage: Worlds.Storage = isOnDisk ? .folder(folder) : .memory
      let clerk = try TestWorld(storage: storage)
      try await expectCarriedOut(Self.clerkSignUp, in: clerk)
      clerk.worlds.close()
      let entra = try EntraWorld(storage: storage)
      try await expectCarriedOut(Self.entraSignUp, in: entra)
      entra.worlds.close()
    }
  }

  @Test("are carried out at once when the program stops", .timeLimit(.minutes(5)))
  func stop() async throws {
    let world = try TestWorld()
    let service = try service(of: world, delayingBy: 3_600_000)
    // Immediate: it is held by now.
    let call = Task.immediate { await service.respond(to: Self.clerkSignUp) }
    world.worlds.endWaiting()
    let response = await call.value
    #expect(response.status == .ok)
  }

  @Test(
    "are lost when their world begins anew, and do not reach the new one",
    .timeLimit(.minutes(5)),
    arguments: RepeatedCallTests.Beginning.allCases
  )
  func lost(by beginning: RepeatedCallTests.Beginning) async throws {
    let world = try TestWorld()
    let service = try service(of: world, delayingBy: 3_600_000)
    // Immediate: it is held by now.
    let call = Task.immediate { await service.respond(to: Self.clerkSignUp) }
    #expect(try world.world.faults.all.isEmpty)
    try await beginning.make(in: world, of: .clerk)
    let response = await call.value
    #expect(response.deliveryFailure == .reset)
    let new = try await world.worlds.world(.main)
    #expect(new.traces.count == 0)
    let begunCount = try await new.database.read { db in try ClerkSignUp.fetchCount(db) }
    #expect(begunCount == 0)
  }
}
