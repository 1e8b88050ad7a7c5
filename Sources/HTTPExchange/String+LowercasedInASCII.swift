extension String {
  /// With the letters of ASCII in lower case alone: of hosts and schemes no other sign is a letter,
  /// but some of Unicode's become one.
  ///
  /// Source: RFC 3986, section 6.2.2.1.
  public var lowercasedInASCII: String {
    // Nearly all are written so already, and each request has one.
    var text = self
    guard text.withUTF8({ $0.contains(where: \.isASCIICapital) }) else { return self }
    return String(decoding: utf8.map(\.lowercasedInASCII), as: UTF8.self)
  }
}
