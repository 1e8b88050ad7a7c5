import Glibc
import Vestibule

/// The cores of this process, which would hold what people have typed (S28): there are none from `init` on.
struct CoreDumps {
  /// What holds for what is started from here.
  private var inherited = rlimit()

  init() {
    getrlimit(Self.resource, &inherited)
    forbid()
  }

  /// Starts something under the limit that this program was started with: its cores are its own.
  func allowed<Result>(
    _ start: () throws(StartFailure) -> Result
  ) throws(StartFailure) -> Result {
    var limit = inherited
    setrlimit(Self.resource, &limit)
    defer { forbid() }
    return try start()
  }

  /// The hard limit stays: who gives it away never gets it back.
  private func forbid() {
    var none = rlimit(rlim_cur: 0, rlim_max: inherited.rlim_max)
    setrlimit(Self.resource, &none)
  }

  private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_CORE.rawValue) }
}
