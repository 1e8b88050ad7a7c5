public import Emulators
public import HTTPExchange
public import HTTPTypes

/// Backstage's JSON: what headless tests and demos drive a world with.
///
/// Serves everything below `/backstage/api/`. The listener has checked the host already.
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
  private var turnedAway: TurnedAwayReport?

  /// - Parameters:
  ///   - worlds: What is worked on.
  ///   - origins: Under which people and programs reach it.
  ///   - report: Is told what goes wrong and nobody foresees.
  ///   - standpoint: Brings browsers to states of the pages; nil where there are none.
  ///   - rehearsal: Finds out how the pages tell the API's errors; nil where there are none.
  ///   - stories: What can be told on the pages; nil where there are none.
  ///   - brand: What the pages are served under, and can be changed; nil where there are none.
  ///   - recorder: Records what browsers do on the pages; nil where there are none.
  public init(
    worlds: Worlds,
    at origins: OwnOrigins = OwnOrigins("http://localhost:8080"),
    report: UnexpectedErrorReport = .none,
    standpoint: Standpoint? = nil,
    rehearsal: ErrorRehearsal? = nil,
    stories: Stories? = nil,
    brand: BrandBench? = nil,
    recorder: Recorder? = nil
  ) {
    self.recorder = recorder
    self.stories = stories
    self.standpoint = standpoint
    self.brand = brand
    self.rehearsal = rehearsal
    self.worlds = worlds
    self.origins = BackstageGuard(own: origins)
    self.report = report
  }

  /// The same, telling of whom it turns away.
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
          recorder: recorder
        )
      )
      if case .pieces(let pieces) = response.content {
        response.content = .pieces(reporting(pieces))
      }
      return response
    } catch {
      return BackstageRefusal(error, report).reported(of: request, to: turnedAway).response
    }
  }

  /// The same pieces, with a report of what breaks them off: the answer has begun, and cannot say it.
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

  /// The answer to what the server refuses before anyone is asked.
  public static func refusal(_ status: HTTPResponse.Status) -> Response {
    BackstageRefusal(serverStatus: status).response
  }
}
