import AuthFlow
import Testing

@Suite("Cutting a text")
struct CutTests {
  @Test("a text is cut to a number of code points, however many bytes each takes (S17)")
  func codePoints() {
    #expect("short".cut(to: 5) == "short")
    #expect("longer".cut(to: 5) == "longe")
    // Five code points of fifteen bytes are five code points.
    #expect("日本語です".cut(to: 5) == "日本語です")
    #expect("日本語です".cut(to: 4) == "日本語で")
    #expect("e\u{301}e\u{301}".cut(to: 3) == "e\u{301}e")
  }

  @Test("a pile of marks on one letter does not get through (S17)")
  func marks() {
    let pile = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect(pile.count == 1)
    #expect(pile.cut(to: 100).unicodeScalars.count == 100)
  }

  @Test("a cut can be marked, within the limit")
  func marked() {
    #expect("longer".cut(to: 5, marking: "…") == "long…")
    #expect("short".cut(to: 5, marking: "…") == "short")
  }
}
