internal import Locking

/// The visits for which answers are being made, so that a slow answer does not restore in the
/// browser what another one has left behind (S16).
///
/// Two tabs send the same cookies. If one signs somebody in or out while the other still waits, the
/// browser keeps the answer that comes last, and with it perhaps a visit that is over. Only
/// overlapping requests can be told apart, by the replica that answers both: a later request with
/// the old cookies may be from a browser that never got the answer (S13).
///
/// A sign-out holds, whatever else was requested meanwhile: where the auth API ends no session, a
/// form that it accepts in the meantime would undo the sign-out. A sign-in that begins afterwards
/// is not affected, since the sign-out has renewed the visit's id.
///
/// An attempt that one tab begins survives the late answer to another tab's form, too.
final class VisitsUnderWay: Sendable {
  /// What other answers have done to a visit while an answer was made.
  struct Standing {
    fileprivate var answerCount = 0
    /// Whether another answer has renewed the visit's id.
    private(set) var isLeft = false
    /// Whether another answer has signed somebody out.
    private(set) var isOut = false
    /// The visit as kept by the last answer that did not renew its id; nil if there is none.
    private(set) var latest: Visit?

    /// Records that this answer gives the visit another id.
    ///
    /// - Parameter isOut: Whether somebody was signed out by that, rather than in.
    mutating func leave(goingOut isOut: Bool) {
      isLeft = true
      if isOut { self.isOut = true }
    }

    /// Records the visit that this answer keeps under its id, if others are still being made.
    mutating func keep(_ visit: Visit) {
      if answerCount > 1 { latest = visit }
    }
  }

  private let standings = Locked<[String: Standing]>([:])

  /// - Parameters:
  ///   - id: The visit's id in the request; nil for a visit that the browser does not have.
  ///   - work: Makes the answer.
  /// - Returns: The answer.
  func answering<Value>(_ id: String?, _ work: () async -> Value) async -> Value {
    guard let id else { return await work() }
    standings.withLock { $0[id, default: Standing()].answerCount += 1 }
    defer {
      standings.withLock { standings in
        standings[id]?.answerCount -= 1
        if standings[id]?.answerCount == 0 { standings[id] = nil }
      }
    }
    return await work()
  }

  /// Reads what other answers have done to a visit, and records what this one does, in one step: of
  /// two that end together, the second knows of the first.
  ///
  /// - Parameters:
  ///   - id: The visit's id in the request.
  ///   - change: Reads and records; it must not wait.
  /// - Returns: What `change` returns.
  func settle<Value>(_ id: String, _ change: (inout Standing) -> Value) -> Value {
    standings.withLock { standings in
      var standing = standings[id] ?? Standing()
      let value = change(&standing)
      if standings[id] != nil { standings[id] = standing }
      return value
    }
  }
}
