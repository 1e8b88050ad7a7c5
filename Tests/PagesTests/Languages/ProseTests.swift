import Testing

@testable import Pages

@Suite("Words in one language")
struct ProseTests {
  @Test(
    "a label begins with a capital, whatever letter that is",
    arguments: [
      ("email address", "Email address"), ("Email", "Email"), ("z", "Z"), ("2 codes", "2 codes"),
      ("élan", "Élan"), ("e\u{301}lan", "É\u{6C}an"), ("ßa", "SSa"), ("ﬁn", "FIn"), ("", ""),
      ("رمز", "رمز"),
    ]
  )
  func capitals(_ words: String, _ label: String) {
    var prose = Prose(words)
    prose.append(.strong("and more"))
    #expect(prose.capitalized.spans == [.text(label), .strong("and more")])
    #expect(Prose(spans: [.english(words)]).capitalized.spans == [.english(label)])
  }

  @Test("adjacent texts become one; words that are marked up stay separate")
  func joined() {
    var prose = Prose("Code ")
    prose.append(.text("sent to "))
    prose.append(.strong("ada"))
    prose.append(Prose(spans: [.text(" at"), .text(" noon")]))
    #expect(prose.spans == [.text("Code sent to "), .strong("ada"), .text(" at noon")])
    #expect(Prose(spans: [.strong("ada")]).capitalized.spans == [.strong("ada")])
  }
}
