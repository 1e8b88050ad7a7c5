internal import Emulators
internal import HTTPExchange

/// The calls about a world's settings and about the worlds themselves.
extension BackstageContext {
  func changeSettings(_ call: BackstageCall) throws -> Response {
    let body = try call.requiredBody()
    let settings = try readingDocument { () throws(DocumentError) in
      try world.changeSettings { settings throws(DocumentError) in try settings.merging(body) }
    }
    return .json(settings.json)
  }

  func worldList() -> Response {
    .json(.array(worlds.names.map { ["name": .string($0.text)] }))
  }

  /// `POST reset`, with the clock that the world begins with if the body has one.
  func reset(_ call: BackstageCall) async throws -> Response {
    let clock = try clockBeginning(call)
    try await world.reset(at: clock.time, isFrozen: clock.isFrozen)
    standpoint?.forgetChanges(in: world)
    return .json(["name": .string(world.name.text)])
  }

  func dropWorld(_ text: String) throws -> Response {
    guard let name = WorldName(text) else { throw BackstageRefusal.unknownWorldName }
    guard worlds.drop(name) else {
      throw BackstageRefusal(
        .notFound,
        worlds.names.contains(name)
          ? "The world \(name.text) is stored and stays: POST reset puts it back to its seed."
          : "No world \(name.text) has been used."
      )
    }
    return .noContent
  }
}
