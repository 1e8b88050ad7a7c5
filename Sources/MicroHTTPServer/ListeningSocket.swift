internal import Glibc
internal import Locking

/// A bound, listening TCP socket.
///
/// It is made first, so that the port is known before any handler exists; connections that arrive
/// before a server takes it wait in its queue. Closed when it is released.
public final class ListeningSocket: Sendable {
  /// The port that it is bound to, even if port 0 was asked for.
  public let port: Int
  let descriptor: CInt
  private let isTaken = Locked(false)

  /// Binds and listens.
  ///
  /// - Parameters:
  ///   - host: `localhost` (which is 127.0.0.1 here), or a numeric IPv4 or IPv6 address.
  ///   - port: 0 takes a free one.
  /// - Throws: `ListenError`, one clear line each.
  public init(host: String, port: Int) throws(ListenError) {
    let descriptor = try Self.bound(host: host, port: port)
    do throws(ListenError) {
      guard listen(descriptor, 511) == 0 else {
        throw ListenError(errno: errno, host: host, port: port)
      }
      self.port = try SocketAddress.port(of: descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  /// Checks whether this could be an address to listen on, without binding it.
  ///
  /// - Throws: `ListenError.notAnAddress` or `.notAPort`.
  public static func check(host: String, port: Int) throws(ListenError) {
    _ = try SocketAddress(host: host, port: port)
  }

  /// Checks whether the port is free now, by binding it briefly without listening.
  ///
  /// Checks and starts at the same time do not disturb each other: only a listening socket occupies
  /// a port.
  ///
  /// - Throws: `ListenError`, as for listening.
  public static func checkFree(host: String, port: Int) throws(ListenError) {
    close(try bound(host: host, port: port))
  }

  private static func bound(host: String, port: Int) throws(ListenError) -> CInt {
    let address = try SocketAddress(host: host, port: port)
    let descriptor = socket(
      address.family,
      CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue),
      0
    )
    guard descriptor >= 0 else { throw .other(errno: errno) }
    // A restart must not wait for the previous run's connections to leave TIME_WAIT.
    var yes: CInt = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
    let isBound = address.withPointer { bind(descriptor, $0, $1) == 0 }
    guard isBound else {
      let failure = ListenError(errno: errno, host: host, port: port)
      close(descriptor)
      throw failure
    }
    return descriptor
  }

  deinit { close(descriptor) }

  /// Marks the socket as served; a second server on it would be a bug.
  func take() {
    let wasTaken = isTaken.withLock { isTaken in
      defer { isTaken = true }
      return isTaken
    }
    precondition(!wasTaken, "a listening socket serves one server, once")
  }

  /// Refuses all further connections at once, including those waiting in the queue.
  func refuseConnections() {
    shutdown(descriptor, CInt(SHUT_RDWR))
  }
}
