internal import Emulators
internal import HTTPExchange
internal import HTTPTypes

extension BackstageContext {
  /// `GET traces`, all of them or those of a visit.
  func traces(_ call: BackstageCall) throws(BackstageRefusal) -> Response {
    let visit = try visitFilter(of: call)
    let stories = TraceStories(world.traces.all)
    let traces =
      switch visit {
      case .any: stories.all
      case .number(let number): stories.all.filter { $0.visit == number }
      case .untraced: [Trace]()
      }
    return .json(.array(traces.map { stories.json(of: $0, for: worlds.api) }))
  }

  /// Which traces are listed.
  private enum VisitFilter {
    case any
    case number(Int)
    /// The caller's own visit, of which no trace is kept.
    case untraced
  }

  private func visitFilter(of call: BackstageCall) throws(BackstageRefusal) -> VisitFilter {
    try call.refuseEmpty("visit")
    guard let visit = call.filled("visit") else { return .any }
    guard visit == TracesPage.ownVisit else {
      // A misspelt visit must not look like one without any calls.
      guard let number = Trace.visit(ofID: visit) else {
        throw .invalid("'visit' must be the ID of a visit, such as visit_3, or current.")
      }
      return .number(number)
    }
    guard let name = request.flatMap(visitName) else {
      throw .invalid("No visit is current: send the cookies of a browser that is on the pages.")
    }
    return world.traces.visit(named: name).map(VisitFilter.number) ?? .untraced
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
