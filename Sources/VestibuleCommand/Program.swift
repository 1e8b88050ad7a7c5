import ArgumentParser
import Dispatch
import Foundation
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
      let signals = Signals()
      let running = try RunningVestibule.start(configuration, logger: logger)
      for listener in running.listeners {
        say("Listening on \(listener.address) (\(listener.kind.rawValue))")
      }
      await signals.wait()
      logger.info("stopping")
      await running.stop()
    } catch {
      FileHandle.standardError.write(Data("vestibule: \(error)\n".utf8))
      throw ExitCode(error.kind.rawValue)
    }
  }

  /// A line on standard output, at once: whoever started the program waits for it.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
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
