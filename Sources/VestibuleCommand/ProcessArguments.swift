import Foundation
@preconcurrency import Glibc

/// The arguments of the command line, without the program's name.
enum ProcessArguments {
  /// Reads them from the kernel: Swift's own list is empty, so that every option would silently be dropped, if a
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

  /// Reads them from the stack, where they precede the environment: their count, each argument, a null.
  ///
  /// Source: System V Application Binary Interface, "Initial Process Stack".
  /// - Parameter environment: The process's original environment, with no variable set since.
  /// - Returns: All arguments but the program's name.
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
