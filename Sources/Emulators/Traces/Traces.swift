public import Foundation
internal import Locking

/// The memory that all worlds of a process share for the answers to their calls.
final class TraceRoom: Sendable {
  static let limitBytes = 16 * 1024 * 1024
  private let taken = Locked(0)

  /// Takes that many bytes; false if there is not enough room.
  func take(_ count: Int) -> Bool {
    taken.withLock { taken in
      guard taken + count <= Self.limitBytes else { return false }
      taken += count
      return true
    }
  }

  func giveBack(_ count: Int) {
    taken.withLock { $0 -= count }
  }
}

/// The newest traces of one world.
public final class Traces: Sendable {
  /// How many are kept.
  public static let limit = 200
  /// How many calls are kept of one page request.
  private static let callLimit = 100
  /// How many bytes the answers to calls may take together; beyond that, older calls lose theirs.
  private static let answerLimitBytes = 2 * 1024 * 1024

  private let state: Locked<State>
  private let room: TraceRoom

  init(in room: TraceRoom = TraceRoom()) {
    self.room = room
    state = Locked(State())
  }

  deinit { room.giveBack(state.withLock { $0.answerByteCount }) }

  /// Newest first.
  public var all: [Trace] {
    state.withLock { state in
      state.numberVisits()
      return state.traces.suffix(Self.limit)
    }.reversed().map(\.trace)
  }

  /// How many there are.
  public var count: Int { state.withLock { min($0.traces.count, Self.limit) } }

  public func removeAll() {
    state.withLock { state in
      room.giveBack(state.answerByteCount)
      state.removeTraces()
    }
  }

  /// The number of a visit by its name; nil if no trace of it is kept.
  public func visit(named name: String) -> Int? {
    state.withLock { state in
      state.numberVisits()
      return state.visits[name]
    }
  }

  /// Replaces these traces with those of another world.
  ///
  /// - Parameter traces: Newest first; traces, calls and answers beyond the limits are dropped.
  public func replace(with traces: [Trace]) {
    removeAll()
    state.withLock { state in
      for trace in traces.prefix(Self.limit).reversed() {
        let index = state.append(Kept(trace))
        for call in trace.calls.prefix(Self.callLimit) {
          var kept = Kept.Call.told(call, answerByteCount: call.answer?.encoded.count ?? 0)
          if !room.take(kept.answerByteCount) { kept.forgetAnswer() }
          state.add(kept, toTraceAt: index)
        }
      }
      room.giveBack(state.makeRoom(Self.limit, Self.answerLimitBytes))
      // Later traces and visits continue the numbering.
      state.count = max(state.count, traces.map(\.number).max() ?? 0)
      state.visitCount = max(state.visitCount, traces.compactMap(\.visit).max() ?? 0)
    }
  }

  func add(_ call: SeenCall, by page: PageRequest?) {
    var kept = Kept.Call.seen(call)
    if !room.take(kept.answerByteCount) { kept.forgetAnswer() }
    state.withLock { state in
      let index = state.index(of: page, at: call.startedAt)
      guard state.traces[index].calls.count < Self.callLimit else {
        room.giveBack(kept.answerByteCount)
        return
      }
      state.add(kept, toTraceAt: index)
      room.giveBack(state.makeRoom(Self.limit, Self.answerLimitBytes))
    }
  }

  /// Records the answer to the current page request; does nothing if there is none.
  ///
  /// - Parameters:
  ///   - visit: The site's names of the visit, present and former, newest first.
  ///   - date: By the world's clock.
  ///   - answer: Makes the answer, given how long it took.
  public func note(
    _ visit: [String],
    at date: Date,
    _ answer: (Duration) -> PageAnswer
  ) {
    guard let page = PageRequest.current else { return }
    let duration = ContinuousClock.now - page.begin
    let answer = answer(duration)
    state.withLock { state in
      let begin = date.addingTimeInterval(-(duration / .seconds(1)))
      let index = state.index(of: page, at: begin)
      state.finish(index, by: answer, ofVisit: visit)
      room.giveBack(state.makeRoom(Self.limit, Self.answerLimitBytes))
    }
  }
}

/// A trace whose calls become `TracedCall`s only when it is read.
private struct Kept: Sendable {
  enum Call: Sendable {
    case told(TracedCall, answerByteCount: Int)
    case seen(SeenCall)

    var traced: TracedCall {
      switch self {
      case .told(let call, _): call
      case .seen(let call): TracedCall(call)
      }
    }

    var answerByteCount: Int {
      switch self {
      case .told(_, let count): count
      case .seen(let call): call.answer?.count ?? 0
      }
    }

    /// Drops the answer but keeps the errors that it names; a successful answer is not parsed for
    /// that.
    mutating func forgetAnswer() {
      switch self {
      case .seen(let call) where call.answer != nil && call.status >= 400:
        self = Self.told(TracedCall(call), answerByteCount: 0).withoutAnswer
      case .seen, .told: self = withoutAnswer
      }
    }

