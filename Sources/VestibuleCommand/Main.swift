import ArgumentParser
import Glibc
import Logging
import Vestibule

#if canImport(CJemalloc)
// For its `malloc`, which replaces the C library's: our threads hardly wait for one another in it.
import CJemalloc
#endif

/// Runs the command and ends with its exit code.
///
/// Used in place of the parser's own `main`, so that any error is one line on standard error, without
/// the usage after it, which a script can show.
@main
enum Main {
  static func main() async {
    // A pipe whose reader has gone then causes an error on writing instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
    // Likewise a file that may not grow any more (`ulimit -f`), such as the log.
    signal(SIGXFSZ, SIG_IGN)
    Terminal.keepPlaces()
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
        Terminal.say(VestibuleCommand.fullMessage(for: error))
        end(.success)
      }
      Terminal.complain(
        "\(VestibuleCommand.message(for: error)) (\(wayOn(from: ProcessArguments.read())))"
      )
      end(.validationFailure)
    }
  }

  /// Parses the command.
  ///
  /// Usually that is to serve: it is tried first, since the parser then builds no other command's options.
  /// Anything that it does not accept is parsed with all commands.
  private static func command(_ arguments: [String]) throws -> any ParsableCommand {
    if let serving = try? ServeCommand.parse(arguments) { return serving }
    try refuseUnknownTopic(arguments)
    return try VestibuleCommand.parseAsRoot(arguments)
  }

  /// Refuses help for an unknown command: the parser would print the general help.
  private static func refuseUnknownTopic(_ arguments: [String]) throws(StartFailure) {
    guard arguments.first == "help" else { return }
    let names = arguments.dropFirst().filter { !$0.hasPrefix("-") }
    guard let name = names.first, names.count > 1 || !(commandNames + ["help"]).contains(name)
    else { return }
    throw StartFailure(
      .usage,
      "There is no command \(names.joined(separator: " ")) (see vestibule --help)"
    )
  }

  private static var commandNames: [String] {
    VestibuleCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  /// What to read after bad arguments: the help of the command that was meant.
  private static func wayOn(from arguments: [String]) -> String {
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    let command = words.first.flatMap { commandNames.contains($0) ? $0 : nil } ?? "serve"
    let help = "see vestibule \(command) --help"
    return command == "run" && !arguments.contains("--")
      ? "the command goes after --: vestibule run [options] -- COMMAND; \(help)" : help
  }

  /// Ends the process without running `exit` handlers.
  ///
  /// Libraries (such as Kerberos, which libcurl loads) clean up at `exit` while our threads may still be using them.
  private static func end(_ code: ExitCode) -> Never {
    fflush(nil)
    guard code == .success, let reason = Terminal.unsaid else { _exit(code.rawValue) }
    Terminal.complain("Standard output cannot be written: \(reason)")
    _exit(ExitCode.failure.rawValue)
  }
}
