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
    state.withLock { $0.traces.suffix(Self.limit) }.reversed().map(\.trace)
  }

  /// How many there are.
  public var count: Int { state.withLock { min($0.traces.count, Self.limit) } }

  public func removeAll() {
    state.withLock { state in
      room.giveBack(state.answerByteCount)
      state.traces = []
      state.visits = [:]
      state.numbers = [:]
      state.answerByteCount = 0
    }
  }

  /// The number of a visit by its name; nil where it has asked for nothing that is kept.
  public func visit(named name: String) -> Int? { state.withLock { $0.visits[name] } }

  /// Puts the traces of another world in place of these.
  ///
  /// - Parameter traces: Newest first; more than are kept are cut off.
  public func replace(with traces: [Trace]) {
    removeAll()
    state.withLock { state in
      state.traces = traces.prefix(Self.limit).reversed().map(Kept.init)
      // Later ones go on counting.
      state.count = max(state.count, traces.map(\.number).max() ?? 0)
      state.visitCount = max(state.visitCount, traces.compactMap(\.visit).max() ?? 0)
    }
  }

  /// Notes a call.
  func add(_ call: SeenCall, by page: PageRequest?) {
    var call = call
    if let answer = call.answer, !room.take(answer.count) { call.answer = nil }
    state.withLock { state in
      let index = state.index(of: page, at: call.startedAt)
      guard state.traces[index].calls.count < Self.callLimit else {
        room.giveBack(call.answer?.count ?? 0)
        return
      }
      state.answerByteCount += call.answer?.count ?? 0
      state.traces[index].calls.append(.seen(call))
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
      state.traces[index].answer = answer
      state.traces[index].visit = state.number(ofVisit: visit)
      room.giveBack(state.makeRoom(Self.limit, Self.answerLimitBytes))
    }
  }
}

/// A trace whose calls are worded once it is read.
private struct Kept: Sendable {
  enum Call: Sendable {
    case told(TracedCall)
    case seen(SeenCall)

    var traced: TracedCall {
      switch self {
      case .told(let call): call
      case .seen(let call): TracedCall(call)
      }
    }

    var answerByteCount: Int {
      switch self {
      case .told: 0
      case .seen(let call): call.answer?.count ?? 0
      }
    }

    /// Keeps of the answer what it says went wrong; one that says nothing of that is not read for it.
    mutating func forgetAnswer() {
      guard case .seen(var call) = self, call.answer != nil else { return }
      if call.status >= 400 {
        var told = TracedCall(call)
        told.answer = nil
        self = .told(told)
      } else {
        call.answer = nil
        self = .seen(call)
      }
    }
  }

  var number: Int
  var startedAt: Date
  var page: PageRequest?
  var visit: Int?
  var answer: PageAnswer?
  var calls: [Call] = []

  init(number: Int, startedAt: Date, page: PageRequest?) {
    self.number = number
    self.startedAt = startedAt
    self.page = page
  }

  init(_ trace: Trace) {
    self.init(number: trace.number, startedAt: trace.startedAt, page: trace.page)
    visit = trace.visit
    answer = trace.answer
    calls = trace.calls.map(Call.told)
  }

  var trace: Trace {
    Trace(
      number: number,
      startedAt: startedAt,
      page: page,
      visit: visit,
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
  var traces: [Kept] = []
  var count = 0
  /// The traces of page requests: a call may end after its page has gone out.
  var numbers: [UInt64: Int] = [:]
  /// By the names that the site gives them.
  var visits: [String: Int] = [:]
  var visitCount = 0
  var answerByteCount = 0

  /// Where the trace of that page request stands, which begins here if it is not there yet.
  mutating func index(of page: PageRequest?, at date: Date) -> Int {
    if let page, let number = numbers[page.id] {
      // Those that were added here have followed each other.
      let index = traces.count - 1 - (count - number)
      if traces.indices.contains(index) { return index }
    }
    count += 1
    traces.append(Kept(number: count, startedAt: date, page: page))
    if let page { numbers[page.id] = count }
    return traces.count - 1
  }

  mutating func number(ofVisit names: [String]) -> Int? {
    guard let name = names.first else { return nil }
    if let known = names.compactMap({ visits[$0] }).first {
      visits[name] = known
      return known
    }
    visitCount += 1
    visits[name] = visitCount
    return visitCount
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
      traces.removeFirst(surplus)
      let kept = Set(traces.compactMap(\.visit))
      visits = visits.filter { kept.contains($0.value) }
      numbers = numbers.filter { $0.value > count - traces.count }
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
