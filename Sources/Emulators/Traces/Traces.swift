public import Foundation
internal import Locking

/// How much all worlds of a process may keep of the answers to their calls.
final class TraceRoom: Sendable {
  static let limitBytes = 16 * 1024 * 1024
  private let taken = Locked(0)

  /// Whether there is room for so many bytes, which are then taken.
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
  /// How much the answers to calls take together, in bytes: older ones are then told without theirs.
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

  /// The number of a visit by its name; nil where it has asked for nothing that is kept.
  public func visit(named name: String) -> Int? {
    state.withLock { state in
      state.numberVisits()
      return state.visits[name]
    }
  }

  /// Puts the traces of another world in place of these.
  ///
  /// - Parameter traces: Newest first; more than are kept are cut off, and so are calls and answers.
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
      // Later ones go on counting.
      state.count = max(state.count, traces.map(\.number).max() ?? 0)
      state.visitCount = max(state.visitCount, traces.compactMap(\.visit).max() ?? 0)
    }
  }

  /// Notes a call.
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

  /// Notes what became of the page request that is being answered; nothing where none is.
  ///
  /// - Parameters:
  ///   - visit: What the site calls the visit, and called it before, newest first.
  ///   - date: By the world's clock.
  ///   - answer: Told how long it took.
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

/// A trace whose calls are worded once it is read.
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

    /// Keeps of the answer what it says went wrong; one that says nothing of that is not read for it.
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

  /// Numbered once somebody looks, which for most traces nobody does.
  enum Visit: Sendable {
    /// What the site calls it, and called it before, newest first.
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
  /// The page request of each trace, zero for none: a call may end after its page has gone out.
  ///
  /// Beside the traces, since it is looked through at every page.
  private var pages: [UInt64] = []
  /// The newest page request that has ever had a trace here: any newer one has none yet.
  private var newestPage: UInt64 = 0
  var count = 0
  /// By the names that the site gives them, of those that somebody has looked at.
  private(set) var visits: [String: Int] = [:]
  var visitCount = 0
  private(set) var answerByteCount = 0

  /// - Returns: Where it stands.
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

  /// Where the trace of that page request stands, which begins here if it is not there yet.
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
    // By its earlier names too: a trace that began later may have been noted before.
    for name in names { visits[name] = number }
    return number
  }

  /// Lets go of what is too old, many at a time.
  ///
  /// - Returns: How many bytes of answers went.
  mutating func makeRoom(_ limit: Int, _ limitBytes: Int) -> Int {
    var freed = 0
    if traces.count >= 2 * limit {
      // Many at a time, since each removal moves all that stay, and goes through all visits.
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
