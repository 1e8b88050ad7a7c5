import Glibc
import Vestibule

/// How many threads the process may have.
enum Threads {
  /// The server's and the client's, the log's, those of databases and of Swift's concurrency, and some to spare.
  private static let neededCount = 24

  /// Tries whether the system has room for as many as serving takes, and gives them back.
  ///
  /// Of those that are asked for later some would not come where it has none, and whoever waits for what they
  /// are to do would wait without an end and without a word.
  ///
  /// - Parameter stackBytes: What each is to have; they do nothing with it.
  /// - Throws: `StartFailure` where one cannot be had.
  static func requireRoom(stackBytes: Int = 64 * 1024) throws(StartFailure) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackBytes)
    // Held until all are there: each waits for it and ends.
    let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    defer { gate.deallocate() }
    pthread_mutex_init(gate, nil)
    defer { pthread_mutex_destroy(gate) }
    pthread_mutex_lock(gate)
    var threads: [pthread_t] = []
    var status: Int32 = 0
    while threads.count < neededCount, status == 0 {
      var thread = pthread_t()
      status = pthread_create(
        &thread,
        &attributes,
        { gate in
          guard let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
          pthread_mutex_lock(gate)
          pthread_mutex_unlock(gate)
          return nil
        },
        gate
      )
      if status == 0 { threads.append(thread) }
    }
    pthread_mutex_unlock(gate)
    for thread in threads { pthread_join(thread, nil) }
    guard status == 0 else {
      throw StartFailure(
        .unavailable,
        "The system has no room for \(neededCount) threads (\(String(cString: strerror(status)))): raise "
          + "its limit of processes (ulimit -u, a container's limit of processes, TasksMax of a service)"
      )
    }
  }
}
