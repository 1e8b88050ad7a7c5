internal import Emulators
public import HTTPExchange
internal import HTTPTypes

extension BackstageAPI {
  /// How long a request's body may be, where that is more than elsewhere: a world that comes back.
  public static func bodyLimitBytes(of request: Request) -> Int? {
    guard request.method == .post, request.path == "/backstage/api/import",
      request.headerFields[values: .vestibuleBackstage] == ["1"]
    else { return nil }
    return BackstageCall.importLimitBytes
  }
}

extension BackstageContext {
  /// `GET export`, in pieces: nobody holds the whole of it.
  func exportWorld() async throws -> Response {
    let export = try await world.export(
      faults: .array(world.faults.all.map(\.json)),
      traces: .array(world.traces.all.map(\.json))
    )
    guard export.databaseBytes <= BackstageCall.importLimitBytes else {
      throw BackstageRefusal(.worldTooLarge, "No import would take so large a world.")
    }
    var response = Response.json(encoded: [])
    response.content = .pieces(export.pieces)
    return response
  }

  /// `POST import`: all of it, or nothing.
  func importWorld(_ call: BackstageCall) async throws -> Response {
    do {
      let document = try WorldDocument(call.content)
      guard case .array(let faults) = document.faults, case .array(let traces) = document.traces
      else { throw DocumentError("'faults' and 'traces' are lists") }
      try await world.replace(
        with: document,
        faults: faults.map { json throws(BackstageRefusal) in try fault(in: json) },
        traces: traces.map { json throws(BackstageRefusal) in
          guard let trace = Trace(json) else { throw .invalid("'traces' has what is no trace.") }
          return trace
        },
        story: try StoryWalk(document.story, over: worlds.api)
      )
    } catch let error as DocumentError {
      throw BackstageRefusal.invalid(error.description)
    }
    return .json(["name": .string(world.name.text)])
  }
}
