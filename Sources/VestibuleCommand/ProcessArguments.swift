import Foundation
@preconcurrency import Glibc

/// The words of the command line, behind the program's name.
enum ProcessArguments {
  /// Swift reads them in `/proc`, and ends the process where that is not mounted.
  static func read(file: String = "/proc/self/cmdline") -> [String] {
    guard access(file, R_OK) == 0 else { return read(before: environ) }
    return Array(CommandLine.arguments.dropFirst())
  }

  /// Reads them from the stack, where they lie before the environment: their count, each of them, a
  /// null.
  ///
  /// Source: System V Application Binary Interface, "Initial Process Stack".
  /// - Parameter environment: As the process was given it: no variable has been set since.
  /// - Returns: All but the program's name.
  static func read(
    before environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) -> [String] {
    var words: [String] = []
    var place = environment - 2
    while Int(bitPattern: place.pointee) != words.count, let word = place.pointee {
      words.append(String(cString: word))
      place -= 1
    }
    return words.dropLast().reversed()
  }
}
