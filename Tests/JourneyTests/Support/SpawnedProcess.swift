import Foundation
import Glibc
import Locking

/// A process that was started, and its end.
///
/// Not Foundation's, which has missed the end of a process with a thousand descriptors open: the
/// wait for it never ended.
final class SpawnedProcess: Sendable {
  /// It could not be started.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private enum State {
    case running
    /// With its exit code, or the number of the signal that ended it.
    case ended(Int32)
  }

  /// One at a time: no start may hand to its process what another one opens.
  private static let spawning = Locked(())

  let id: pid_t
  /// What it writes to its standard output.
  let output: FileHandle
  private let state = Locked(State.running)
  private let ended = DispatchSemaphore(value: 0)

  /// Starts a program that reads nothing.
  ///
  /// - Parameters:
  ///   - path: Where the program is.
  ///   - arguments: Without its name.
  ///   - environment: All of it.
  ///   - errors: Where its standard error goes.
  /// - Throws: `Failure` if it cannot be started.
  init(
    _ path: String,
    _ arguments: [String],
    environment: [String: String],
    errors: FileHandle
  ) throws {
    (id, output) = try Self.spawning.withLock { _ in
      let output = Pipe()
      let id = try Self.spawn(
        path,
        arguments,
        environment,
        output: output.fileHandleForWriting.fileDescriptor,
        errors: errors.fileDescriptor
      )
      try output.fileHandleForWriting.close()
      return (id, output.fileHandleForReading)
    }
    Thread.detachNewThread { self.reap() }
  }

  private static func spawn(
    _ path: String,
    _ arguments: [String],
    _ environment: [String: String],
    output: Int32,
    errors: Int32
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    // Otherwise it would keep open what others wait to see closed.
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var id: pid_t = 0
    let status = withCStrings([path] + arguments) { words in
      withCStrings(environment.map { "\($0)=\($1)" }) { variables in
        posix_spawn(&id, path, &actions, &attributes, words, variables)
      }
    }
    guard status == 0 else {
      throw Failure(description: "\(path) cannot be started: \(String(cString: strerror(status)))")
    }
    return id
  }

  var isRunning: Bool {
    state.withLock { state in
      if case .running = state { true } else { false }
    }
  }

  /// Sends it a signal unless it has ended: its number may then be another process's.
  func signal(_ number: Int32) {
    state.withLock { state in
      if case .running = state { kill(id, number) }
    }
  }

  /// Waits until it has ended.
  ///
  /// - Returns: Its exit code, or the number of the signal that ended it.
  func exitStatus() -> Int32 {
    ended.wait()
    ended.signal()
    return state.withLock { state in
      switch state {
      case .running: -1
      case .ended(let status): status
      }
    }
  }

  private func reap() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    state.withLock { state in
      var status: Int32 = 0
      while waitpid(id, &status, 0) == -1, errno == EINTR {}
      let signal = status & 0x7F
      state = .ended(signal == 0 ? (status >> 8) & 0xFF : signal)
    }
    ended.signal()
  }

  /// The words as a C list: each ends in a zero, and the list in a null.
  private static func withCStrings<Result>(
    _ words: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = words.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
