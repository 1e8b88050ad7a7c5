import ArgumentParser
import Foundation
import Glibc
import Logging
import Vestibule

/// Starts, says so, runs until told to stop.
enum Program {
  /// - Throws: `ExitCode`, after one clear line on standard error.
  static func run(
    _ settings: () throws(StartFailure) -> (Configuration, Logger)
  ) async throws {
    do {
      let (configuration, logger) = try settings()
      forbidCoreDumps()
      let signals = Signals(hangups: .reload)
      let running = try RunningVestibule.start(configuration, logger: logger)
      for listener in running.listeners {
        Terminal.say("Listening on \(listener.address) (\(listener.name))")
      }
      ServiceManager.tell(.ready)
      let reloading = Task {
        for await _ in signals.reloads { reload(running, logger) }
      }
      await signals.wait()
      reloading.cancel()
      ServiceManager.tell(.stopping)
      logger.info("stopping")
      // Whoever asks twice means it.
      let hurrying = Task {
        await signals.wait()
        running.hurry()
      }
      await running.stop()
      hurrying.cancel()
    } catch {
      Terminal.complain(error.description)
      throw ExitCode(error.kind.rawValue)
    }
  }

  /// Reads the files again, and says in one line what came of it.
  private static func reload(_ running: RunningVestibule, _ logger: Logger) {
    ServiceManager.tell(.reloading)
    do {
      try running.reload()
      logger.info("reloaded")
    } catch {
      logger.error("not reloaded", metadata: ["reason": "\(error)"])
    }
    ServiceManager.tell(.ready)
  }

  /// Serves as long as a command runs, and ends with its exit code.
  ///
  /// A signal that asks this program to end is for the command: when that ends, so does this.
  ///
  /// - Throws: `ExitCode`: the command's, or one of ours after one clear line on standard error.
  static func run(
    _ command: [String],
    settings: () throws(StartFailure) -> (Configuration, Logger)
  ) async throws {
    do {
      let (configuration, logger) = try settings()
      forbidCoreDumps()
      let signals = Signals(hangups: .passOn)
      let running = try RunningVestibule.start(configuration, logger: logger)
      let child = try ChildProcess.start(command, adding: variables(of: running))
      let passing = Task { for await signal in signals.numbers { child.pass(on: signal) } }
      let code = await child.end()
      passing.cancel()
      await running.stop()
      throw ExitCode(code)
    } catch let error as StartFailure {
      Terminal.complain(error.description)
      throw ExitCode(error.kind.rawValue)
    }
  }

  /// Where everything is, for the command: addresses without the slash at their end.
  private static func variables(of running: RunningVestibule) -> [String: String] {
    let names = ["VESTIBULE_URL", "VESTIBULE_EMULATOR_URL"]
    let addresses = running.listeners.filter(\.isService).map { String($0.address.dropLast()) }
    return Dictionary(uniqueKeysWithValues: zip(names, addresses))
  }

  /// - Throws: `ExitCode` 1 where something stands in the way, 69 where the API is out of reach.
  static func check(_ settings: () throws(StartFailure) -> Configuration) async throws {
    do {
      let checkup = try await Checkup.of(try settings())
      for line in checkup.lines { Terminal.say(line) }
      switch checkup.verdict {
      case .ready: return
      case .obstructed: throw ExitCode(1)
      case .outOfReach(let reason): throw StartFailure(.unavailable, reason)
      }
    } catch let error as StartFailure {
      Terminal.complain(error.description)
      throw ExitCode(error.kind.rawValue)
    }
  }

  /// - Throws: `ExitCode`, after one clear line on standard error.
  static func draw(_ order: () throws(StartFailure) -> AtlasOrder) throws {
    do {
      let order = try order()
      let (index, pageCount) = try order.folder.write(to: order.destination)
      Terminal.say("\(pageCount) pages: \(index)")
    } catch {
      Terminal.complain(error.description)
      throw ExitCode(error.kind.rawValue)
    }
  }

  /// - Throws: `ExitCode` 1 where files differ; others after one clear line on standard error.
  static func eject(_ order: () throws(StartFailure) -> EjectOrder) throws {
    do {
      let order = try order()
      switch try order.files.write(to: order.destination, overwrites: order.overwrites) {
      case .written(let paths):
        for path in paths { Terminal.say(path) }
        let options = order.files.folders.map { "--\($0) \(order.destination)/\($0)" }
        Terminal.say("Serve: vestibule \(options.joined(separator: " ")) --reload-templates")
      case .differing(let paths):
        for path in paths {
          Terminal.complain("\(path) differs from the built-in file: --force replaces it")
        }
        throw ExitCode(1)
      }
    } catch let error as StartFailure {
      Terminal.complain(error.description)
      throw ExitCode(error.kind.rawValue)
    }
  }

