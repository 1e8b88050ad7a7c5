import ArgumentParser
import Foundation
import Glibc
import Vestibule

#if canImport(CJemalloc)
// For its `malloc`, which takes the place of the C library's: threads of ours hardly wait for one another in it.
import CJemalloc
#endif

/// Runs the command and ends with its exit code.
///
/// Not the parser's own `main`: whatever is wrong is one line on standard error, without the usage
/// behind it, so that a script can show it.
@main
enum Main {
  static func main() async {
    // A reader that goes away is told from a write that fails, not by the end of the process.
    signal(SIGPIPE, SIG_IGN)
    do {
      try Threads.requireRoom()
      var command = try Self.command(ProcessArguments.read())
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      end(.success)
    } catch let code as ExitCode {
      end(code)
    } catch let failure as StartFailure {
      Terminal.complain(failure.description)
      end(ExitCode(failure.kind.rawValue))
    } catch {
      guard VestibuleCommand.exitCode(for: error) != .success else {
        // Help and version: asked for, so on standard output.
        VestibuleCommand.exit(withError: error)
      }
      Terminal.complain(
        "\(VestibuleCommand.message(for: error)) (\(wayOn(from: ProcessArguments.read())))"
      )
      end(.validationFailure)
    }
  }

  /// What is asked for.
  ///
  /// Mostly that is to serve: asked for this alone, the parser builds the options of no other command.
  /// What it does not take so is for all of them to judge.
  private static func command(_ arguments: [String]) throws -> any ParsableCommand {
    if let serving = try? ServeCommand.parse(arguments) { return serving }
    return try VestibuleCommand.parseAsRoot(arguments)
  }

  /// What to look at after arguments that nobody understands: the help of the command that was meant.
  private static func wayOn(from arguments: [String]) -> String {
    let commands = VestibuleCommand.configuration.subcommands.compactMap {
      $0.configuration.commandName
    }
    let command = arguments.first.flatMap { commands.contains($0) ? $0 : nil } ?? "serve"
    let help = "see vestibule \(command) --help"
    return command == "run" && !arguments.contains("--")
      ? "the command goes behind --: vestibule run [options] -- COMMAND; \(help)" : help
  }

  /// Ends the process as it is.
  ///
  /// Libraries (Kerberos behind libcurl, for one) clear up at `exit`, and threads of ours may be in them still.
  private static func end(_ code: ExitCode) -> Never {
    fflush(nil)
    _exit(code.rawValue)
  }
}

/// The two streams of the process.
enum Terminal {
  /// A line on standard output, at once: whoever started the program waits for it.
  static func say(_ line: String) {
    write(line, to: .standardOutput)
  }

  /// What is wrong, in one line on standard error, whatever the text holds.
  static func complain(_ text: String) {
    let line = text.split { $0.isNewline }.map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: " ")
    write("vestibule: \(line)", to: .standardError)
  }

  static func write(_ line: String, to handle: FileHandle) {
    do {
      try handle.write(contentsOf: Data("\(line)\n".utf8))
    } catch {
      // Nobody reads there any more, and there is no other place to say so.
    }
  }
}
