import Foundation
import HTTPExchange
import Testing

@Suite("Encodings for text inside other text")
struct EncodingTests {
  @Test(
    "base64url, unpadded, and back (RFC 4648, section 5)",
    arguments: [([], ""), ([0xFB, 0xFF], "-_8"), ([0xFF], "_w"), ([1, 2, 3], "AQID")]
      as [([UInt8], String)]
  )
  func base64URL(bytes: [UInt8], text: String) {
    #expect(Base64URL.text(of: bytes) == text)
    #expect(Base64URL.bytes(of: text) == bytes)
  }

  @Test("another alphabet is refused", arguments: ["+/8", "a b", "\u{E4}", "A", "A=AA", "-_9"])
  func foreign(text: String) {
    #expect(Base64URL.bytes(of: text) == nil)
  }

  @Test(
    "base64 that others wrote is read in either alphabet, padded or not",
    arguments: ["-_8=", "+/8", "-_8"]
  )
  func anyBase64(text: String) {
    #expect(Base64URL.bytes(ofAnyBase64: text) == [0xFB, 0xFF])
  }

  @Test("an id is escaped in a path's segment, whatever it contains (RFC 3986, section 2.1)")
  func segment() {
    #expect(PercentEncoding.segment("a_Z-9") == "a_Z-9")
    #expect(PercentEncoding.segment("../é?") == "%2E%2E%2F%C3%A9%3F")
    #expect(PercentEncoding.escaped("a.b@c+é", keeping: ".@") == "a.b@c%2B%C3%A9")
  }

  @Test("bytes in hexadecimal, two digits each")
  func hexadecimal() {
    #expect(Hexadecimal.text(of: [0, 0x0A, 0xFF]) == "000aff")
  }

  @Test("only the letters and digits of ASCII count as letters and digits")
  func kinds() {
    let digits = Array("0123456789".utf8)
    let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
    let all = UInt8.min...UInt8.max
    let known = Set(digits + letters + letters.map { $0 - 0x20 })
    #expect(Set(all.filter(\.isASCIILetterOrDigit)) == known)
    #expect(Set(all.filter(\.isASCIIDigit)) == Set(digits))
    #expect(Set(all.filter(\.isHTTPBlank)) == Set(" \t".utf8))
    for (text, value) in [("0", 0), ("9", 9), ("a", 10), ("F", 15)] as [(String, UInt8)] {
      #expect(text.utf8.first.flatMap(Hexadecimal.value(of:)) == value)
    }
    let hexadecimal = Set(digits + "abcdefABCDEF".utf8)
    #expect(Set(all.filter { Hexadecimal.value(of: $0) != nil }) == hexadecimal)
  }

  @Test(
    "random bytes are as many as were asked for, and never the same twice",
    arguments: [0, 1, 16, 5_000]
  )
  func random(count: Int) {
    #expect(systemRandomBytes(count).count == count)
    let drawn = (0..<300).map { _ in systemRandomBytes(16) }
    #expect(Set(drawn).count == drawn.count)
  }

  @Test("no combining character hides a character that is special in HTML (S17)")
  func html() {
    #expect(
      HTMLText.escaped("<\u{301}b> \"\u{200D}' &") == "&lt;\u{301}b&gt; &quot;\u{200D}&#39; &amp;"
    )
    #expect(HTMLText.escaped("\u{1B}[2J\0\u{7F}\t\r\n") == "\u{FFFD}[2J\u{FFFD}\u{FFFD}\t\r\n")
  }
}
