internal import Emulators
internal import HTTPExchange
internal import HTTPTypes

extension BackstageCall {
  /// The size limit of a call's body, which may be a long story or an imported world.
  static func limitBytes(of request: Request) -> Int {
    let isImport = request.method == .post && request.path == "\(prefix)import"
    return isImport ? importLimitBytes : bodyLimitBytes
  }
}

extension BackstageContext {
  /// `GET export`, in pieces, so that the whole world is never in memory.
  func exportWorld() async throws -> Response {
    let export = try await world.export(
      behind: worlds.api,
      faults: { .array($0.map(\.json)) },
      traces: { .array($0.map(\.json)) }
    )
    guard export.databaseBytes <= BackstageCall.importLimitBytes else {
      throw BackstageRefusal(.worldTooLarge, "The world is too large to be imported again.")
    }
    var response = Response.json(encoded: [])
    response.content = .pieces(export.pieces)
    return response
  }

  /// `POST import`: all of it, or nothing.
  func importWorld(_ call: BackstageCall) async throws -> Response {
    do {
      let imported = try await worlds.reading { try ImportedWorld(call.content, in: self) }
      try await world.replace(
        with: imported.document,
        faults: imported.faults,
        traces: imported.traces,
        story: imported.story
      )
    } catch let error as DocumentError {
      throw BackstageRefusal.invalid(error.description)
    }
    return .json(["name": .string(world.name.text)])
  }
}

/// An exported world that has been read, with its faults, traces and story; reading a large one
/// takes seconds.
private struct ImportedWorld: Sendable {
  var document: WorldDocument
  var faults: [Fault]
  var traces: [Trace]
  var story: StoryWalk?

  /// - Throws: `DocumentError` or `BackstageRefusal` if it is not a valid world, or
  ///   `SpooledBody.Failure`.
  init(_ content: Request.Content, in context: BackstageContext) throws {
    document = try WorldDocument(content)
    if let api = document.api, api != context.worlds.api {
      throw BackstageRefusal.invalid("This world was exported with another API: \(api.rawValue).")
    }
    guard case .array(let faults) = document.faults, case .array(let traces) = document.traces
    else { throw DocumentError("'faults' and 'traces' must be lists") }
    self.faults = try faults.read(in: "faults") { json throws(BackstageRefusal) in
      var fault = try context.fault(in: json)
      fault.id = json["id"]?.string ?? ""
      return fault
    }
    self.traces = try traces.read(in: "traces") { json throws(BackstageRefusal) in
      guard let trace = Trace(json) else { throw .invalid("This is not a trace.") }
      return trace
    }
    story = try StoryWalk(document.story, over: context.worlds.api)
  }
}

extension [JSON] {
  /// Reads the elements of a document's list.
  ///
  /// - Throws: What the reading throws, with the index of the element.
  fileprivate func read<Value>(
    in list: String,
    _ read: (JSON) throws(BackstageRefusal) -> Value
  ) throws(BackstageRefusal) -> [Value] {
    var values: [Value] = []
    for (index, element) in enumerated() {
      do {
        values.append(try read(element))
      } catch {
        throw .invalid("'\(list)[\(index)]': \(error.message)")
      }
    }
    return values
  }
}
