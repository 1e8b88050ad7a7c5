internal import Foundation

/// A file or folder that a configuration names, and why nothing comes of it.
package enum NamedFile {
  /// Reads it.
  ///
  /// - Parameters:
  ///   - path: Where it is; a pipe is read to its end.
  ///   - name: What it is to whoever named it: `The key file`.
  ///   - again: Whether it was read before, as a pipe cannot be.
  /// - Returns: What is in it.
  /// - Throws: `StartFailure` with all of that and the system's reason.
  static func contents(
    of path: String,
    _ name: String,
    again: Bool = false
  ) throws(StartFailure) -> Data {
    do {
      return try data(of: path, again: again)
    } catch {
      throw StartFailure(.configuration, "\(name) cannot be read: \(path): \(error.reason)")
    }
  }

  /// The bytes of a file that a command names.
  ///
  /// - Parameters:
  ///   - path: Where it is; a pipe is read to its end.
  ///   - name: What it is to whoever named it.
  /// - Returns: What is in it.
  /// - Throws: `StartFailure` with all of that and the system's reason.
  package static func bytes(of path: String, _ name: String) throws(StartFailure) -> [UInt8] {
    Array(try contents(of: path, name))
  }

  /// Reads it, and waits so long for all of what comes through a pipe.
  static func data(
    of path: String,
    again: Bool = false,
    patienceMilliseconds: CInt = 30_000
  ) throws(Unreadable) -> Data {
    Data(try content(of: path, again: again, patienceMilliseconds: patienceMilliseconds))
  }

  /// `: Permission denied`, or nothing where the system gave no reason.
  static func reason(of error: any Error) -> String {
    number(of: error).map { ": \(String(cString: strerror($0)))" } ?? ""
  }

  /// The system's number of a reason; nil where it gave none.
  static func number(of error: any Error) -> CInt? {
    ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
  }

  /// Whether to try again may help, by the system's number of a reason: the disk is full or does not answer.
  static func mayPass(_ number: CInt) -> Bool { [ENOSPC, EDQUOT, EIO].contains(number) }
}
