import Foundation
import Glibc
import Synchronization

/// SIGINT and SIGTERM, as something to wait for; SIGHUP as often as it comes; where there is a command, what else
/// would end this program and leave that behind.
///
/// From `init` on none is lost: a source of Dispatch would be, until its queue has registered it.
final class Signals: Sendable {
  /// What a SIGHUP is for that somebody sends; one that says that the terminal has been closed asks any
  /// program to end, unless it was started to ignore that (`nohup`).
  enum Hangups {
    /// Files are read again; a closed terminal ends the program.
    case reload
    /// They are for the command. A closed terminal tells it by itself, unless this program leads the session.
    case passOn
  }

  /// What a handler, which may do little else, says of its signal.
  struct Arrival {
    fileprivate(set) var number: Int32 = 0
    /// Whether no process has sent it: somebody typed it at the terminal, or that was closed.
    fileprivate(set) var isOfSystem = false
    fileprivate var senderID: pid_t = 0
  }

  /// Those that came and are for whoever waits: most ask this program, or its command, to end.
  let arrivals: AsyncStream<Arrival>
  /// An element for SIGHUP; for several while nobody looked, one.
  let reloads: AsyncStream<Void>
  /// Whether somebody waits for them, or will before long.
  private let areExpected: Flag
  /// Where a handler writes, which may take no lock: set before there is one, by each of these anew.
  private nonisolated(unsafe) static var input: Int32 = -1

  init(hangups: Hangups) {
    // More than anybody sends before the first of them is seen to.
    let (arrivals, arrived) = AsyncStream<Arrival>.makeStream(
      bufferingPolicy: .bufferingOldest(8)
    )
    self.arrivals = arrivals
    let (reloads, reload) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.reloads = reloads
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let output = ends[0]
    Self.input = ends[1]
    let areExpected = Flag()
    self.areExpected = areExpected
    let ignoresHangups = Self.isIgnored(SIGHUP)
    let terminal = ControllingTerminal()
    Thread.detachNewThread {
      while let arrival = Self.nextArrival(from: output) {
        if [SIGINT, SIGTERM].contains(arrival.number), !areExpected.isSet.load(ordering: .relaxed) {
          // Nobody is served yet, and a file that is read may be a pipe without an end.
          signal(arrival.number, SIG_DFL)
          // The process, since this thread takes no signals.
          kill(getpid(), arrival.number)
        }
        guard arrival.number == SIGHUP else {
          arrived.yield(arrival)
          continue
        }
        let isOfClosedTerminal =
          arrival.isOfSystem || terminal.hasBeenClosed(accordingTo: arrival.senderID)
        switch (hangups, isOfClosedTerminal) {
        case (.reload, false): reload.yield()
        case (.reload, true): if !ignoresHangups { arrived.yield(arrival) }
        case (.passOn, false): arrived.yield(arrival)
        // The system tells the leader alone, and the others once that has ended.
        case (.passOn, true): if getsid(0) == getpid() { arrived.yield(arrival) }
        }
      }
    }
    let others: [Int32] =
      switch hangups {
      case .reload: [SIGHUP]
      // Nor does the command hear of what is ignored.
      case .passOn:
        [SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM].filter { !Self.isIgnored($0) }
      }
    for number in [SIGINT, SIGTERM] + others { Self.handle(number) }
  }

  /// From here on SIGINT and SIGTERM are waited for; before, they end the program at once.
  func expect() { areExpected.isSet.store(true, ordering: .relaxed) }

  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  func wait() async {
    for await _ in arrivals { return }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    // `SIG_IGN`, which is no function.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self) == 1
  }

  private static func handle(_ number: Int32) {
    var action = sigaction()
    action.sa_flags = SA_RESTART | SA_SIGINFO
    action.__sigaction_handler.sa_sigaction = { number, information, _ in
      let before = errno
      var arrival = Arrival(number: number)
      if let information {
        arrival.isOfSystem = information.pointee.si_code > 0
        arrival.senderID = information.pointee._sifields._kill.si_pid
      }
      // In one piece, since it is short (PIPE_BUF).
      write(Signals.input, &arrival, MemoryLayout<Arrival>.size)
      errno = before
    }
    sigaction(number, &action, nil)
  }

  private static func nextArrival(from output: Int32) -> Arrival? {
    var arrival = Arrival()
    var count: Int
    repeat {
      count = read(output, &arrival, MemoryLayout<Arrival>.size)
    } while count == -1 && errno == EINTR
    return count == MemoryLayout<Arrival>.size ? arrival : nil
  }
}
