import Foundation
import Glibc
import Locking
import Logging

/// The process's standard output and standard error.
enum Terminal {
  /// The system's error number for the first output that could not be written.
  private static let fault = Locked<CInt?>(nil)

  /// Why some output could not be written; nil if all of it was, or if its reader went away.
  static var unsaid: String? {
    fault.withLock(\.self).map { String(cString: strerror($0)) }
  }

  /// Occupies the descriptors of standard streams that were closed before the start; writing to them then fails, as it
  /// should.
  ///
  /// Otherwise the next file to be opened, such as a database, would get such a descriptor and all output with it.
  static func keepPlaces() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 {
      // A newly opened file gets the lowest free descriptor.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes a line to standard output, as the command's result.
  static func say(_ line: String) {
    guard let number = write(line, to: STDOUT_FILENO), number != EPIPE else { return }
    fault.withLock { $0 = $0 ?? number }
  }

  /// Writes a line to standard output for whoever waits for the start; it does not matter if nobody reads it.
  static func announce(_ line: String) {
    _ = write(line, to: STDOUT_FILENO)
  }

  /// Writes an error to standard error, as a single line whatever the text contains.
  static func complain(_ text: String) {
    let prefix = Journal.isStandardError ? Journal.prefix(.error) : ""
    report("\(prefix)vestibule: \(oneLine(text))")
  }

  /// The text without its line breaks.
  static func oneLine(_ text: String) -> String {
    text.split { $0.isNewline }.map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: " ")
  }

  /// Writes a line to standard error as it is.
  static func report(_ line: String) {
    // If that fails, there is nowhere else to say so.
    _ = write(line, to: STDERR_FILENO)
  }

  /// - Returns: The system's error number if it could not be written as a whole; otherwise nil.
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
          // Another program that shares the stream has made it non-blocking.
          var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&watched, 1, -1)
        default: return number
        }
      }
      return nil
    }
  }
}
