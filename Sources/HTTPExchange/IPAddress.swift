internal import Glibc

/// A numeric IPv4 or IPv6 address; an IPv4-mapped IPv6 address counts as an IPv4 address.
///
/// Source: RFC 4291, section 2.2.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  /// 4 or 16 bytes.
  public let bytes: [UInt8]

  private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

  /// Returns nil for anything but a bare address: no port, no brackets, no zone.
  public init?(_ text: some StringProtocol) {
    let text = String(text)
    if let bytes = Self.bytes(of: text, family: AF_INET, count: 4) {
      self.bytes = bytes
    } else if let bytes = Self.bytes(of: text, family: AF_INET6, count: 16) {
      self.bytes =
        bytes.starts(with: Self.mappedPrefix)
        ? Array(bytes.dropFirst(Self.mappedPrefix.count)) : bytes
    } else {
      return nil
    }
  }

  private static func bytes(of text: String, family: CInt, count: Int) -> [UInt8]? {
    // C would stop at a NUL, and accept what comes before it.
    guard !text.utf8.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }

  /// The network that one customer is usually given: the IPv4 address itself, or the first 64 bits of an IPv6 one.
  public var network: [UInt8] { bytes.count == 4 ? bytes : Array(bytes.prefix(8)) }

  public var description: String {
    if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2).map { index in
      String(Int(bytes[index]) * 256 + Int(bytes[index + 1]), radix: 16)
    }.joined(separator: ":")
  }
}
