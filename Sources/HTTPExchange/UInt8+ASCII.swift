/// Classes of signs that rules of HTTP and its like are written in, by bytes: a character may have a mark that
/// combines with it.
extension UInt8 {
  /// `DIGIT` of RFC 5234, appendix B.1.
  @inlinable public var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  /// `ALPHA` of RFC 5234, appendix B.1.
  @inlinable public var isASCIILetter: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
  }

  @inlinable public var isASCIICapital: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }

  /// The small letter of a capital, any other byte as it is.
  @inlinable public var lowercasedInASCII: UInt8 { isASCIICapital ? self | 0x20 : self }

  @inlinable public var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }

  /// A space or a tab, of which optional white space is made.
  ///
  /// Source: RFC 9110, section 5.6.3.
  @inlinable public var isHTTPBlank: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\t")
  }
}
