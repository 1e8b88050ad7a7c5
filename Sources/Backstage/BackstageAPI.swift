public import Emulators
public import HTTPExchange
internal import HTTPTypes

/// Backstage's JSON: what headless tests and demos drive a world with.
///
/// Serves everything below `/backstage/api/`. The listener has checked the host already.
/// Source: README, "Worlds and backstage".
public struct BackstageAPI: HTTPHandler {
  private let worlds: Worlds

  public init(worlds: Worlds) {
    self.worlds = worlds
  }

  public func respond(to request: Request) async -> Response {
    do {
      try BackstageGuard.check(request)
      let call = try BackstageCall(request)
      return try await BackstageDesk(worlds: worlds, world: await world(of: request)).answer(call)
    } catch let refusal as BackstageRefusal {
      return refusal.response
    } catch let error as WorldsError {
      return BackstageRefusal(503, "world_unavailable", "The world cannot be had: \(error).")
        .response
    } catch is CancellationError {
      return BackstageRefusal(503, "cancelled", "The request was given up.").response
    } catch {
      return BackstageRefusal(503, "unavailable", "The world cannot be read or written now.")
        .response
    }
  }

  private func world(of request: Request) async throws -> World {
    do {
      return try await worlds.world(WorldName(namedBy: request))
    } catch is WorldName.Invalid {
      throw BackstageRefusal(400, "invalid_world", "That is not the name of a world.")
    }
  }
}
