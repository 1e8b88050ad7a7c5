internal import Foundation

/// A file or folder that a configuration names, and why it cannot be used.
package enum NamedFile {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file; a pipe is read to its end.
  ///   - name: What the file is to the person who named it: `The key file`.
  ///   - again: Whether it was read before; a pipe cannot be read again.
  /// - Returns: The file's content.
  /// - Throws: `StartFailure` with name, path and the system's reason.
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
  ///   - path: The path of the file; a pipe is read to its end.
  ///   - name: What the file is to the person who named it.
  /// - Returns: The file's content.
  /// - Throws: `StartFailure` with name, path and the system's reason.
  package static func bytes(of path: String, _ name: String) throws(StartFailure) -> [UInt8] {
    Array(try contents(of: path, name))
  }

  /// Writes a file that a command names, and makes its folder; an existing file is replaced.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - bytes: Its new content.
  ///   - name: What the file is to the person who named it.
  /// - Throws: `StartFailure` with name, path and the reason.
  package static func replace(
    _ path: String,
    by bytes: [UInt8],
    _ name: String
  ) throws(StartFailure) {
    // A device or a pipe, such as /dev/stdout, must not give way to a file.
    guard canBeReadAgain(path) else {
      throw StartFailure(
        .configuration,
        "\(name) cannot be written: \(path): it is not a regular file"
      )
    }
    do {
      try FileManager.default.createDirectory(
        at: URL(fileURLWithPath: path).deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
    } catch {
      throw StartFailure(
        .configuration,
        "\(name) cannot be written: \(path)\(reason(of: error))"
      )
    }
    do {
      try write(bytes, over: path)
    } catch {
      throw StartFailure(
        mayPass(error.number) ? .unavailable : .configuration,
        "\(name) cannot be written: \(path): \(String(cString: strerror(error.number)))"
      )
    }
  }

  /// Reads a file, waiting up to the given time for the end of a pipe.
  static func data(
    of path: String,
    again: Bool = false,
    patienceMilliseconds: CInt = 30_000
  ) throws(Unreadable) -> Data {
    Data(try content(of: path, again: again, patienceMilliseconds: patienceMilliseconds))
  }

  /// `: Permission denied`, or an empty text if the system gave no reason.
  package static func reason(of error: any Error) -> String {
    number(of: error).map { ": \(String(cString: strerror($0)))" } ?? ""
  }

  /// The system's error number; nil if it gave none.
  static func number(of error: any Error) -> CInt? {
    ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
  }

  /// Whether trying again may help after that error number: the disk is full or does not respond.
  static func mayPass(_ number: CInt) -> Bool { [ENOSPC, EDQUOT, EIO].contains(number) }
}
