import AuthAPIClient
import Testing

@Suite("What is kept of a text")
struct CutTests {
  @Test("at most so many characters, however many bytes each takes")
  func characters() {
    #expect("short".cut(to: 5) == "short")
    #expect("longer".cut(to: 5) == "longe")
    // Five characters of fifteen bytes are five characters.
    #expect("日本語です".cut(to: 5) == "日本語です")
    #expect("日本語です".cut(to: 4) == "日本語で")
    #expect("e\u{301}e\u{301}".cut(to: 1) == "e\u{301}")
  }
}