  /// A core would hold what people have typed (S28).
  private static func forbidCoreDumps() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}

/// SIGINT and SIGTERM, as something to wait for; SIGHUP as often as it comes.
///
/// From `init` on none is lost: a source of Dispatch would be, until its queue has registered it.
private final class Signals: Sendable {
  /// What a SIGHUP is for that somebody sends; one that says that the terminal has been closed asks any
  /// program to end, unless it was started to ignore that (`nohup`).
  enum Hangups {
    /// Files are read again; a closed terminal ends the program.
    case reload
    /// They are for the command. A closed terminal tells it by itself, unless this program leads the session.
    case passOn
  }

  /// Those that came and ask this program, or its command, to end.
  let numbers: AsyncStream<Int32>
  /// An element for SIGHUP; for several while nobody looked, one.
  let reloads: AsyncStream<Void>
  /// Where a handler, which may do little else, writes the number of its signal.
  private nonisolated(unsafe) static var input: Int32 = -1
  /// The signal that a closed terminal stands for; 0 for none.
  private nonisolated(unsafe) static var closedTerminal: Int32 = 0
  /// The shells that may tell of a closed terminal; none where there has been no terminal from the start.
  private nonisolated(unsafe) static var shells: [pid_t] = []

  init(hangups: Hangups) {
    let (numbers, continuation) = AsyncStream<Int32>.makeStream(
      bufferingPolicy: .bufferingNewest(1)
    )
    self.numbers = numbers
    let (reloads, reload) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.reloads = reloads
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let output = ends[0]
    Self.input = ends[1]
    Thread.detachNewThread {
      var number: UInt8 = 0
      while read(output, &number, 1) == 1 || errno == EINTR {
        if number == SIGHUP, hangups == .reload {
          reload.yield()
        } else {
          continuation.yield(Int32(number))
        }
      }
    }
    var action = sigaction()
    action.sa_flags = SA_RESTART
    action.__sigaction_handler.sa_handler = { number in Signals.note(number) }
    for number in [SIGINT, SIGTERM] { sigaction(number, &action, nil) }
    if !Self.isIgnored(SIGHUP) {
      switch hangups {
      case .reload: Self.closedTerminal = SIGTERM
      // The system tells the leader alone, and the others once that has ended.
      case .passOn: Self.closedTerminal = getsid(0) == getpid() ? SIGHUP : 0
      }
    } else if hangups == .passOn {
      // Nor does the command hear of it.
      return
    }
    if Self.hasTerminal { Self.shells = Self.ancestorsOfSession() }
    action.sa_flags = SA_RESTART | SA_SIGINFO
    action.__sigaction_handler.sa_sigaction = { number, information, _ in
      let isOfTerminal = information.map { Signals.isOfClosedTerminal($0.pointee) } == true
      Signals.note(isOfTerminal ? Signals.closedTerminal : number)
    }
    sigaction(SIGHUP, &action, nil)
  }

  func wait() async {
    for await _ in numbers { return }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    // `SIG_IGN`, which is no function.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self) == 1
  }

  /// The leader of this session, then the processes of it above this one: shells, and what they run (`make`, `sudo`).
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

  // MARK: Within a handler, which may call little

  private static func note(_ number: Int32) {
    guard number != 0 else { return }
    let before = errno
    var byte = UInt8(truncatingIfNeeded: number)
    write(input, &byte, 1)
    errno = before
  }

  /// Whether SIGHUP comes from the system itself, or from a shell of this terminal, which tells its
  /// jobs in the background once the terminal is gone.
  private static func isOfClosedTerminal(_ information: siginfo_t) -> Bool {
    if information.si_code > 0 { return true }
    return shells.contains(information._sifields._kill.si_pid) && !hasTerminal
  }

  /// Whether there is a terminal that this program belongs to; taken to be where that cannot be told.
  private static var hasTerminal: Bool {
    let before = errno
    defer { errno = before }
    let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard terminal < 0 else {
      close(terminal)
      return true
    }
    // None, or one that is being closed; that there is no room for another file says nothing of it.
    return errno != ENXIO && errno != EIO
  }
}
