import ArgumentParser
import Foundation
import Glibc
import Logging
import Locking
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

/// The two streams of the process.
enum Terminal {
  /// By the system's number, why something could not be said.
  private static let fault = Locked<CInt?>(nil)

  /// Why something that was to be said was not; nil where all was, or its reader went away.
  static var unsaid: String? {
    fault.withLock(\.self).map { String(cString: strerror($0)) }
  }

  /// Takes the places of streams that were closed before the start; what is written there fails, as it should.
  ///
  /// Else the next file had such a place, be it a database, and got all that is said.
  static func keepPlaces() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 {
      // Of the places that are free, a file gets the first.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// A line on standard output, which is what the command is for.
  static func say(_ line: String) {
    guard let number = write(line, to: STDOUT_FILENO), number != EPIPE else { return }
    fault.withLock { $0 = $0 ?? number }
  }

  /// A line on standard output, at once, for whoever started the program and waits for it; there need be nobody.
  static func announce(_ line: String) {
    _ = write(line, to: STDOUT_FILENO)
  }

  /// What is wrong, in one line on standard error, whatever the text holds.
  static func complain(_ text: String) {
    let line = text.split { $0.isNewline }.map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: " ")
    report("\(Journal.isStandardError ? Journal.prefix(.error) : "")vestibule: \(line)")
  }

  /// A line on standard error, as it stands.
  static func report(_ line: String) {
    // Where that fails there is no other place to say so.
    _ = write(line, to: STDERR_FILENO)
  }

  /// - Returns: The system's number of the reason where it could not be written whole; else nil.
  private static func write(_ line: String, to descriptor: CInt) -> CInt? {
    var text = "\(line)\n"
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        let number = count < 0 ? errno : 0
        switch number {
        case 0: rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        case EINTR: continue
        case EAGAIN:
          // Another program with the same stream has it not wait.
          var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&watched, 1, -1)
        default: return number
        }
      }
      return nil
    }
  }
}
