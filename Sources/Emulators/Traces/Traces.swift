public import Foundation
internal import HTTPExchange

/// One page request with the API calls that it made, or one call that came from elsewhere.
public struct Trace: Sendable, Hashable {
  /// The numbers that name traces.
  public static let numbers = 1...1_000_000_000_000

  /// Later ones have greater numbers.
  public var number: Int
  /// By the world's clock.
  public var startedAt: Date
  /// Nil for a call from another process.
  public var page: PageRequest?
  public var calls: [TracedCall]

  public init(number: Int, startedAt: Date, page: PageRequest?, calls: [TracedCall]) {
    self.number = number
    self.startedAt = startedAt
    self.page = page
    self.calls = calls
  }

  public var id: String { "trace_\(number)" }

  public var duration: Duration { calls.reduce(.zero) { $0 + $1.duration } }
}

/// The newest traces of one world.
public final class Traces: Sendable {
  /// How many are kept.
  public static let limit = 200
  /// How many calls are kept of one page request.
  private static let callLimit = 100

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
    }

    var number: Int
    var startedAt: Date
    var page: PageRequest?
    var calls: [Call]

    var trace: Trace {
      Trace(number: number, startedAt: startedAt, page: page, calls: calls.map(\.traced))
    }
  }

  private struct State: Sendable {
    var traces: [Kept] = []
    var count = 0
  }

  private let state = Locked(State())

  init() {}

  /// Newest first.
  public var all: [Trace] {
    state.withLock { $0.traces.suffix(Self.limit) }.reversed().map(\.trace)
  }

  public func removeAll() {
    state.withLock { $0.traces = [] }
  }

  /// Puts the traces of another world in place of these.
  ///
  /// - Parameter traces: Newest first; more than are kept are cut off.
  public func replace(with traces: [Trace]) {
    state.withLock { state in
      state.traces = traces.prefix(Self.limit).reversed().map { trace in
        Kept(
          number: trace.number,
          startedAt: trace.startedAt,
          page: trace.page,
          calls: trace.calls.map(Kept.Call.told)
        )
      }
      // Later ones go on counting.
      state.count = max(state.count, traces.map(\.number).max() ?? 0)
    }
  }

  func add(_ call: SeenCall, by page: PageRequest?, at date: Date) {
    state.withLock { state in
      let index = page.flatMap { page in state.traces.lastIndex { $0.page?.id == page.id } }
      if let index {
        guard state.traces[index].calls.count < Self.callLimit else { return }
        state.traces[index].calls.append(.seen(call))
        return
      }
      state.count += 1
      state.traces.append(
        Kept(number: state.count, startedAt: date, page: page, calls: [.seen(call)])
      )
      // Many at a time: each removal moves all that stay.
      if state.traces.count > 2 * Self.limit { state.traces.removeFirst(Self.limit) }
    }
  }
}
