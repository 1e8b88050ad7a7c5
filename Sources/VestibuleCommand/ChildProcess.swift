import Foundation
@preconcurrency import Glibc
import Locking
import Vestibule

/// A command that runs beside the program, on the same terminal.
///
/// Foundation's `Process` puts the command into a process group of its own, where it can neither read
/// the terminal nor be interrupted from it.
struct ChildProcess: Sendable {
  private let id: pid_t
  /// Whether it has ended, so that the system may have given its id to another process.
  private let isOver = Locked(false)

  /// Looks the command up in `PATH` and starts it with this program's environment variables; the given ones are set to
  /// their values, or removed if they have none.
  ///
  /// - Throws: `StartFailure` if it cannot be started.
  static func start(
    _ command: [String],
    setting variables: [String: String?]
  ) throws(StartFailure) -> ChildProcess {
    guard let name = command.first else {
      throw StartFailure(.usage, "The command is missing: vestibule run [options] -- COMMAND")
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The command must not inherit which signals this program ignores and its threads block.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGINT, SIGTERM, SIGPIPE, SIGXFSZ] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    // If the parent ignored SIGCHLD, this program does too, and the system would discard the exit status.
    signal(SIGCHLD, SIG_DFL)
    var id: pid_t = 0
    let inherited = inheritedVariables(besides: Array(variables.keys))
    let status = withCStrings(command) { words in
      withCStrings(variables.compactMap { name, value in value.map { "\(name)=\($0)" } }) { told in
        posix_spawnp(&id, name, nil, &attributes, words, inherited + told)
      }
    }
    guard status == 0 else {
      throw StartFailure(
        .usage,
        "The command cannot be started: \(name): \(String(cString: strerror(status)))"
      )
    }
    return ChildProcess(id: id)
  }

  /// The variables that this program was given, as raw bytes: they need not be UTF-8.
  private static func inheritedVariables(
    besides names: [String]
  ) -> [UnsafeMutablePointer<CChar>?] {
    let beginnings = names.map { "\($0)=" }
    var place = environ
    var variables: [UnsafeMutablePointer<CChar>?] = []
    while let variable = place.pointee {
      if !beginnings.contains(where: { strncmp(variable, $0, $0.utf8.count) == 0 }) {
        variables.append(variable)
      }
      place += 1
    }
    return variables
  }

  /// Passes a signal on unless the command got it too: what is typed at a terminal goes to both.
  ///
  /// - Returns: Whether the command still runs; no signal is sent to one that has ended.
  func pass(on signal: Signals.Arrival) -> Bool {
    let isOfTerminal = [SIGINT, SIGQUIT].contains(signal.number) && signal.isOfSystem
    return isOver.withLock { isOver in
      if !isOver, !isOfTerminal { kill(id, signal.number) }
      return !isOver
    }
  }

  /// Waits, on a thread of its own, until the command has ended.
  ///
  /// - Returns: Its exit code, or 128 plus the number of the signal that ended it, as in shells; 1 if the system does
  ///   not say.
  func end() async -> Int32 {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        // The id stays the command's until it is reaped, which is noted at the same time.
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        var status: Int32 = 0
        let ended = isOver.withLock { isOver -> pid_t in
          isOver = true
          var reaped: pid_t
          repeat { reaped = waitpid(id, &status, 0) } while reaped == -1 && errno == EINTR
          return reaped
        }
        let signal = status & 0x7F
        let code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        continuation.resume(returning: ended == id ? code : 1)
      }
    }
  }

  /// The words as C's list of strings: each ends with a zero byte, and the list with a null.
  private static func withCStrings<Result>(
    _ words: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = words.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
