internal import Foundation
internal import Locking

/// A body that is too long for memory: a temporary file without a name, gone with its last holder.
public final class SpooledBody: Sendable {
  /// That the file cannot be made, written or read.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    private enum Reason: Hashable {
      /// The system's number for it.
      case refused(CInt)
      /// It has fewer bytes than were asked for, of which the system says nothing.
      case cutShort
    }

    private let reason: Reason

    /// What the system has just refused.
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

  /// - Throws: `Failure` where there is no room for temporary files (`TMPDIR`, or `/tmp`).
  public init() throws(Failure) {
    let folder = FileManager.default.temporaryDirectory
    var path = Array(folder.appendingPathComponent("vestibule-XXXXXX").path.utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw Failure() }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
  }

  deinit { close(descriptor) }

  /// How many bytes have been written.
  public var count: Int { size.withLock { $0 } }

  /// Writes behind what is there.
  ///
  /// - Throws: `Failure`, with the file as long as it was.
  public func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    try size.withLock { size throws(Failure) in
      var rest = bytes[...]
      while !rest.isEmpty {
        let done = rest.count
        let place = size + bytes.count - done
        let written = pwrite(
          descriptor,
          UnsafeRawBufferPointer(rebasing: rest).baseAddress,
          done,
          off_t(place)
        )
        guard written > 0 else { throw Failure() }
        rest = rest.dropFirst(written)
      }
      size += bytes.count
    }
  }

  /// The bytes of a range that lies within `count`.
  ///
  /// - Throws: `Failure`.
  public func bytes(in range: Range<Int>) throws(Failure) -> [UInt8] {
    var failure: Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let part = UnsafeMutableBufferPointer(rebasing: buffer[count..<range.count])
        let place = off_t(range.lowerBound + count)
        let read = pread(descriptor, part.baseAddress, part.count, place)
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
}

/// Each is equal to itself alone: two are two files.
extension SpooledBody: Hashable {
  public static func == (left: SpooledBody, right: SpooledBody) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
