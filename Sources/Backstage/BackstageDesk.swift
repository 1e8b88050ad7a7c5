internal import Emulators
internal import HTTPExchange
internal import HTTPTypes

/// Carries out the calls on one world.
struct BackstageDesk: Sendable {
  let worlds: Worlds
  let world: World

  /// The table of contents of backstage's JSON.
  func answer(_ call: BackstageCall) async throws -> Response {
    switch (call.path.count, call.path[0]) {
    case (1, "messages"):
      switch call.method {
      case .get: return try await messages(call)
      case .delete: return try await deleteMessages()
      default: throw notAllowed("GET", "DELETE")
      }
    case (2, "messages") where call.path[1] == "latest":
      guard call.method == .get else { throw notAllowed("GET") }
      return try await latestMessage(call)
    case (1, "clock"):
      switch call.method {
      case .get: return clock()
      case .post: return try moveClock(call)
      default: throw notAllowed("GET", "POST")
      }
    case (1, "faults"):
      switch call.method {
      case .get: return faults()
      case .post: return try addFault(call)
      case .delete: return deleteFaults()
      default: throw notAllowed("GET", "POST", "DELETE")
      }
    case (2, "faults"):
      guard call.method == .delete else { throw notAllowed("DELETE") }
      return try deleteFault(call.path[1])
    case (1, "traces"):
      switch call.method {
      case .get: return traces()
      case .delete: return deleteTraces()
      default: throw notAllowed("GET", "DELETE")
      }
    case (1, "instance"):
      switch call.method {
      case .get: return .json(world.settings.json)
      case .patch: return try changeSettings(call)
      default: throw notAllowed("GET", "PATCH")
      }
    case (1, "users"):
      switch call.method {
      case .get: return try await users(call)
      case .post: return try await addUser(call)
      default: throw notAllowed("GET", "POST")
      }
    case (2, "users"):
      switch call.method {
      case .get: return try await user(call.path[1])
      case .patch: return try await changeUser(call.path[1], call)
      case .delete: return try await deleteUser(call.path[1])
      default: throw notAllowed("GET", "PATCH", "DELETE")
      }
    case (3, "users") where call.path[2] == "totp":
      guard call.method == .get else { throw notAllowed("GET") }
      return try await authenticatorCode(of: call.path[1])
    case (1, "invitations"):
      guard call.method == .post else { throw notAllowed("POST") }
      return try await invite(call)
    case (1, "worlds"):
      guard call.method == .get else { throw notAllowed("GET") }
      return .json(.array(worlds.names.map { ["name": .string($0.text)] }))
    case (2, "worlds"):
      guard call.method == .delete else { throw notAllowed("DELETE") }
      return try dropWorld(call.path[1])
    case (1, "export"):
      guard call.method == .get else { throw notAllowed("GET") }
      return try await exportWorld()
    case (1, "import"):
      guard call.method == .post else { throw notAllowed("POST") }
      return try await importWorld(call)
    case (1, "reset"):
      guard call.method == .post else { throw notAllowed("POST") }
      try await world.reset()
      return .json(["name": .string(world.name.text)])
    default:
      throw BackstageRefusal.notFound
    }
  }

  private func notAllowed(_ methods: String...) -> BackstageRefusal {
    BackstageRefusal(
      405,
      "method_not_allowed",
      "Use \(methods.joined(separator: " or ")).",
      allowedMethods: methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }
    )
  }
}
