public import Emulators
public import HTTPExchange
public import HTTPTypes

/// Backstage's JSON API, with which headless tests and demos drive a world.
///
/// Serves everything below `/backstage/api/`. The listener has already checked the host.
/// Source: <doc:BackstageCalls>.
public struct BackstageAPI: HTTPHandler {
  private let worlds: Worlds
  private let origins: BackstageGuard
  private let report: UnexpectedErrorReport
  private let standpoint: Standpoint?
  private let rehearsal: ErrorRehearsal?
  private let stories: Stories?
  private let brand: BrandBench?
  private let recorder: Recorder?
  private let visit: @Sendable (Request) -> String?
  private var turnedAway: TurnedAwayReport?

  /// - Parameters:
  ///   - worlds: The worlds that calls act on.
  ///   - origins: The origins under which people and programs reach backstage.
  ///   - report: Receives unexpected errors.
  ///   - standpoint: Brings browsers to states of the pages; nil if there are no pages.
  ///   - rehearsal: Finds out how the pages show the API's errors; nil if there are no pages.
  ///   - stories: The stories to play on the pages; nil if there are no pages.
  ///   - brand: The brand of the pages, and how to change it; nil if there are no pages.
  ///   - recorder: Records what browsers do on the pages; nil if there are no pages.
  ///   - visit: The site's name for the visit of a request; nil if none is under way.
  public init(
    worlds: Worlds,
    at origins: OwnOrigins = OwnOrigins("http://localhost:8080"),
    report: UnexpectedErrorReport = .none,
    standpoint: Standpoint? = nil,
    rehearsal: ErrorRehearsal? = nil,
    stories: Stories? = nil,
    brand: BrandBench? = nil,
    recorder: Recorder? = nil,
    visit: @escaping @Sendable (Request) -> String? = { _ in nil }
  ) {
    self.visit = visit
    self.recorder = recorder
    self.stories = stories
    self.standpoint = standpoint
    self.brand = brand
    self.rehearsal = rehearsal
    self.worlds = worlds
    self.origins = BackstageGuard(own: origins)
    self.report = report
  }

  /// The same API, reporting the requests that it turns away.
  public func reporting(_ turnedAway: TurnedAwayReport?) -> BackstageAPI {
    var api = self
    api.turnedAway = turnedAway
    return api
  }

  public func respond(to request: Request) async -> Response {
    do {
      try origins.check(request)
      let call = try BackstageCall(request)
      let world = try await worlds.world(WorldName(namedBy: request))
      return await worlds.working(in: world) { await answer(call, to: request, in: world) }
    } catch {
      return refusal(error, of: request)
    }
  }

  private func answer(
    _ call: BackstageCall,
    to request: Request,
    in world: World
  ) async -> Response {
    do {
      var response = try await BackstageRouter.answer(
        call,
        in: BackstageContext(
          worlds: worlds,
          world: world,
          request: request,
          scheme: origins.own.scheme,
          standpoint: standpoint,
          rehearsal: rehearsal,
          stories: stories,
          brand: brand,
          recorder: recorder,
          visitName: visit
        )
      )
      if case .pieces(let pieces) = response.content {
        response.content = .pieces(reporting(pieces))
      }
      return response
    } catch {
      return refusal(error, of: request)
    }
  }

  private func refusal(_ error: any Error, of request: Request) -> Response {
    BackstageRefusal(error, report).reported(of: request, to: turnedAway).response
  }

  /// The same pieces, with a report of any error that breaks them off: the response has already
  /// begun and cannot show it.
  private func reporting(_ pieces: BodyPieces) -> BodyPieces {
    BodyPieces { [report] in
      do {
        return try await pieces.next()
      } catch {
        report(RandomSource.system.traceID(), error)
        throw error
      }
    }
  }

  /// The response to a request that the server refuses before any handler sees it.
  public static func refusal(_ status: HTTPResponse.Status) -> Response {
    BackstageRefusal(serverStatus: status).response
  }
}
