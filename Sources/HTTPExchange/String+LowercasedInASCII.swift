extension String {
  /// With the letters of ASCII in lower case alone: of hosts and schemes no other sign is a letter,
  /// but some of Unicode's become one.
  ///
  /// Source: RFC 3986, section 6.2.2.1.
  public var lowercasedInASCII: String {
    // Nearly all are written so already, and each request has one.
    guard utf8.contains(where: Self.isCapital) else { return self }
    return String(decoding: utf8.map { Self.isCapital($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  private static func isCapital(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
  }
}
