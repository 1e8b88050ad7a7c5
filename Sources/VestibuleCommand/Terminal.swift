import Foundation
import Glibc
import Locking
import Logging

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
