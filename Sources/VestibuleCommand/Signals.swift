import CoreFoundation
import Foundation
import Glibc
import Synchronization

/// SIGINT and SIGTERM to be waited for, and each SIGHUP; if there is a command, also the other signals that would
/// end this program and leave the command behind.
///
/// No signal is lost from `init` on; with a Dispatch source it could be, until its queue has registered the source.
final class Signals: Sendable {
  /// What a SIGHUP sent by a process means.
  ///
  /// One that reports a closed terminal asks any program to end, unless it was started to ignore that (`nohup`).
  enum Hangups {
    /// Files are read again; a closed terminal ends the program.
    case reload
    /// It is for the command, which hears of a closed terminal by itself unless this program leads the session.
    case passOn
  }

  /// What a signal handler, which may do little else, records of its signal.
  struct Arrival {
    fileprivate(set) var number: Int32 = 0
    /// Whether the system sent it rather than a process: it was typed at the terminal, or the terminal was closed.
    fileprivate(set) var isOfSystem = false
    fileprivate var senderID: pid_t = 0
  }

  /// The signals for whoever waits: most ask this program, or its command, to end.
  let arrivals: AsyncStream<Arrival>
  /// One element for each SIGHUP, or for several that came before the last element was taken.
  let reloads: AsyncStream<Void>
  /// Whether SIGINT and SIGTERM are waited for, or will be shortly.
  private let areExpected: Flag
  /// Used by handlers, which may take no lock: made by `init`, before they are set.
  private static let untaken = UntakenSignals()
  /// The pipe that handlers write to, which may take no lock: set by each `init`, before its handlers are.
  private nonisolated(unsafe) static var input: Int32 = -1

  init(hangups: Hangups) {
    // More than anybody sends before the first is handled.
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
    Self.untaken.take()
    let areExpected = Flag()
    self.areExpected = areExpected
    let ignoresHangups = Self.isIgnored(SIGHUP)
    let terminal = ControllingTerminal()
    Thread.detachNewThread {
      while let arrival = Self.nextArrival(from: output) {
        if [SIGINT, SIGTERM].contains(arrival.number), !areExpected.isSet.load(ordering: .relaxed) {
          // Nothing is served yet, and a file that is being read may be a pipe without an end.
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
        // The system signals only the session's leader, and the others once the leader has ended.
        case (.passOn, true): if getsid(0) == getpid() { arrived.yield(arrival) }
        }
      }
    }
    let others: [Int32] =
      switch hangups {
      case .reload: [SIGHUP]
      // The command does not hear of ignored signals either.
      case .passOn:
        [SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM].filter { !Self.isIgnored($0) }
      }
    for number in [SIGINT, SIGTERM] + others { Self.handle(number) }
  }

  /// Says that SIGINT and SIGTERM are waited for from now on; before, they end the program at once.
  func expect() { areExpected.isSet.store(true, ordering: .relaxed) }

  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  func wait() async {
    for await _ in arrivals {
      noteTaken()
      return
    }
  }

  /// Says that somebody has taken a signal out of `arrivals`.
  func noteTaken() { Self.untaken.take() }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    // `SIG_IGN`, which is not the address of a function.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self) == 1
  }

  private static func handle(_ number: Int32) {
    var action = sigaction()
    action.sa_flags = SA_RESTART | SA_SIGINFO
    action.__sigaction_handler.sa_sigaction = { number, information, _ in
      let before = errno
      if number == SIGINT || number == SIGTERM {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        // Whoever should stop the program is stuck, for instance since a thread is missing.
        if Signals.untaken.isStuck(at: now.tv_sec) {
          signal(number, SIG_DFL)
          // Delivered when this handler returns.
          raise(number)
        }
      }
      var arrival = Arrival(number: number)
      if let information {
        arrival.isOfSystem = information.pointee.si_code > 0
        arrival.senderID = information.pointee._sifields._kill.si_pid
      }
      // Atomic, since it is shorter than `PIPE_BUF`.
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

/// Whether signals that ask the program to end are still taken by those who should end it.
///
/// Its functions may be called in a signal handler.
final class UntakenSignals: Sendable {
  /// How long a program that is not stuck may take, in seconds.
  static let patienceSeconds = 1
  /// The second in which the first one came that nobody has taken; 0 if there is none.
  private let since = Atomic(0)

  /// Notes that one arrives.
  ///
  /// - Parameter second: When, by a clock that never goes back, and is past 0.
  /// - Returns: Whether an earlier one has not been taken for so long that nobody will take this one either.
  func isStuck(at second: Int) -> Bool {
    let (isFirst, first) = since.compareExchange(
      expected: 0,
      desired: second,
      ordering: .relaxed
    )
    // Whole seconds: the last of them may have begun only just.
    return !isFirst && second - first > Self.patienceSeconds
  }

  /// Notes that all that have arrived are being heeded.
  func take() { since.store(0, ordering: .relaxed) }
}
