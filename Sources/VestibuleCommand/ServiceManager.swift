import Dispatch
import Foundation
import Glibc

/// The service manager, if it wants to be told the program's state: systemd, through `NOTIFY_SOCKET`.
///
/// Source: sd_notify(3).
enum ServiceManager {
  enum State {
    /// With an optional outcome, which `systemctl status` shows.
    case ready(status: String? = nil)
    case reloading, stopping

    fileprivate var message: String {
      switch self {
      case .ready(status: nil): "READY=1"
      case .ready(status: let status?): "READY=1\nSTATUS=\(Self.line(status))"
      case .stopping: "STOPPING=1"
      case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(monotonicMicroseconds)"
      }
    }

    /// The text as a single line, since a message has one line per field.
    private static func line(_ text: String) -> String {
      text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// With it, a manager tells this message from an outdated one.
    private var monotonicMicroseconds: UInt64 { DispatchTime.now().uptimeNanoseconds / 1_000 }
  }

  /// Reports the state; does nothing if there is no manager to tell.
  static func tell(_ state: State) {
    guard var path = getenv("NOTIFY_SOCKET").map({ Array(String(cString: $0).utf8) }) else {
      return
    }
    // An abstract socket's name begins with a NUL, which is written as @ in the variable.
    if path.first == UInt8(ascii: "@") { path[0] = 0 }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard !path.isEmpty, path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let bytes = Array(state.message.utf8)
        _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length)
      }
    }
  }
}
