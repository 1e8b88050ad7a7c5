import Glibc
import Vestibule

/// Disables this process's core dumps, which would hold what people have typed (S28), from `init` on.
struct CoreDumps {
  /// The limit that this program was started with.
  private var inherited = rlimit()

  init() {
    getrlimit(Self.resource, &inherited)
    forbid()
  }

  /// Starts another program under the limit that this one was started with: its core dumps are its own matter.
  func allowed<Result>(
    _ start: () throws(StartFailure) -> Result
  ) throws(StartFailure) -> Result {
    var limit = inherited
    setrlimit(Self.resource, &limit)
    defer { forbid() }
    return try start()
  }

  /// Keeps the hard limit: once lowered, it cannot be raised again.
  private func forbid() {
    var none = rlimit(rlim_cur: 0, rlim_max: inherited.rlim_max)
    setrlimit(Self.resource, &none)
  }

  private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_CORE.rawValue) }
}
