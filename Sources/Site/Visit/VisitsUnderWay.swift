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
    fileprivate(set) var isLeft = false
    /// Whether another answer has signed somebody out.
    fileprivate(set) var isOut = false
    /// The visit as kept by the last answer that did not renew its id; nil if there is none.
    fileprivate(set) var latest: Visit?

    /// Whether no other answer is still being made.
    var isLast: Bool { answerCount <= 1 }
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

  /// Records that an answer has given the visit another id.
  ///
  /// - Parameters:
  ///   - id: The id before.
  ///   - isOut: Whether somebody was signed out by that, rather than in.
  func leave(_ id: String, goingOut isOut: Bool) {
    standings.withLock { standings in
      standings[id]?.isLeft = true
      if isOut { standings[id]?.isOut = true }
    }
  }

  /// Records the visit that an answer keeps under its id, for the answers still being made.
  func keep(_ visit: Visit) {
    standings.withLock { $0[visit.id]?.latest = visit }
  }

  /// What has happened to the visit while an answer was made.
  func standing(of id: String) -> Standing {
    standings.withLock { $0[id] } ?? Standing()
  }
}
