internal import Emulators
internal import HTTPExchange
internal import HTTPTypes

extension BackstageContext {
  /// `GET traces`, all of them or those of a visit.
  func traces(_ call: BackstageCall) throws(BackstageRefusal) -> Response {
    try call.refuseEmpty("visit")
    let stories = TraceStories(world.traces.all)
    let traces = call.filled("visit").map { id in stories.all.filter { $0.visitID == id } }
    return .json(
      .array((traces ?? stories.all).map { stories.json(of: $0, for: worlds.api) })
    )
  }

  /// `GET traces/VISIT.har`, or `all.har`.
  func traceArchive(_ name: String, _ call: BackstageCall) throws(BackstageRefusal) -> Response {
    let origin = "\(scheme)://\(call.host ?? "localhost")"
    guard let archive = HTTPArchive(named: name, of: world.traces.all, origin: origin) else {
      throw BackstageRefusal(
        .notFound,
        "There is no trace '\(name.prefix(100))': name a visit's, VISIT.har, or all.har."
      )
    }
    return .json(archive.json)
  }

  func deleteTraces() -> Response {
    world.traces.removeAll()
    return .noContent
  }
}
