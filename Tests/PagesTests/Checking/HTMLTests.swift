import Testing

@testable import Pages

@Suite("Reading a document more strictly than browsers do")
struct HTMLTests {
  @Test("comments, either quotes, references and elements that are closed at once are well formed")
  func wellFormed() throws {
    let text = """
      <!doctype HTML>
      <!-- <p> & --><p id='a' hidden title="&lt;&quot;">A &lt; B&#39;&#x42;<br/><img/>x</p><svg/>
      """
    let html = try HTML(Array(text.utf8))
    #expect(html.all.map(\.tag) == ["#document", "p", "br", "img", "svg"])
    let paragraph = try #require(html.element(id: "a"))
    #expect(paragraph["hidden"] == "")
    #expect(paragraph["title"] == "<\"")
    #expect(paragraph.text == "A < B'Bx")
    #expect(html.all("svg").first?.text == "")
  }

  @Test(
    "what is not well formed is refused with what is wrong",
    arguments: [
      ("<!-- a", "a comment is not closed"), ("< p>", "a bare <"), ("a > b", "a bare >"),
      ("<p", "odd characters in <p>"), ("<p class=\"a\"id=\"b\"></p>", "odd characters in <p>"),
      ("<p \"a\"></p>", "odd characters in <p>"), ("<p / >", "odd characters in <p>"),
      ("<p =\"a\"></p>", "odd characters in <p>"),
      ("<p class=a></p>", "the value of class in <p> has no quotes"),
      ("<p class=", "the value of class in <p> has no quotes"),
      ("<p id=\"a\" id=\"b\"></p>", "id appears twice in <p>"), ("<p>", "<p> is not closed"),
      ("<p id=\"a\">", "<p id=\"a\"> is not closed"),
      ("<p id=\"a", "expected \" before "), ("<p></p x>", "expected > before x>"),
      ("<p></p", "expected > before "),
      ("a & b", "a bare &, or an unknown & b;"), ("&amp", "a bare &, or an unknown &amp;"),
      ("&nope;", "a bare &, or an unknown &nope;"), ("&139;", "a bare &, or an unknown &139;"),
      ("&#x;", "a bare &, or an unknown &#x;"), ("<script>a", "<script> is not closed"),
      ("</p>", "</p> closes nothing"), ("<p><b></p>", "<b> is open where </p> comes"),
    ]
  )
  func malformed(text: String, words: String) {
    let error = #expect(throws: HTML.Malformed.self) {
      _ = try HTML(Array("<!DOCTYPE html>\(text)".utf8))
    }
    #expect(error?.description == words)
  }

  @Test("a document begins with its type", arguments: ["", "<p>x</p>", "<!DOCTYPE htm"])
  func withoutType(text: String) {
    let error = #expect(throws: HTML.Malformed.self) { _ = try HTML(Array(text.utf8)) }
    #expect(error?.description == "the document does not begin with <!DOCTYPE html>")
  }
}
