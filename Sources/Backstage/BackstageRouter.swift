internal import Emulators
internal import Headless
internal import HTTPExchange
internal import HTTPTypes

/// The world that a call is about, and the others.
///
/// Extensions carry out the calls.
struct BackstageContext: Sendable {
  let worlds: Worlds
  let world: World
  /// The HTTP request; nil if the call was made in process.
  var request: Request?
  /// The scheme of the addresses under which people reach the pages.
  var scheme = "http"
  /// Nil where there are no pages.
  var standpoint: Standpoint?
  var rehearsal: ErrorRehearsal?
  var stories: Stories?
  var brand: BrandBench?
  var recorder: Recorder?
  /// The site's name for the visit of a request; nil if none is under way.
  var visitName: @Sendable (Request) -> String? = { _ in nil }

  /// Whether there are pages; an emulator's own port has none.
  fileprivate var hasPages: Bool {
    standpoint != nil || rehearsal != nil || stories != nil || brand != nil || recorder != nil
  }
}

/// Finds the route of a call.
enum BackstageRouter {
  struct Route: Sendable {
    var method: HTTPRequest.Method
    /// `{id}` stands for one segment.
    var path: [Substring]
    var description: CallDescription
    /// What recordings of the world note about the call.
    var recorded: RecordedCall
    var answer: @Sendable (BackstageContext, BackstageCall) async throws -> Response

    init(
      _ method: HTTPRequest.Method,
      _ path: String,
      _ description: CallDescription,
      recorded: RecordedCall,
      answer: @escaping @Sendable (BackstageContext, BackstageCall) async throws -> Response
    ) {
      self.method = method
      self.path = path.split(separator: "/")
      self.description = description
      self.recorded = recorded
      self.answer = answer
    }

    /// The names in braces in the path.
    var parameters: [String] {
      path.filter(Self.isParameter).map { String($0.dropFirst().dropLast()) }
    }

    func leads(to path: [String]) -> Bool {
      self.path.count == path.count
        && zip(self.path, path).allSatisfy { Self.isParameter($0) || $0 == $1 }
    }

    private static func isParameter(_ segment: Substring) -> Bool { segment.hasPrefix("{") }
  }

