extension String {
  /// The text with only its ASCII letters lowercased: hosts and schemes have no other letters, and some
  /// Unicode characters would be lowercased into one.
  ///
  /// Source: RFC 3986, section 6.2.2.1.
  public var lowercasedInASCII: String {
    // Nearly all are in lower case already, and every request has one.
    var text = self
    guard text.withUTF8({ $0.contains(where: \.isASCIICapital) }) else { return self }
    return String(decoding: utf8.map(\.lowercasedInASCII), as: UTF8.self)
  }
}
