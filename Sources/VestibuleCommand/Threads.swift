import Glibc
import Vestibule

/// The number of threads that the process may have.
enum Threads {
  /// Threads for the server, the client, the log, databases and Swift's concurrency, and some to spare.
  private static let neededCount = 24

  /// Checks that the system has room for as many threads as serving takes, by creating and ending them.
  ///
  /// If there is no room, some of the threads created later would be missing, and whoever waits for their work would
  /// wait for ever, without any message.
  ///
  /// - Parameter stackBytes: The stack size of each, which they do not use; nil is the system's, as later threads have.
  /// - Throws: `StartFailure` if one cannot be created.
  static func requireRoom(stackBytes: Int? = nil) throws(StartFailure) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
    // Held until all have been created: each waits for it and then ends.
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
        "The system cannot start \(neededCount) threads (\(String(cString: strerror(status)))): raise "
          + limits
      )
    }
  }

  /// The limits that may be to blame, the likely one first: the system reports the same error for each.
  private static var limits: String {
    let ofProcesses =
      "its limit on processes (ulimit -u, a container's process limit, TasksMax of a service)"
    var addresses = rlimit()
    let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &addresses) == 0
    // `RLIM_INFINITY`, which is not imported.
    guard isKnown, addresses.rlim_cur != rlim_t.max else { return ofProcesses }
    return "its limit on memory (ulimit -v, now \(addresses.rlim_cur / 1024) KB), or \(ofProcesses)"
  }
}
