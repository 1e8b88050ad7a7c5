internal import Foundation
internal import Locking

/// A body too long for memory: an unnamed temporary file that goes with its last holder.
public final class SpooledBody: Sendable {
  /// The file could not be made, written or read.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Reason: Hashable {
      /// The system's error number.
      case refused(CInt)
      /// The file has fewer bytes than were asked for, which is not an error to the system.
      case cutShort
    }

    private let reason: Reason

    /// The system call that has just failed, by its `errno`.
    init() { reason = .refused(errno) }

    private init(_ reason: Reason) { self.reason = reason }

    static let cutShort = Failure(.cutShort)

    public var description: String {
      switch reason {
      case .refused(let code):
        "a long body cannot be kept in a temporary file: \(String(cString: strerror(code)))"
      case .cutShort: "a long body's temporary file ends before the body does"
      }
    }
  }

  private let descriptor: CInt
  private let size = Locked(0)

  /// - Throws: `Failure` if no temporary file can be made (in `TMPDIR`, or `/tmp`).
  public init() throws(Failure) {
    let folder = FileManager.default.temporaryDirectory
    var path = Array(folder.appendingPathComponent("vestibule-XXXXXX").path.utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw Failure() }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
  }

  deinit { close(descriptor) }

  /// The number of bytes written so far.
  public var count: Int { size.withLock { $0 } }

  /// Appends bytes.
  ///
  /// - Throws: `Failure`, with `count` unchanged.
  public func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    try size.withLock { size throws(Failure) in
      var rest = bytes[...]
      while !rest.isEmpty {
        let place = size + bytes.count - rest.count
        let piece = UnsafeRawBufferPointer(rebasing: rest)
        let written = Self.uninterrupted {
          pwrite(descriptor, piece.baseAddress, piece.count, off_t(place))
        }
        // Nothing written is no error to the system, and leaves `errno` as it was.
        guard written > 0 else { throw written == 0 ? Failure.cutShort : Failure() }
        rest = rest.dropFirst(written)
      }
      size += bytes.count
    }
  }

  /// The bytes in a range within `count`.
  ///
  /// - Throws: `Failure`.
  public func bytes(in range: Range<Int>) throws(Failure) -> [UInt8] {
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let part = UnsafeMutableBufferPointer(rebasing: buffer[count..<range.count])
        let place = off_t(range.lowerBound + count)
        let read = Self.uninterrupted { pread(descriptor, part.baseAddress, part.count, place) }
        guard read > 0 else {
          failure = read == 0 ? .cutShort : Failure()
          return
        }
        count += read
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Repeats a system call that a signal has interrupted.
  private static func uninterrupted(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}

/// Each is equal only to itself.
extension SpooledBody: Hashable {
  public static func == (left: SpooledBody, right: SpooledBody) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