    private var withoutAnswer: Call {
      switch self {
      case .told(var call, _):
        call.answer = nil
        return .told(call, answerByteCount: 0)
      case .seen(var call):
        call.answer = nil
        return .seen(call)
      }
    }
  }

  /// A visit, numbered only when somebody looks, which is rare.
  enum Visit: Sendable {
    /// The site's names of it, present and former, newest first.
    case named([String])
    case numbered(Int)

    var number: Int? {
      if case .numbered(let number) = self { return number }
      return nil
    }
  }

  var number: Int
  var startedAt: Date
  var page: PageRequest?
  var visit: Visit?
  var answer: PageAnswer?
  var calls: [Call] = []

  init(number: Int, startedAt: Date, page: PageRequest?) {
    self.number = number
    self.startedAt = startedAt
    self.page = page
  }

  /// Without its calls.
  init(_ trace: Trace) {
    self.init(number: trace.number, startedAt: trace.startedAt, page: trace.page)
    visit = trace.visit.map(Visit.numbered)
    answer = trace.answer
  }

  var trace: Trace {
    Trace(
      number: number,
      startedAt: startedAt,
      page: page,
      visit: visit?.number,
      answer: answer,
      calls: calls.map(\.traced)
    )
  }

  var answerByteCount: Int { calls.reduce(0) { $0 + $1.answerByteCount } }

  mutating func forgetAnswers() {
    for index in calls.indices { calls[index].forgetAnswer() }
  }
}

private struct State: Sendable {
  private(set) var traces: [Kept] = []
  /// The id of each trace's page request, zero for none: a call may end after its page was sent.
  ///
  /// Kept apart from the traces, since it is searched at every page.
  private var pages: [UInt64] = []
  /// The newest page request that ever had a trace here; any newer one has none yet.
  private var newestPage: UInt64 = 0
  var count = 0
  /// The numbers of visits by the site's names for them, once somebody has looked.
  private(set) var visits: [String: Int] = [:]
  var visitCount = 0
  private(set) var answerByteCount = 0

  /// - Returns: Its index.
  mutating func append(_ trace: Kept) -> Int {
    traces.append(trace)
    let page = trace.page?.id ?? 0
    pages.append(page)
    newestPage = max(newestPage, page)
    return traces.count - 1
  }

  mutating func removeTraces() {
    traces = []
    pages = []
    visits = [:]
    answerByteCount = 0
  }

  /// The index of the page request's trace, which begins here if there is none yet.
  mutating func index(of page: PageRequest?, at date: Date) -> Int {
    if let page, page.id <= newestPage, let index = pages.lastIndex(of: page.id) { return index }
    count += 1
    return append(Kept(number: count, startedAt: date, page: page))
  }

  mutating func add(_ call: Kept.Call, toTraceAt index: Int) {
    traces[index].calls.append(call)
    answerByteCount += call.answerByteCount
  }

  mutating func finish(_ index: Int, by answer: PageAnswer, ofVisit names: [String]) {
    traces[index].answer = answer
    traces[index].visit = .named(names)
  }

  /// Gives the visits of all traces their numbers.
  mutating func numberVisits() {
    for index in traces.indices {
      guard case .named(let names)? = traces[index].visit else { continue }
      traces[index].visit = number(ofVisit: names).map(Kept.Visit.numbered)
    }
  }

  private mutating func number(ofVisit names: [String]) -> Int? {
    guard !names.isEmpty else { return nil }
    let known = names.lazy.compactMap { [visits] in visits[$0] }.first
    if known == nil { visitCount += 1 }
    let number = known ?? visitCount
    // Under its earlier names too: a trace that began later may have been recorded before.
    for name in names { visits[name] = number }
    return number
  }

  /// Drops traces and answers that are too old, many at a time.
  ///
  /// - Returns: How many bytes of answers went.
  mutating func makeRoom(_ limit: Int, _ limitBytes: Int) -> Int {
    var freed = 0
    if traces.count >= 2 * limit {
      // Many at a time, since each removal moves all that stay and goes through all visits.
      let surplus = traces.count - limit
      freed += traces.prefix(surplus).reduce(0) { $0 + $1.answerByteCount }
      // Once somebody has looked, visits keep the numbers that they would have had.
      if !visits.isEmpty { numberVisits() }
      traces.removeFirst(surplus)
      pages.removeFirst(surplus)
      if !visits.isEmpty {
        let kept = Set(traces.compactMap(\.visit?.number))
        visits = visits.filter { kept.contains($0.value) }
      }
    }
    if answerByteCount - freed > limitBytes {
      for index in traces.indices where answerByteCount - freed > limitBytes * 3 / 4 {
        freed += traces[index].answerByteCount
        traces[index].forgetAnswers()
      }
    }
    answerByteCount -= freed
    return freed
  }
}
