internal import Foundation

/// A value that several threads may change, one at a time.
///
/// It rests on a pthread mutex, which the thread sanitizer understands.
/// Sendable, though unchecked: the value is reached only while the lock is held.
final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
