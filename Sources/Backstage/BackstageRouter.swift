internal import Emulators
internal import HTTPExchange
internal import HTTPTypes

/// The world that a call is about, and those beside it; the extensions carry out the calls.
struct BackstageContext: Sendable {
  let worlds: Worlds
  let world: World
}

/// Finds what answers a call.
enum BackstageRouter {
  private struct Route: Sendable {
    var method: HTTPRequest.Method
    /// `*` stands for one segment.
    var path: [Substring]
    var answer: @Sendable (BackstageContext, BackstageCall) async throws -> Response

    init(
      _ method: HTTPRequest.Method,
      _ path: String,
      answer: @escaping @Sendable (BackstageContext, BackstageCall) async throws -> Response
    ) {
      self.method = method
      self.path = path.split(separator: "/")
      self.answer = answer
    }

    func leads(to path: [String]) -> Bool {
      self.path.count == path.count && zip(self.path, path).allSatisfy { $0 == "*" || $0 == $1 }
    }
  }

  /// The table of contents of backstage's JSON.
  private static let routes = [
    Route(.get, "messages") { try await $0.messages($1) },
    Route(.delete, "messages") { context, _ in try await context.deleteMessages() },
    Route(.get, "messages/latest") { try await $0.latestMessage($1) },
    Route(.get, "clock") { context, _ in context.clock() },
    Route(.post, "clock") { try $0.moveClock($1) },
    Route(.get, "faults") { context, _ in context.faults() },
    Route(.post, "faults") { try $0.addFault($1) },
    Route(.delete, "faults") { context, _ in context.deleteFaults() },
    Route(.delete, "faults/*") { try $0.deleteFault($1.path[1]) },
    Route(.get, "traces") { context, _ in context.traces() },
    Route(.delete, "traces") { context, _ in context.deleteTraces() },
    Route(.get, "instance") { context, _ in .json(context.world.settings.json) },
    Route(.patch, "instance") { try $0.changeSettings($1) },
    Route(.get, "users") { try await $0.users($1) },
    Route(.post, "users") { try await $0.addUser($1) },
    Route(.get, "users/*") { try await $0.user($1.path[1]) },
    Route(.patch, "users/*") { try await $0.changeUser($1.path[1], $1) },
    Route(.delete, "users/*") { try await $0.deleteUser($1.path[1]) },
    Route(.get, "users/*/totp") { try await $0.authenticatorCode(of: $1.path[1]) },
    Route(.post, "invitations") { try await $0.invite($1) },
    Route(.get, "worlds") { context, _ in context.worldList() },
    Route(.delete, "worlds/*") { try $0.dropWorld($1.path[1]) },
    Route(.get, "export") { context, _ in try await context.exportWorld() },
    Route(.post, "import") { try await $0.importWorld($1) },
    Route(.post, "reset") { context, _ in try await context.reset() },
  ]

  /// Carries out a call.
  ///
  /// - Throws: `BackstageRefusal`, with status 404 where nothing answers there and 405 where only other
  ///   methods are answered; or what went wrong on the way.
  static func answer(_ call: BackstageCall, in context: BackstageContext) async throws -> Response {
    let found = routes.filter { $0.leads(to: call.path) }
    guard !found.isEmpty else { throw BackstageRefusal.notFound }
    guard let route = found.first(where: { $0.method == call.method }) else {
      throw BackstageRefusal.methodNotAllowed(found.map(\.method))
    }
    return try await route.answer(context, call)
  }
}
