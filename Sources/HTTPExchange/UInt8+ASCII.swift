/// The character classes of HTTP and similar grammars, for bytes: a `Character` may include a combining mark.
extension UInt8 {
  /// `DIGIT` of RFC 5234, appendix B.1.
  @inlinable public var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  /// `ALPHA` of RFC 5234, appendix B.1.
  @inlinable public var isASCIILetter: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
  }

  @inlinable public var isASCIICapital: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }

  /// The lower-case letter for a capital, and any other byte unchanged.
  @inlinable public var lowercasedInASCII: UInt8 { isASCIICapital ? self | 0x20 : self }

  @inlinable public var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }

  /// A space or a tab, as in optional white space.
  ///
  /// Source: RFC 9110, section 5.6.3.
  @inlinable public var isHTTPBlank: Bool {
    self == UInt8(ascii: " ") || self == UInt8(ascii: "\t")
  }
}
