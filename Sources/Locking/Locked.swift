package import Glibc

/// A value behind a POSIX mutex.
///
/// Not `Synchronization.Mutex`: on Linux its futex calls are invisible to ThreadSanitizer, which
/// then reports races that are none, and a clean report is worth more here than the last
/// nanoseconds. So every room's lock is this one, and in none must a report be believed less.
///
/// Who finds it taken looks a few times more before the system puts the thread to sleep: what is
/// done within a lock is over sooner than a thread is woken.
///
/// `@unchecked Sendable` holds since the value is reached by `withLock` alone. It may be one that is
/// not Sendable, such as a C library's pointer: then no reference to it may leave the lock.
package final class Locked<Value>: @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// Not watched for overlapping accesses, which the mutex keeps apart.
  @usableFromInline @exclusivity(unchecked) var value: Value

  package init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    defer { pthread_mutexattr_destroy(&attributes) }
    pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
    let code = pthread_mutex_init(mutex, &attributes)
    precondition(code == 0, "pthread_mutex_init failed with \(code)")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Calls the function while no other thread is in the value; it must not wait and must not enter
  /// the same lock again.
  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
