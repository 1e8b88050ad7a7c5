import ArgumentParser
import Foundation
import Glibc
import Logging
import Vestibule

/// Starts the program, announces it, and runs until told to stop.
enum Program {
  /// - Throws: `ExitCode`, after one clear line on standard error.
  static func run(
    _ logs: LogSettings,
    _ configuration: () throws(StartFailure) -> Configuration
  ) async throws {
    do {
      // First of all, so that a SIGHUP during the start does not end the program.
      let signals = Signals(hangups: .reload)
      let configuration = try configuration()
      let logger = try logs.logger()
      _ = CoreDumps()
      let running = try RunningVestibule.start(configuration, logger: logger)
      signals.expect()
      for listener in running.listeners {
        Terminal.announce("Listening on \(listener.address) (\(listener.name))")
      }
      ServiceManager.tell(.ready())
      logger.info("started", metadata: facts(of: running))
      let reloading = Task {
        for await _ in signals.reloads where !Task.isCancelled { reload(running, logger) }
      }
      await signals.wait()
      reloading.cancel()
      // A reload that has begun ends by saying that the program is ready, which must not be said last.
      await reloading.value
      ServiceManager.tell(.stopping)
      logger.info("stopping")
      // A second signal means that the stop is urgent.
      let hurrying = Task {
        await signals.wait()
        running.hurry()
      }
      await running.stop()
      hurrying.cancel()
    } catch {
      logs.complain(error)
      throw ExitCode(error.kind.rawValue)
    }
  }

  /// What is running, and where it listens.
  private static func facts(of running: RunningVestibule) -> Logger.Metadata {
    let places = running.listeners.map { "\($0.address) (\($0.name))" }
    var facts: Logger.Metadata = [
      "version": "\(Version.number)", "listening": "\(places.joined(separator: ", "))",
    ]
    // Each address in a field of its own, too, for programs that let us take free ports.
    for listener in running.listeners { facts[listener.role] = "\(listener.address)" }
    if !Version.commit.isEmpty { facts["commit"] = "\(Version.commit)" }
    return facts.merging(keys(of: running)) { $1 }
  }

  /// Marks of the sealing keys, to compare replicas by; the first one's key seals.
  private static func keys(of running: RunningVestibule) -> Logger.Metadata {
    let marks = running.sealingKeyMarks
    return marks.isEmpty ? [:] : ["keys": "\(marks.joined(separator: ","))"]
  }

  /// Reads the files again, and logs the outcome in one line.
  private static func reload(_ running: RunningVestibule, _ logger: Logger) {
    ServiceManager.tell(.reloading)
    let outcome: String
    do {
      try running.reload()
      logger.info("reloaded", metadata: keys(of: running))
      outcome = "reloaded"
    } catch {
      logger.error("not reloaded", metadata: ["reason": "\(error)"])
      outcome = "not reloaded: \(error)"
    }
    ServiceManager.tell(.ready(status: outcome))
  }

  /// Serves as long as a command runs, and ends with its exit code.
  ///
  /// Signals that ask this program to end go to the command: this program ends when the command does. Then a second one
  /// means that this is urgent.
  ///
  /// - Throws: `ExitCode`: the command's, or one of ours after one clear line on standard error.
  static func run(
    _ command: [String],
    _ logs: LogSettings,
    _ configuration: () throws(StartFailure) -> Configuration
  ) async throws {
    do {
      let signals = Signals(hangups: .passOn)
      let configuration = try configuration()
      let logger = try logs.logger()
      let cores = CoreDumps()
      let running = try RunningVestibule.start(configuration, logger: logger)
      signals.expect()
      let child = try cores.allowed { () throws(StartFailure) in
        try ChildProcess.start(command, setting: variables(of: running))
      }
      let passing = Task {
        var isAsked = false
        for await signal in signals.arrivals {
          signals.noteTaken()
          let isOver = !child.pass(on: signal)
          guard [SIGINT, SIGTERM].contains(signal.number) else { continue }
          // The first may be the one that the command has ended by: a terminal, for example, sends it to both.
          if isOver, isAsked { running.hurry() }
          isAsked = true
        }
      }
      let code = await child.end()
      await running.stop()
      passing.cancel()
      throw ExitCode(code)
    } catch let error as StartFailure {
      logs.complain(error)
      throw ExitCode(error.kind.rawValue)
    }
  }

  /// The addresses as variables for the command, without the trailing slash; nil removes a variable, such as the
  /// emulated API's over a real one.
  private static func variables(of running: RunningVestibule) -> [String: String?] {
    var addresses = running.listeners.filter(\.isService).map { String($0.address.dropLast()) }[...]
    return ["VESTIBULE_URL": addresses.popFirst(), "VESTIBULE_EMULATOR_URL": addresses.popFirst()]
  }

  /// - Throws: `ExitCode` 1 if there are obstacles, 69 if the API is out of reach, others for a bad configuration.
  static func check(
    _ logs: LogSettings,
    _ settings: () throws(StartFailure) -> Configuration
  ) async throws {
    do {
      let checkup = try await Checkup.of(try settings())
      for line in checkup.lines { Terminal.say(line) }
      switch checkup.verdict {
      case .ready: return
      case .obstructed: throw ExitCode(1)
      case .outOfReach(let reason): throw StartFailure(.unavailable, reason)
      }
    } catch let error as StartFailure {
      logs.complain(error)
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

  /// - Throws: `ExitCode` 1 if files differ; others after one clear line on standard error.
  static func eject(_ order: () throws(StartFailure) -> EjectOrder) throws {
    do {
      let order = try order()
      switch try order.files.write(to: order.destination, overwrites: order.overwrites) {
      case .written(let paths):
        for path in paths { Terminal.say(path) }
        Terminal.say(order.files.usage(in: order.destination))
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
}
