internal import Locking

/// The visits for which answers are being worked out, so that one that takes longer does not put back into
/// the browser what another has left behind (S16).
///
/// Two tabs send the same cookies. Where one gets somebody in or out while the other is still asking, the
/// browser would keep whichever answer comes last, and with it a visit that nobody is in any more. Only
/// what overlaps is told apart, by the replica that answers both: a request that comes later with the cookies
/// of before may be of a browser that never got the answer (S13).
///
/// Whoever goes out is out, whatever else they had asked for: where the auth API ends no session, a form
/// that it takes meanwhile would bring it back. A sign-in that begins afterwards is not touched by that,
/// since the visit has another id then: going out gave it one.
final class VisitsUnderWay: Sendable {
  private struct Standing {
    var answerCount = 0
    var isLeft = false
    /// Whether somebody went out by that.
    var isOut = false
  }

  private let standings = Locked<[String: Standing]>([:])

  /// - Parameters:
  ///   - id: The visit's, as the request brought it; nil for a visit that the browser does not have.
  ///   - work: Works out the answer.
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

  /// Says that an answer has given the visit another id.
  ///
  /// - Parameters:
  ///   - id: The one before.
  ///   - isOut: Whether somebody went out by that, rather than in.
  func leave(_ id: String, goingOut isOut: Bool) {
    standings.withLock { standings in
      standings[id]?.isLeft = true
      if isOut { standings[id]?.isOut = true }
    }
  }

  /// Whether another answer did so while this one was worked out.
  func isLeft(_ id: String) -> Bool {
    standings.withLock { $0[id]?.isLeft == true }
  }

  /// Whether somebody went out by another answer while this one was worked out.
  func isOut(_ id: String) -> Bool {
    standings.withLock { $0[id]?.isOut == true }
  }
}
