import Foundation
@preconcurrency import Glibc

/// The words of the command line, behind the program's name.
enum ProcessArguments {
  /// Not as Swift does, which finds none of them, and so drops every option without a word, where a
  /// library that is loaded before the program has set a variable.
  static func read(file: String = "/proc/self/cmdline") -> [String] {
    // Each ends with a null.
    guard let handle = FileHandle(forReadingAtPath: file),
      let bytes = try? handle.readToEnd()
    else { return read(before: environ) }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropFirst().dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
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
