import Foundation
import Glibc

/// The terminal at which this program was started, if any.
struct ControllingTerminal: Sendable {
  /// The processes that may report that it was closed; none if there was no terminal at the start.
  private let shells: [pid_t]

  init() {
    shells = Self.isThere ? Self.ancestorsOfSession() : []
  }

  /// Whether a SIGHUP from that process means that the terminal has been closed: a shell then signals its
  /// background jobs.
  func hasBeenClosed(accordingTo id: pid_t) -> Bool {
    shells.contains(id) && !Self.isThere
  }

  /// Whether this program has a terminal; true if that cannot be found out.
  private static var isThere: Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard terminal < 0 else {
      close(terminal)
      return true
    }
    // There is none, or it is being closed; other errors, such as a lack of descriptors, do not mean that.
    return errno != ENXIO && errno != EIO
  }

  /// The leader of this session, then this program's ancestors within it: shells, and what they run
  /// (`make`, `sudo`).
  private static func ancestorsOfSession() -> [pid_t] {
    // The leader signals its remaining jobs, even if their parent has ended.
    var ancestors = [getsid(0)]
    var id = getppid()
    while id > 0, getsid(id) == ancestors[0] {
      ancestors.append(id)
      // `123 (a name) S 122 …` (proc_pid_stat(5)); the name may hold anything.
      let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
      let fields = status?.split(separator: ")").last?.split(separator: " ")
      id = fields?.dropFirst().first.flatMap { pid_t($0) } ?? 0
    }
    return ancestors
  }
}
