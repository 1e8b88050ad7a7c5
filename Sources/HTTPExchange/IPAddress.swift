internal import Glibc
internal import HTTPTypes

/// A numeric IPv4 or IPv6 address; IPv4 addresses in IPv6's clothes are IPv4 addresses.
///
/// Source: RFC 4291, section 2.2.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  /// 4 or 16 bytes.
  public let bytes: [UInt8]

  private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

  /// Returns nil for anything that is not an address alone: no port, no brackets, no zone.
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
    // C would read up to a NUL, and take what is before it.
    guard !text.utf8.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }

  /// The network that one customer is usually given: the address itself, or the first 64 bits.
  public var network: [UInt8] { bytes.count == 4 ? bytes : Array(bytes.prefix(8)) }

  public var description: String {
    if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2).map { index in
      String(Int(bytes[index]) * 256 + Int(bytes[index + 1]), radix: 16)
    }.joined(separator: ":")
  }
}

extension IPAddress {
  /// As proxies write one into a list: blanks around it, and with some of them a port behind.
  fileprivate init?(hop: Substring.UTF8View) {
    let hop = hop.withoutBlanks
    let colons = hop.count { $0 == UInt8(ascii: ":") }
    let address: ArraySlice<UInt8>
    if hop.first == UInt8(ascii: "["), let end = hop.firstIndex(of: UInt8(ascii: "]")) {
      address = hop[1..<end]
      guard Self.isPort(hop[(end + 1)...]) else { return nil }
    } else if colons == 1, let colon = hop.firstIndex(of: UInt8(ascii: ":")) {
      address = hop[..<colon]
      guard Self.isPort(hop[colon...]) else { return nil }
    } else {
      address = hop[...]
    }
    guard let text = String(utf8: Array(address)) else { return nil }
    self.init(text)
  }

  /// A colon and digits, or nothing.
  private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let colon = bytes.first else { return true }
    let digits = bytes.dropFirst()
    return colon == UInt8(ascii: ":") && !digits.isEmpty && digits.allSatisfy(\.isASCIIDigit)
  }
}

extension Substring.UTF8View {
  /// What stands between the blanks around it.
  fileprivate var withoutBlanks: [UInt8] {
    var bytes = Array(drop(while: \.isHTTPBlank))
    bytes.removeLast(bytes.reversed().prefix(while: \.isHTTPBlank).count)
    return bytes
  }
}

extension Request {
  /// The address of the browser: the socket's other end, or what trusted proxies say of it.
  ///
  /// Forwarded addresses are counted from the right, and only while the hop that added them is a
  /// trusted one: whatever stands left of that, anybody may have written (S7).
  public func clientAddress(trusting proxies: [IPAddress]) -> IPAddress? {
    guard var nearest = peerAddress.flatMap({ IPAddress($0) }) else { return nil }
    for hop in forwarded(.forwardedFor) {
      guard proxies.contains(nearest), let next = IPAddress(hop: hop) else { break }
      nearest = next
    }
    return nearest
  }

  /// The scheme by which the browser asked, or whoever came to a trusted proxy; nil where none says
  /// so (S7).
  ///
  /// Each proxy of a row adds the scheme by which it was asked, as it adds the address that asked it:
  /// so both are counted from the right together, as long as the hop that added them is a trusted one.
  public func forwardedScheme(trusting proxies: [IPAddress]) -> String? {
    var hop = peerAddress.flatMap { IPAddress($0) }
    var askers = forwarded(.forwardedFor).makeIterator()
    var scheme: String?
    for word in forwarded(.forwardedProto) {
      let said = String(decoding: word.withoutBlanks, as: UTF8.self).lowercasedInASCII
      guard let speaker = hop, proxies.contains(speaker), ["http", "https"].contains(said)
      else { break }
      scheme = said
      hop = askers.next().flatMap { IPAddress(hop: $0) }
    }
    return scheme
  }

  /// What proxies have added to a list, from the right.
  private func forwarded(_ name: HTTPField.Name) -> [Substring.UTF8View] {
    // By bytes: some letters make one character with the comma behind them, and the list would not be
    // parted there.
    headerFields[values: name].flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }.reversed()
  }
}
