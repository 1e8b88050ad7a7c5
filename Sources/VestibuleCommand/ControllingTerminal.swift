import Foundation
import Glibc

/// The terminal that this program was started at, if at one.
struct ControllingTerminal: Sendable {
  /// The processes that may tell of its end: none where there has been no terminal from the start.
  private let shells: [pid_t]

  init() {
    shells = Self.isThere ? Self.ancestorsOfSession() : []
  }

  /// Whether SIGHUP of the process of that id says that the terminal is gone: a shell of it then tells its jobs
  /// in the background.
  func hasBeenClosed(accordingTo id: pid_t) -> Bool {
    shells.contains(id) && !Self.isThere
  }

  /// Whether this program has a terminal; taken to be so where that cannot be told.
  private static var isThere: Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard terminal < 0 else {
      close(terminal)
      return true
    }
    // None, or one that is being closed; that there is no room for another file says nothing of it.
    return errno != ENXIO && errno != EIO
  }

  /// The leader of this session, then the processes of it above this one: shells, and what they run
  /// (`make`, `sudo`).
  private static func ancestorsOfSession() -> [pid_t] {
    // The leader tells whoever is left, even of a parent that has ended.
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
