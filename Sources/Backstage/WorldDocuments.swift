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

extension BackstageDesk {
  /// `GET export`.
  func exportWorld() async throws -> Response {
    var document = try await world.document()
    document["faults"] = .array(world.faults.all.map(\.json))
    document["traces"] = .array(world.traces.all.map(\.json))
    return .json(document)
  }

  /// `POST import`: all of it, or nothing.
  func importWorld(_ call: BackstageCall) async throws -> Response {
    let body = try call.requiredBody()
    let faults = try (body["faults"]?.array ?? []).map { json throws(BackstageRefusal) in
      try fault(in: json)
    }
    let traces = try (body["traces"]?.array ?? []).map { json throws(BackstageRefusal) in
      guard let trace = Trace(json) else { throw .invalid("'traces' has what is no trace.") }
      return trace
    }
    do {
      try await world.replace(with: body)
    } catch let error as DocumentError {
      throw BackstageRefusal.invalid(error.description)
    }
    for fault in faults { _ = world.faults.add(fault) }
    world.traces.replace(with: traces)
    return .json(["name": .string(world.name.text)])
  }
}
