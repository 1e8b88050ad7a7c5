internal import Foundation
internal import GRDB
public import HTTPExchange
internal import HTTPTypes

/// Clerk's Frontend API, for apps and for browsers, answered by accounts of our own.
///
/// Source: clerk-frontend-api.md, API version 2026-05-12.
public struct ClerkEmulator: HTTPHandler {
  private let worlds: Worlds
  private let signer: SessionTokenSigner
  private let address: String
  private let hasOwnPort: Bool
  private let origins: BrowserOrigins

  /// - Parameters:
  ///   - worlds: Where the accounts are.
  ///   - address: The URL under which the API is reached, as session tokens name their issuer.
  ///   - hasOwnPort: Whether browsers reach it there; else its pages stand among backstage's.
  ///   - origins: Which web pages may call.
  public init(
    worlds: Worlds,
    address: String,
    hasOwnPort: Bool = true,
    origins: BrowserOrigins = BrowserOrigins()
  ) {
    self.worlds = worlds
    self.address = address
    self.hasOwnPort = hasOwnPort
    self.origins = origins
    signer = SessionTokenSigner(issuer: address, worlds: worlds)
  }

  /// Whether a path leads to a page for people, rather than to a call.
  public static func isBrowserPage(_ path: Substring) -> Bool {
    path == EnterprisePage.path[...] || path == "/v1/verify"
  }

  public func respond(to request: Request) async -> Response {
    do {
      return try await answer(request)
    } catch let refusal as ClerkRefusal {
      return ClerkAnswer(refusal: refusal, client: nil, random: .system).response()
    } catch let error as WorldsError {
      let refusal = ClerkRefusal(503, ClerkProblem("internal_clerk_error", "\(error)"))
      return ClerkAnswer(refusal: refusal, client: nil, random: .system).response()
    } catch {
      return ClerkAnswer(refusal: .unavailable, client: nil, random: .system).response()
    }
  }

  private func answer(_ request: Request) async throws -> Response {
    if request.path == "/.well-known/jwks.json", request.method == .get {
      return ClerkAnswer(status: 200, body: try await signer.publicKeys()).response()
    }
    if request.path == "/.well-known/openid-configuration", request.method == .get {
      return ClerkAnswer(status: 200, body: ClerkOpenIDConfiguration(issuer: address).json)
        .response()
    }
    if request.path.hasPrefix("/.well-known/") || request.path.hasPrefix("/oauth/") {
      throw ClerkRefusal.notImplemented("\(request.method) \(request.path)")
    }
    guard request.path.hasPrefix("/v1/") else {
      throw ClerkRefusal(404, ClerkProblem("not_found", "There is nothing at this address."))
    }
    let world = try await world(of: request)
    if request.path == EnterprisePage.path {
      return try await EnterprisePage(world: world).respond(to: request)
    }
    var call = try ClerkCall(request, origins: origins)
    call.pages = ClerkPages(
      address: hasOwnPort ? address(of: world.name) : nil,
      world: world.name == .main ? nil : world.name.text
    )
    guard let route = ClerkRoute(call) else {
      throw ClerkRefusal.notImplemented("\(call.method) \(request.path)")
    }
    switch route {
    case .updateEnvironment where !call.caller.isPage:
      throw ClerkRefusal.badRequest("origin_missing", "Only pages tell the instance their origin.")
    case .environment, .updateEnvironment:
      return ClerkAnswer(status: 200, encoded: world.environmentDocument()).response()
    case .health:
      return ClerkAnswer(status: 200, body: ["status": "healthy"]).response()
    default:
      return try await carryOut(route, call, in: world).response(to: call.caller)
    }
  }

  /// Where a world's links lead: a mail has no header that could name the world.
  private func address(of world: WorldName) -> String {
    guard world != .main, let scheme = address.range(of: "://") else { return address }
    let port = address[scheme.upperBound...].split(separator: ":").dropFirst().first
    return address[..<scheme.upperBound] + "\(world.text).localhost" + (port.map { ":\($0)" } ?? "")
  }

  private func world(of request: Request) async throws -> World {
    do {
      return try await worlds.world(WorldName(namedBy: request))
    } catch is WorldName.Invalid {
      throw ClerkRefusal.badRequest("host_invalid", "That is not the name of a world.")
    }
  }

  /// Runs the call until nothing interrupts it any more.
  private func carryOut(
    _ route: ClerkRoute,
    _ call: ClerkCall,
    in world: World
  ) async throws -> ClerkAnswer {
    var progress = CallProgress()
    let signing = try await signer.prepared()
    for _ in 0..<CallProgress.runLimit {
      let run = ClerkRun(
        route: route,
        call: call,
        world: world,
        progress: progress,
        signing: signing
      )
      switch try await world.database.write({ db in try run.outcome(db) }) {
      case .answered(let answer, let hasWrittenMessage):
        if hasWrittenMessage { world.outbox.announce() }
        return answer
      case .interrupted(let interruption):
        try await progress.overcome(interruption, in: world)
      }
    }
    throw ClerkRefusal(409, ClerkProblem("resource_locked", "The resource is busy. Try again."))
  }
}
