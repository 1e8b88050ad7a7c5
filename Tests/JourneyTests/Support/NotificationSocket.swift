import Foundation
import Glibc

/// Where a service manager hears from its services.
final class NotificationSocket: Sendable {
  struct Failure: Error {}

  let path: String
  private let descriptor: Int32

  init(at path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    // Longer than a slow machine takes to start or to stop: after that, nothing will come.
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_RCVTIMEO,
      &patience,
      socklen_t(MemoryLayout<timeval>.size)
    )
    guard status == 0 else { throw Failure() }
  }

  deinit { close(descriptor) }

  /// The next message; waits on a thread of its own.
  func message() async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [descriptor] in
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        continuation.resume(
          with: count > 0
            ? .success(String(decoding: bytes.prefix(count), as: UTF8.self)) : .failure(Failure())
        )
      }
    }
  }
}
