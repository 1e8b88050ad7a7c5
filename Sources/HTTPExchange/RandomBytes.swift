internal import Glibc
internal import Locking

/// Returns bytes from the system's generator, which are fit for secrets.
///
/// They are drawn a kilobyte at a time: a page needs several small secrets, and a system call costs
/// more than the bytes. No byte is given out twice, and none is kept once given out.
public func systemRandomBytes(_ count: Int) -> [UInt8] {
  count <= RandomPool.size ? RandomPool.shared.withLock { $0.take(count) } : RandomPool.drawn(count)
}

private struct RandomPool {
  static let size = 1_024
  static let shared = Locked(RandomPool())

  private var bytes: [UInt8] = []

  mutating func take(_ count: Int) -> [UInt8] {
    if bytes.count < count { bytes = Self.drawn(Self.size) }
    let rest = bytes.count - count
    let taken = Array(bytes[rest...])
    bytes.withUnsafeMutableBytes { buffer in
      if let start = buffer.baseAddress { explicit_bzero(start + rest, count) }
    }
    bytes.removeLast(count)
    return taken
  }

  static func drawn(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withUnsafeMutableBytes { buffer in
      if let start = buffer.baseAddress { arc4random_buf(start, buffer.count) }
    }
    return bytes
  }
}
