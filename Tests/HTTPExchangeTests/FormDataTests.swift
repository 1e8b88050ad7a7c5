import HTTPExchange
import Testing

@Suite("Form data on the wire")
struct FormDataTests {
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
    let form = try FormData(decoding: text.utf8)
    #expect(form.fields.map(\.name) == expected.map { $0.0 })
    #expect(form.fields.map(\.value) == expected.map { $0.1 })
  }

  @Test("a name without an equals sign is told from one with an empty value")
  func bareNames() throws {
    let form = try FormData(decoding: "a&b=&=c&d=e&f".utf8)
    #expect(form.fields.map(\.isBare) == [true, false, false, false, true])
  }

  @Test("a failing test prints only the names of a form's fields")
  func printed() {
    let form: FormData = ["identifier": "ada", "password": "secret"]
    #expect("\(form)" == "[identifier: …, password: …]")
    #expect("\(form.fields)" == "[identifier: …, password: …]")
  }

  @Test(
    "a malformed form is refused, never repaired",
    arguments: [
      ("a=%zz", FormData.DecodingError.brokenEscape),
      ("a=%4", .brokenEscape),
      ("%=a", .brokenEscape),
      ("a=%ff", .notUTF8),
      ("%c3=a", .notUTF8),
    ]
  )
  func refuses(text: String, error: FormData.DecodingError) {
    #expect(throws: error) { try FormData(decoding: text.utf8) }
  }

  @Test("the limit of fields is exact (S4)", arguments: [(99, true), (100, true), (101, false)])
  func countsFields(count: Int, fits: Bool) {
    let text = Array(repeating: "a=1", count: count).joined(separator: "&")
    #expect(((try? FormData(decoding: text.utf8)) != nil) == fits)
  }

  @Test(
    "an address has the fields as its query, and no question mark if there are none",
    arguments: [
      ([:], "/a"), (["b": "c d"], "/a?b=c+d"), (["b": "&", "": ""], "/a?b=%26&="),
    ] as [(FormData, String)]
  )
  func address(form: FormData, address: String) {
    #expect(form.address(at: "/a") == address)
    #expect(address.hasSuffix(form.text))
  }

  @Test(
    "an addition to an address's query goes after what is there, and before a fragment",
    arguments: [
      ("/a", "/a?x=1"), ("/a?b", "/a?b&x=1"), ("/a#c?d", "/a?x=1#c?d"), ("/a?b#c", "/a?b&x=1#c"),
    ]
  )
  func moreInQuery(address: String, longer: String) {
    #expect(address.addingQuery("x=1") == longer)
  }

  @Test("an encoded form decodes to the same form")
  func roundTrip() throws {
    let form: FormData = ["identifier": "ada+b@example.com", "password": " %&=é\u{301}\0 ", "": ""]
    #expect(try FormData(decoding: form.encoded) == form)
  }
}
