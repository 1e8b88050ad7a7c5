internal import Emulators

/// The traces of a world as the stories of its visits: what each error of a call came to on the pages.
struct TraceStories {
  /// An error in the response to a call.
  struct Problem {
    var code: String
    /// All details of it: those of the API under its own names, and those that the page adds.
    var facts: [JSON.Member]
    /// Nil if no page has shown it.
    var placement: Placement?
  }

  /// Where a page shows an error.
  struct Placement {
    var traceID: String
    var page: String
    /// Nil for the banner.
    var field: String?
  }

  /// Newest first.
  let all: [Trace]
  /// By visit, oldest first.
  private let visits: [Int: [Trace]]

  init(_ traces: [Trace]) {
    all = traces
    visits = Dictionary(grouping: traces.reversed().filter { $0.visit != nil }) { $0.visit ?? 0 }
  }

  /// The visits, newest first, each with its requests in order.
  ///
  /// Calls of other clients come last, under nil.
  var byVisit: [(visit: Int?, traces: [Trace])] {
    let others = all.filter { $0.visit == nil }.reversed()
    let stories = visits.sorted { ($0.value.last?.number ?? 0) > ($1.value.last?.number ?? 0) }
      .map { (visit: Int?.some($0.key), traces: $0.value) }
    return stories + (others.isEmpty ? [] : [(visit: nil, traces: Array(others))])
  }

  /// A trace with the snippets of its calls, and with what their errors came to.
  func json(of trace: Trace, for api: EmulatedAPI) -> JSON {
    trace.json(
      calls: trace.calls.map { call in
        var json = call.json
        json["problems"] = .array(problems(of: call, in: trace).map(\.json))
        json["snippets"] = .object(
          CallSnippet.all(of: call, to: api).map { .init($0.language, .string($0.text)) }
        )
        return json
      }
    )
  }

  func problems(of call: TracedCall, in trace: Trace) -> [Problem] {
    let said = call.answer?.said ?? []
    return call.errorCodes.enumerated().map { index, code in
      let told = message(about: code, by: trace)
      var facts = told?.message.detail.members ?? [.init("kind", "api")]
      let more = said.indices.contains(index) ? said[index] : [.init("code", .string(code))]
      facts += more.filter { member in !facts.contains { $0.name == member.name } }
      return Problem(code: code, facts: facts, placement: told?.placement)
    }
  }

  /// The messages of a page that do not come from its own calls.
  func ownMessages(of trace: Trace) -> [PageAnswer.Message] {
    let codes = trace.calls.flatMap(\.errorCodes)
    return (trace.answer?.messages ?? []).filter { message in
      !codes.contains { message.isAbout($0) }
    }
  }

  /// Finds the message about an error on the page of the response, or on the page that it
  /// redirected to.
  private func message(
    about code: String,
    by trace: Trace
  ) -> (message: PageAnswer.Message, placement: Placement)? {
    let next = trace.answer?.location.flatMap { location in
      (trace.visit.flatMap { visits[$0] } ?? []).first {
        $0.number > trace.number && $0.page?.path == location
      }
    }
    for teller in [trace, next].compactMap(\.self) {
      guard let answer = teller.answer,
        let message = answer.messages.first(where: { $0.isAbout(code) })
      else { continue }
      let page = answer.page ?? teller.page?.path ?? ""
      return (message, Placement(traceID: teller.id, page: page, field: message.field))
    }
    return nil
  }
}

extension TraceStories.Problem {
  fileprivate var json: JSON {
    let shown = placement.map { placement -> JSON in
      [
        "trace": .string(placement.traceID), "page": .string(placement.page),
        "field": .optional(placement.field),
      ]
    }
    return .object(facts + [.init("shown", shown ?? .null)])
  }
}

extension PageAnswer.Message {
  /// Whether it shows that error of the API.
  func isAbout(_ code: String) -> Bool {
    self.code == code || detail["code"]?.string == code || detail["error"]?.string == code
  }
}

extension JSON {
  var members: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// What a response says about each of its errors.
  fileprivate var said: [[Member]] {
    if let errors = self["errors"]?.array { return errors.compactMap(\.members) }
    let told: Set = [
      "error", "suberror", "error_codes", "error_description", "correlation_id", "trace_id",
      "timestamp", "invalid_attributes", "required_attributes", "claims",
    ]
    return members.map { [$0.filter { told.contains($0.name) }] } ?? []
  }
}
