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
  /// `GET export`.
  func exportWorld() async throws -> Response {
    let document = try await world.document(
      faults: .array(world.faults.all.map(\.json)),
      traces: .array(world.traces.all.map(\.json))
    )
    guard document.count <= BackstageCall.importLimitBytes else {
      throw BackstageRefusal(507, "world_too_large", "No import would take so large a world.")
    }
    return .json(encoded: document)
  }

  /// `POST import`: all of it, or nothing.
  func importWorld(_ call: BackstageCall) async throws -> Response {
    do {
      let document = try WorldDocument(call.body)
      guard case .array(let faults) = document.faults, case .array(let traces) = document.traces
      else { throw DocumentError("'faults' and 'traces' are lists") }
      try await world.replace(
        with: document,
        faults: faults.map { json throws(BackstageRefusal) in try fault(in: json) },
        traces: traces.map { json throws(BackstageRefusal) in
          guard let trace = Trace(json) else { throw .invalid("'traces' has what is no trace.") }
          return trace
        }
      )
    } catch let error as DocumentError {
      throw BackstageRefusal.invalid(error.description)
    }
    return .json(["name": .string(world.name.text)])
  }
}
