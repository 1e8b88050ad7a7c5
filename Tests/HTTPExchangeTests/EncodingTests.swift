import Foundation
import HTTPExchange
import Testing

@Suite("Texts that go into other texts")
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

  @Test("another alphabet is none", arguments: ["+/8", "a b", "\u{E4}", "A", "A=AA", "-_9"])
  func foreign(text: String) {
    #expect(Base64URL.bytes(of: text) == nil)
  }

  @Test("no combining character hides what HTML means something by (S17)")
  func html() {
    #expect(
      HTMLText.escaped("<\u{301}b> \"\u{200D}' &") == "&lt;\u{301}b&gt; &quot;\u{200D}&#39; &amp;"
    )
  }
}