  /// All calls of backstage's JSON API; its OpenAPI description is generated from them.
  static let routes: [Route] = [
    Route(.get, "openapi.json", .description, recorded: .nothing) { context, _ in
      context.description()
    },
    Route(.get, "messages", .messages, recorded: .nothing) { try await $0.messages($1) },
    Route(
      .delete,
      "messages",
      .deleteMessages,
      recorded: .deed("The inbox is emptied.", key: .delete, "messages")
    ) { context, _ in
      try await context.deleteMessages()
    },
    Route(.get, "messages/latest", .latestMessage, recorded: .nothing) {
      try await $0.latestMessage($1)
    },
    Route(.get, "messages/{id}", .oneMessage, recorded: .nothing) {
      try await $0.message($1.path[1])
    },
    Route(.delete, "messages/{id}", .deleteMessage, recorded: .deletedMessage) {
      try await $0.deleteMessage($1.path[1])
    },
    Route(.get, "clock", .clock, recorded: .nothing) { context, _ in context.clock() },
    Route(.post, "clock", .moveClock, recorded: .deed("The clock is moved.", key: .clock)) {
      try await $0.moveClock($1)
    },
    Route(.get, "faults", .faults, recorded: .nothing) { context, _ in context.faults() },
    Route(.post, "faults", .addFault, recorded: .newFault) { try $0.addFault($1) },
    Route(.delete, "faults", .deleteFaults, recorded: .deletedFaults) { context, _ in
      context.deleteFaults()
    },
    Route(.delete, "faults/{id}", .deleteFault, recorded: .deletedFault) {
      try $0.deleteFault($1.path[1])
    },
    Route(.get, "traces", .traces, recorded: .nothing) { try $0.traces($1) },
    Route(.get, "traces/{archive}", .traceArchive, recorded: .nothing) {
      try $0.traceArchive($1.path[1], $1)
    },
    Route(
      .delete,
      "traces",
      .deleteTraces,
      recorded: .deed("The traces are deleted.", key: .delete, "traces")
    ) { context, _ in
      context.deleteTraces()
    },
    Route(.get, "instance", .instance, recorded: .nothing) { context, _ in
      .json(context.world.settings.json)
    },
    Route(
      .patch,
      "instance",
      .changeSettings,
      recorded: .deed("The settings change.", key: .settings)
    ) {
      try $0.changeSettings($1)
    },
    Route(.get, "brand", .brand, recorded: .nothing) { context, _ in try context.brandDocument() },
    Route(.put, "brand", .writeBrand, recorded: .brandWritten) { try $0.writeBrand($1) },
    Route(.get, "users", .users, recorded: .nothing) { try await $0.users($1) },
    Route(.post, "users", .addUser, recorded: .deed("An account is made.", key: .newUser)) {
      try await $0.addUser($1)
    },
    Route(.get, "users/{id}", .oneUser, recorded: .nothing) { try await $0.user($1.path[1]) },
    Route(.patch, "users/{id}", .changeUser, recorded: .changedUser) {
      try await $0.changeUser($1.path[1], $1)
    },
    Route(.delete, "users/{id}", .deleteUser, recorded: .changedUser) {
      try await $0.deleteUser($1.path[1])
    },
    Route(.get, "users/{id}/totp", .authenticatorCode, recorded: .nothing) {
      try await $0.authenticatorCode(of: $1.path[1])
    },
    Route(
      .post,
      "invitations",
      .invite,
      recorded: .deed("Somebody is invited.", key: .invitation)
    ) {
      try await $0.invite($1)
    },
    Route(.get, "worlds", .worlds, recorded: .nothing) { context, _ in context.worldList() },
    Route(.delete, "worlds/{name}", .dropWorld, recorded: .droppedWorld) {
      try $0.dropWorld($1.path[1])
    },
    Route(.post, "keys", .rotateKeys, recorded: .rotatedKeys) { try await $0.rotateKeys($1) },
    Route(.get, "export", .export, recorded: .exported) { context, _ in
      try await context.exportWorld()
    },
    Route(.post, "import", .importWorld, recorded: .imported) { try await $0.importWorld($1) },
    Route(.get, "errors", .errors, recorded: .nothing) { context, _ in try await context.errors() },
    Route(.post, "stand", .stand, recorded: .nothing) { try await $0.stand($1) },
    Route(.get, "stories", .stories, recorded: .nothing) { context, _ in try context.storyList() },
    Route(.post, "stories/{name}", .beginStory, recorded: .nothing) {
      try await $0.beginStory($1.path[1], $1)
    },
    Route(.post, "recordings", .beginRecording, recorded: .nothing) {
      try await $0.beginRecording($1)
    },
    Route(.get, "recordings/{recording}", .exportedRecording, recorded: .nothing) {
      try $0.exportedRecording($1.path[1])
    },
    Route(.delete, "recordings/{recording}", .endRecording, recorded: .nothing) {
      try $0.endRecording($1.path[1])
    },
    Route(.post, "reset", .reset, recorded: .reset) { try await $0.reset($1) },
  ]

  /// Carries out a call.
  ///
  /// - Throws: `BackstageRefusal`, with status 404 if the path has no route and 405 if it has none
  ///   for the method; or what went wrong while carrying it out.
  static func answer(_ call: BackstageCall, in context: BackstageContext) async throws -> Response {
    let leading = routes.filter {
      $0.leads(to: call.path) && (context.hasPages || !$0.description.needsPages)
    }
    let named = leading.filter { $0.parameters.isEmpty }
    // A literal segment takes precedence over a parameter.
    let found = named.isEmpty ? leading : named
    guard !found.isEmpty else { throw BackstageRefusal.notFound }
    guard let route = found.first(where: { $0.method == call.method }) else {
      throw BackstageRefusal.methodNotAllowed(found.map(\.method))
    }
    try call.allowOnly(Set(route.description.query.map(\.name)))
    if case .none = route.description.body, call.method != .get, call.content.count > 0 {
      // A body that names a world or messages would be ignored, and the call would act on others:
      // refuse it.
      try call.requiredBody().refuseKeys(besides: [])
    }
    let call = try await context.byAccountID(call)
    // A deletion has to be described while the deleted thing still exists.
    let event = await context.recordedEvent(of: call, to: route)
    let before = context.world.clock.now
    let answer = try await route.answer(context, call)
    if let event {
      context.recorder?.recordings.note(event, since: before, in: context.world)
    }
    return answer
  }
}
