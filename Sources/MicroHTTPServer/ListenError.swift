internal import Glibc

/// Why no socket could be bound.
public enum ListenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another program (or another part of this one) listens there.
  case addressInUse(host: String, port: Int)
  /// The text is neither `localhost` nor a numeric IPv4 or IPv6 address.
  case notAnAddress(host: String)
  /// The port is not in 0...65535.
  case notAPort(Int)
  /// The address belongs to no interface of this machine.
  case addressNotAvailable(host: String)
  /// The port is reserved for privileged processes.
  case notPermitted(host: String, port: Int)
  /// Any other refusal of the operating system.
  case other(errno: CInt)

  public var description: String {
    switch self {
    case .addressInUse(let host, let port):
      "port \(port) on \(host) is already in use"
    case .notAnAddress(let host):
      "\"\(host)\" is not an address to listen on: use localhost, 127.0.0.1, ::1 or another numeric address"
    case .notAPort(let port):
      "\(port) is not a port: use 0 (any free one) to 65535"
    case .addressNotAvailable(let host):
      "\(host) is not an address of this machine"
    case .notPermitted(let host, let port):
      "not permitted to listen on port \(port) of \(host)"
    case .other(let errno):
      "cannot listen: \(String(cString: strerror(errno))) (errno \(errno))"
    }
  }

  init(errno: CInt, host: String, port: Int) {
    switch errno {
    case EADDRINUSE: self = .addressInUse(host: host, port: port)
    case EADDRNOTAVAIL: self = .addressNotAvailable(host: host)
    case EACCES, EPERM: self = .notPermitted(host: host, port: port)
    default: self = .other(errno: errno)
    }
  }
}
