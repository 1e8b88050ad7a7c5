internal import CMicroHTTPD
internal import Glibc

/// A numeric socket address.
struct SocketAddress {
  private var storage: sockaddr_storage
  private let length: socklen_t

  var family: CInt { CInt(storage.ss_family) }

  init(host: String, port: Int) throws(ListenError) {
    guard let port = UInt16(exactly: port) else { throw .notAPort(port) }
    let text = host == "localhost" ? "127.0.0.1" : host
    storage = sockaddr_storage()
    var v4 = sockaddr_in()
    var v6 = sockaddr_in6()
    if inet_pton(AF_INET, text, &v4.sin_addr) == 1 {
      v4.sin_family = sa_family_t(AF_INET)
      v4.sin_port = port.bigEndian
      length = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: v4, as: sockaddr_in.self) }
    } else if inet_pton(AF_INET6, text, &v6.sin6_addr) == 1 {
      v6.sin6_family = sa_family_t(AF_INET6)
      v6.sin6_port = port.bigEndian
      length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: v6, as: sockaddr_in6.self) }
    } else {
      throw .notAnAddress(host: host)
    }
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  /// The port that a bound socket got.
  static func port(of descriptor: CInt) throws(ListenError) -> Int {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    guard code == 0 else { throw .other(errno: errno) }
    return withUnsafeBytes(of: storage) { bytes in
      // `sin_port` and `sin6_port` have the same offset.
      Int(UInt16(bigEndian: bytes.load(as: sockaddr_in.self).sin_port))
    }
  }

  /// The address as text without port (`127.0.0.1`, `::1`); an IPv4 address that was mapped into
  /// IPv6 is given as IPv4.
  static func text(of address: UnsafePointer<sockaddr>) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
      let raw = UnsafeRawPointer(address)
      let text: UnsafePointer<CChar>?
      switch CInt(address.pointee.sa_family) {
      case AF_INET:
        var host = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
        text = inet_ntop(AF_INET, &host, buffer.baseAddress, socklen_t(buffer.count))
      case AF_INET6:
        var host = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
        text = inet_ntop(AF_INET6, &host, buffer.baseAddress, socklen_t(buffer.count))
      default:
        text = nil
      }
      return text.map { String(cString: $0) }.map { text in
        text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
      }
    }
  }
}
