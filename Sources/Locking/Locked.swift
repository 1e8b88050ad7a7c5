package import Glibc

/// A value protected by a POSIX mutex.
///
/// Not `Synchronization.Mutex`: on Linux its futex calls are invisible to ThreadSanitizer, which
/// then reports races where there are none. A report that can be trusted is worth more here than
/// the last nanoseconds, so every room uses this lock.
///
/// A thread that finds the lock taken spins briefly before the system puts it to sleep: what is
/// done under a lock is over sooner than a thread can be woken.
///
/// `@unchecked Sendable` holds because the value is only reached through `withLock`. The value need
/// not be Sendable itself, such as a C library's pointer: no reference to it may leave the lock
/// then.
package final class Locked<Value>: @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// Not checked for overlapping accesses at run time: the mutex rules them out.
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

  /// Calls `body` with exclusive access to the value.
  ///
  /// `body` must not wait, and must not take this lock again.
  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
