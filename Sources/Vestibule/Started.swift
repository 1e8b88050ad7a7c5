internal import Foundation
internal import Locking

/// Work of a start that is done on another thread while the starting one continues.
final class Started<Value: Sendable>: Sendable {
  private let outcome = Locked<Result<Value, StartFailure>?>(nil)
  private let end = DispatchGroup()

  init(_ work: @escaping @Sendable () throws(StartFailure) -> Value) {
    DispatchQueue.global().async(group: end) { [outcome] in
      let result = Result { () throws(StartFailure) in try work() }
      outcome.withLock { $0 = result }
    }
  }

  /// Waits until the work is done, and returns its result.
  func value() throws(StartFailure) -> Value {
    end.wait()
    guard let result = outcome.withLock(\.self) else {
      preconditionFailure("the group is left once there is an outcome")
    }
    return try result.get()
  }
}
