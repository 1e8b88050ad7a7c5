internal import Glibc

/// The number of files and sockets that the process may have open.
enum FileDescriptors {
  /// Descriptors needed besides browsers' connections: for calls to the auth API, the database, files.
  static let ownCount = 160

  /// Raises the process's soft limit to what that many connections need, as far as allowed.
  ///
  /// - Parameter connectionCount: How many connections are to be served at once.
  /// - Returns: How many can be; fewer if the hard limit is too low.
  static func make(roomFor connectionCount: Int) -> Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return connectionCount }
    let needed = rlim_t(connectionCount + ownCount)
    if limit.rlim_cur < needed {
      limit.rlim_cur = min(needed, limit.rlim_max)
      guard setrlimit(resource, &limit) == 0 else { return connectionCount }
    }
    let room = Int(clamping: min(limit.rlim_cur, rlim_t(Int32.max))) - ownCount
    return max(16, min(connectionCount, room))
  }
}
