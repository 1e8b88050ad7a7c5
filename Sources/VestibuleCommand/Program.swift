import ArgumentParser
import Dispatch
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
      let signals = Signals()
      let running = try RunningVestibule.start(configuration, logger: logger)
      for listener in running.listeners {
        Terminal.say("Listening on \(listener.address) (\(listener.name))")
      }
      await signals.wait()
      logger.info("stopping")
      await running.stop()
    } catch {
      Terminal.complain(error.description)
      throw ExitCode(error.kind.rawValue)
    }
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

  /// A core would hold what people have typed (S28).
  private static func forbidCoreDumps() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}

/// SIGINT and SIGTERM, as something to wait for.
private final class Signals: Sendable {
  private let stream: AsyncStream<Void>
  private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

  init() {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.stream = stream
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
  }

  func wait() async {
    for await _ in stream { return }
  }
}
