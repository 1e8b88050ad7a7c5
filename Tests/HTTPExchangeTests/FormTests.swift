import HTTPExchange
import Testing

@Suite("Forms on the wire")
struct FormTests {
  @Test(
    "names and values come out as they were typed (S18)",
    arguments: [
      ("a=1&b=2", [("a", "1"), ("b", "2")]),
      ("a=1&a=2", [("a", "1"), ("a", "2")]),
      ("a=b+c%2Bd", [("a", "b c+d")]),
      ("a=%00%F0%9F%97%9D", [("a", "\0🗝")]),
      ("a&b=&=c", [("a", ""), ("b", ""), ("", "c")]),
      ("a=b=c", [("a", "b=c")]),
      ("&&a=1&", [("a", "1")]),
      ("", []),
    ] as [(String, [(String, String)])]
  )
  func decodes(text: String, expected: [(String, String)]) throws {
    let form = try Form(decoding: text.utf8)
    #expect(form.fields == expected.map { Form.Field(name: $0.0, value: $0.1) })
  }

  @Test(
    "what is not a form is refused, never repaired",
    arguments: [
      ("a=%zz", Form.DecodingError.brokenEscape),
      ("a=%4", .brokenEscape),
      ("%=a", .brokenEscape),
      ("a=%ff", .notUTF8),
      ("%c3=a", .notUTF8),
    ]
  )
  func refuses(text: String, error: Form.DecodingError) {
    #expect(throws: error) { try Form(decoding: text.utf8) }
  }

  @Test("the limit of fields is exact (S4)", arguments: [(99, true), (100, true), (101, false)])
  func countsFields(count: Int, fits: Bool) {
    let text = Array(repeating: "a=1", count: count).joined(separator: "&")
    #expect(((try? Form(decoding: text.utf8)) != nil) == fits)
  }

  @Test("what is encoded decodes to the same")
  func roundTrip() throws {
    let form: Form = ["identifier": "ada+b@example.com", "password": " %&=é\u{301}\0 ", "": ""]
    #expect(try Form(decoding: form.encoded) == form)
  }
}
