internal import Emulators
internal import HTTPExchange
internal import HTTPTypes

/// The world that a call is about, and those beside it; the extensions carry out the calls.
struct BackstageContext: Sendable {
  let worlds: Worlds
  let world: World
  /// What the call came with, where it was sent as one.
  var request: Request?
  /// Of the addresses under which people reach the pages.
  var scheme = "http"
  /// Nil where there are no pages.
  var standpoint: Standpoint?
  var rehearsal: ErrorRehearsal?
  var stories: Stories?
  var brand: BrandBench?
  var recorder: Recorder?
}

/// Finds what answers a call.
enum BackstageRouter {
  struct Route: Sendable {
    var method: HTTPRequest.Method
    /// `{id}` stands for one segment.
    var path: [Substring]
    var description: CallDescription
    var answer: @Sendable (BackstageContext, BackstageCall) async throws -> Response

    init(
      _ method: HTTPRequest.Method,
      _ path: String,
      _ description: CallDescription,
      answer: @escaping @Sendable (BackstageContext, BackstageCall) async throws -> Response
    ) {
      self.method = method
      self.path = path.split(separator: "/")
      self.description = description
      self.answer = answer
    }

    /// What is named in the path by braces.
    var parameters: [String] {
      path.filter(Self.isParameter).map { String($0.dropFirst().dropLast()) }
    }

    func leads(to path: [String]) -> Bool {
      self.path.count == path.count
        && zip(self.path, path).allSatisfy { Self.isParameter($0) || $0 == $1 }
    }

    private static func isParameter(_ segment: Substring) -> Bool { segment.hasPrefix("{") }
  }

  /// The table of contents of backstage's JSON; its description is made of it.
  static let routes = [
    Route(.get, "openapi.json", .description) { context, _ in context.description() },
    Route(.get, "messages", .messages) { try await $0.messages($1) },
    Route(.delete, "messages", .deleteMessages) { context, _ in try await context.deleteMessages()
    },
    Route(.get, "messages/latest", .latestMessage) { try await $0.latestMessage($1) },
    Route(.get, "messages/{id}", .oneMessage) { try await $0.message($1.path[1]) },
    Route(.delete, "messages/{id}", .deleteMessage) { try await $0.deleteMessage($1.path[1]) },
    Route(.get, "clock", .clock) { context, _ in context.clock() },
    Route(.post, "clock", .moveClock) { try await $0.moveClock($1) },
    Route(.get, "faults", .faults) { context, _ in context.faults() },
    Route(.post, "faults", .addFault) { try $0.addFault($1) },
    Route(.delete, "faults", .deleteFaults) { context, _ in context.deleteFaults() },
    Route(.delete, "faults/{id}", .deleteFault) { try $0.deleteFault($1.path[1]) },
    Route(.get, "traces", .traces) { try $0.traces($1) },
    Route(.get, "traces/{archive}", .traceArchive) { try $0.traceArchive($1.path[1], $1) },
    Route(.delete, "traces", .deleteTraces) { context, _ in context.deleteTraces() },
    Route(.get, "instance", .instance) { context, _ in .json(context.world.settings.json) },
    Route(.patch, "instance", .changeSettings) { try $0.changeSettings($1) },
    Route(.get, "brand", .brand) { context, _ in try context.brandDocument() },
    Route(.put, "brand", .writeBrand) { try $0.writeBrand($1) },
    Route(.get, "users", .users) { try await $0.users($1) },
    Route(.post, "users", .addUser) { try await $0.addUser($1) },
    Route(.get, "users/{id}", .oneUser) { try await $0.user($1.path[1]) },
    Route(.patch, "users/{id}", .changeUser) { try await $0.changeUser($1.path[1], $1) },
    Route(.delete, "users/{id}", .deleteUser) { try await $0.deleteUser($1.path[1]) },
    Route(.get, "users/{id}/totp", .authenticatorCode) {
      try await $0.authenticatorCode(of: $1.path[1])
    },
    Route(.post, "invitations", .invite) { try await $0.invite($1) },
    Route(.get, "worlds", .worlds) { context, _ in context.worldList() },
    Route(.delete, "worlds/{name}", .dropWorld) { try $0.dropWorld($1.path[1]) },
    Route(.get, "export", .export) { context, _ in try await context.exportWorld() },
    Route(.post, "import", .importWorld) { try await $0.importWorld($1) },
    Route(.get, "errors", .errors) { context, _ in try await context.errors() },
    Route(.post, "stand", .stand) { try await $0.stand($1) },
    Route(.get, "stories", .stories) { context, _ in try context.storyList() },
    Route(.post, "stories/{name}", .beginStory) { try await $0.beginStory($1.path[1], $1) },
    Route(.post, "recordings", .beginRecording) { try await $0.beginRecording($1) },
    Route(.get, "recordings/{recording}", .exportedRecording) {
      try $0.exportedRecording($1.path[1])
    },
    Route(.delete, "recordings/{recording}", .endRecording) { try $0.endRecording($1.path[1]) },
    Route(.post, "reset", .reset) { context, _ in try await context.reset() },
  ]

  /// Carries out a call.
  ///
  /// - Throws: `BackstageRefusal`, with status 404 where nothing answers there and 405 where only other
  ///   methods are answered; or what went wrong on the way.
  static func answer(_ call: BackstageCall, in context: BackstageContext) async throws -> Response {
    let leading = routes.filter { $0.leads(to: call.path) }
    let named = leading.filter { $0.parameters.isEmpty }
    // What is named goes before what has an id in its place.
    let found = named.isEmpty ? leading : named
    guard !found.isEmpty else { throw BackstageRefusal.notFound }
    guard let route = found.first(where: { $0.method == call.method }) else {
      throw BackstageRefusal.methodNotAllowed(found.map(\.method))
    }
    try call.allowOnly(Set(route.description.query.map(\.name)))
    let call = try await context.byAccountID(call)
    // What is deleted can be told of as long as it is there.
    let event = await context.recordedEvent(of: call)
    let before = context.world.clock.now
    let answer = try await route.answer(context, call)
    if let event {
      context.recorder?.recordings.note(event, since: before, in: context.world)
    }
    return answer
  }
}
