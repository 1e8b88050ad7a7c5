public import Emulators
public import HTTPExchange
public import HTTPTypes

/// Backstage's JSON: what headless tests and demos drive a world with.
///
/// Serves everything below `/backstage/api/`. The listener has checked the host already.
/// Source: README, "Worlds and backstage".
public struct BackstageAPI: HTTPHandler {
  private let worlds: Worlds
  private let origins: BackstageGuard
  private let report: UnexpectedErrorReport

  /// - Parameters:
  ///   - worlds: What is worked on.
  ///   - scheme: Of the addresses under which people and programs reach it.
  ///   - report: Is told what goes wrong and nobody foresees.
  public init(worlds: Worlds, scheme: String = "http", report: UnexpectedErrorReport = .none) {
    self.worlds = worlds
    origins = BackstageGuard(scheme: scheme)
    self.report = report
  }

  public func respond(to request: Request) async -> Response {
    do {
      try origins.check(request)
      let call = try BackstageCall(request)
      let world = try await worlds.world(WorldName(namedBy: request))
      return try await BackstageRouter.answer(
        call,
        in: BackstageContext(worlds: worlds, world: world)
      )
    } catch {
      return BackstageRefusal(error, report).response
    }
  }

  /// The answer to what the server refuses before anyone is asked.
  public static func refusal(_ status: HTTPResponse.Status) -> Response {
    BackstageRefusal(serverStatus: status).response
  }
}
