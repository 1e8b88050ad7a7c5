import ArgumentParser
import Glibc
import Logging
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

  /// What is asked for.
  ///
  /// Mostly that is to serve: asked for this alone, the parser builds the options of no other command.
  /// What it does not take so is for all of them to judge.
  private static func command(_ arguments: [String]) throws -> any ParsableCommand {
    if let serving = try? ServeCommand.parse(arguments) { return serving }
    try refuseUnknownTopic(arguments)
    return try VestibuleCommand.parseAsRoot(arguments)
  }

  /// Where help is asked for a command that there is not, the parser would give the help of them all.
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

  /// What to look at after arguments that nobody understands: the help of the command that was meant.
  private static func wayOn(from arguments: [String]) -> String {
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    let command = words.first.flatMap { commandNames.contains($0) ? $0 : nil } ?? "serve"
    let help = "see vestibule \(command) --help"
    return command == "run" && !arguments.contains("--")
      ? "the command goes behind --: vestibule run [options] -- COMMAND; \(help)" : help
  }

  /// Ends the process as it is.
  ///
  /// Libraries (Kerberos behind libcurl, for one) clear up at `exit`, and threads of ours may be in them still.
  private static func end(_ code: ExitCode) -> Never {
    fflush(nil)
    guard code == .success, let reason = Terminal.unsaid else { _exit(code.rawValue) }
    Terminal.complain("Standard output cannot be written: \(reason)")
    _exit(ExitCode.failure.rawValue)
  }
}
