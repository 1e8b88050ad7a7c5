internal import HTTPTypes

extension IPAddress {
  /// Reads an address as proxies write it into a list: perhaps with blanks around it and a port after it.
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
  /// The bytes without leading and trailing blanks.
  fileprivate var withoutBlanks: [UInt8] {
    var bytes = Array(drop(while: \.isHTTPBlank))
    bytes.removeLast(bytes.reversed().prefix(while: \.isHTTPBlank).count)
    return bytes
  }
}

extension Request {
  /// The address of the browser: the socket's other end, or what trusted proxies report.
  ///
  /// Forwarded addresses are read from the right, as long as the hop that added them is trusted:
  /// anything further left may have been written by anybody (S7).
  public func clientAddress(trusting proxies: [IPAddress]) -> IPAddress? {
    guard var nearest = peerAddress.flatMap({ IPAddress($0) }) else { return nil }
    for hop in forwarded(.forwardedFor) {
      guard proxies.contains(nearest), let next = IPAddress(hop: hop) else { break }
      nearest = next
    }
    return nearest
  }

  /// The scheme that the browser, or whoever reached the outermost trusted proxy, used; nil if no
  /// trusted proxy reports it (S7).
  ///
  /// Each proxy in a chain adds the scheme by which it was asked, as it adds the address that asked it:
  /// both lists are read from the right together, as long as the hop that added them is trusted.
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

  /// The list that proxies have built, from the right.
  private func forwarded(_ name: HTTPField.Name) -> [Substring.UTF8View] {
    // Bytewise: some characters form a single grapheme with an adjacent comma, and the list would not be
    // split there.
    headerFields[values: name].flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }.reversed()
  }
}
