internal import Foundation
internal import GRDB
internal import HTTPExchange

/// What an emulated API adds to the engine: reading requests and wording failures.
protocol EmulatedWire: Sendable {
  /// A refusal that can be thrown.
  associatedtype Refusal: Error
  /// What identifies a request in its answer and in the log.
  associatedtype Trace: Sendable

  func trace(_ request: Request, random: RandomSource, at date: Date) -> Trace
  func respond(to request: Request, _ trace: Trace, by runner: CallRunner) async throws -> Response
  /// The refusal that reports a failure of the engine.
  func refusal(for failure: EngineFailure) -> Refusal
  func answer(_ refusal: Refusal, _ trace: Trace) -> UnsignedResponse
  func reference(_ trace: Trace) -> String
}

/// A failure outside the call itself, the same for every API.
enum EngineFailure: Sendable, Hashable {
  case worldNameInvalid
  case worldUnavailable(reason: String)
  /// The database cannot be read or written now.
  case storageFailed
  /// An unforeseen error.
  case unexpected

  /// A sentence for developers.
  var sentence: String {
    switch self {
    case .worldNameInvalid: "A world's name is 1 to 40 of a-z, 0-9 and -."
    case .worldUnavailable(let reason): reason
    case .storageFailed: "The emulator cannot store this now. Try again later."
    case .unexpected: "The emulator failed. Its log has the error under this reference."
    }
  }
}

/// Finds the world of a request, has it answered there, and turns every thrown error into an answer.
struct EmulatorEngine: Sendable {
  let worlds: Worlds
  let signer: TokenSigner
  let report: UnexpectedErrorReport
  private let repeats = RepeatedCalls()

  init(worlds: Worlds, report: UnexpectedErrorReport) {
    self.worlds = worlds
    self.report = report
    signer = TokenSigner(worlds: worlds)
  }

  func respond<Wire: EmulatedWire>(to request: Request, by wire: Wire) async -> Response {
    let world: World
    do {
      world = try await worlds.world(WorldName(namedBy: request))
    } catch {
      let failure: EngineFailure =
        error is WorldName.Invalid
        ? .worldNameInvalid : .worldUnavailable(reason: String(describing: error))
      let trace = wire.trace(request, random: worlds.random, at: worlds.machineClock())
      return wire.answer(wire.refusal(for: failure), trace).response
    }
    return await repeats.answer(to: request, in: world) {
      await answer(to: request, in: world, by: wire)
    }
  }

  private func answer<Wire: EmulatedWire>(
    to request: Request,
    in world: World,
    by wire: Wire
  ) async -> Response {
    let trace = wire.trace(request, random: world.random, at: world.clock.now)
    do {
      let runner = CallRunner(world: world, signer: signer)
      return try await wire.respond(to: request, trace, by: runner)
    } catch let refusal as Wire.Refusal {
      return wire.answer(refusal, trace).response
    } catch is CancellationError {
      // Its deadline passed, for instance while it waited for its turn; nothing is broken, so nothing
      // is logged.
      return wire.answer(wire.refusal(for: .storageFailed), trace).response
    } catch WorldsError.dropped {
      let reason = WorldsError.dropped.description
      return wire.answer(wire.refusal(for: .worldUnavailable(reason: reason)), trace).response
    } catch {
      report(wire.reference(trace), error)
      let isOfStorage = error is DatabaseError || worlds.blamedFolder(for: error) != nil
      let failure: EngineFailure = isOfStorage ? .storageFailed : .unexpected
      return wire.answer(wire.refusal(for: failure), trace).response
    }
  }
}
