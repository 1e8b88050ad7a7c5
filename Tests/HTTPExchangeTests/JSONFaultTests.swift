import Testing

@testable import HTTPExchange

@Suite("What is wrong with a JSON text")
struct JSONFaultTests {
  @Test(
    "the place where JSON is malformed is given as line and column, in characters",
    arguments: [
      ("", "line 1, column 1"), ("{", "line 1, column 2"), ("\n\n  {'a': 1}", "line 3, column 4"),
      (#"{"a": tru}"#, "line 1, column 7"), ("[1,]", "line 1, column 4"),
      ("{\"a\": 1\n \"b\": 2}", "line 2, column 2"), ("{} x", "line 1, column 4"),
      ("{\"é✓\": \"\u{1F600}\" 1}", "line 1, column 12"), ("\u{FEFF}{]", "line 1, column 2"),
      ("\u{FEFF}\n{]", "line 2, column 2"), ("{\"a\": \"x\n\"}", "line 1, column 9"),
      (#"["\x"]"#, "line 1, column 5"), ("[01]", "line 1, column 4"),
      ("[\"\\", "line 1, column 3"), (#"["\u12"#, "line 1, column 5"),
    ]
  )
  func malformed(text: String, place: String) {
    #expect(JSONFault(in: Array(text.utf8))?.description == "it is not JSON: \(place)")
  }

  @Test(
    "a key that appears twice in an object is reported at its second place, however written",
    arguments: [
      (#"{"a": 1, "a": 2}"#, "key 'a' appears twice: line 1, column 10"),
      (#"[{"b": {}}, {"b": 1, "\u0062": 2}]"#, "key 'b' appears twice: line 1, column 22"),
      (#"{"x": {"y": 1, "y": 2}, "x": 3}"#, "key 'y' appears twice: line 1, column 16"),
    ]
  )
  func repeated(text: String, words: String) {
    #expect(JSONFault(in: Array(text.utf8))?.description == words)
  }

  @Test(
    "JSON without repeated keys has no fault; keys that only look alike are different",
    arguments: [
      "{}", "\u{FEFF}{}", "null", #"{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}"#,
      "{\"\u{E9}\": 1, \"e\u{301}\": 2}",
    ]
  )
  func good(text: String) {
    #expect(JSONFault(in: Array(text.utf8)) == nil)
  }

  @Test("a member is found by the names that lead to it, and its place is that of its name")
  func members() {
    let text = Array("\u{FEFF}{\"é\": [1],\n \"b\": {\"a\": 1, \"\\u0063\": {}}}".utf8)
    for (path, place) in [
      (["é"], "line 1, column 2"), (["b"], "line 2, column 2"), (["b", "a"], "line 2, column 8"),
      (["b", "c"], "line 2, column 16"), (["c"], nil), (["é", "a"], nil), ([], nil),
    ] as [([String], String?)] {
      #expect(TextPosition(ofMember: path, in: text)?.description == place)
    }
    #expect(TextPosition(ofMember: ["a"], in: Array(#"{"a": "#.utf8)) == nil)
  }

  @Test("nesting is followed up to the given depth")
  func depth() {
    let text = Array("[[[]]]".utf8)
    #expect(JSONFault(in: text, depthLimit: 3) == nil)
    #expect(
      JSONFault(in: text, depthLimit: 2)?.description
        == "it is nested too deeply: more than 2 arrays and objects in each other: line 1, column 3"
    )
    // JSON that is malformed before that depth is reported as malformed.
    #expect(JSONFault(in: Array("[[x[[".utf8), depthLimit: 2)?.reason == .malformed)
  }

  @Test(
    "a number that is too large is reported at its place; a long or tiny one is not",
    arguments: [
      ("1e999", 1), (#"{"a": -1e999}"#, 7), (#"{"a": 1e999, "a": 1}"#, 7),
      ("1e308", nil), ("1e-999", nil), ("123456789012345678901234567890", nil), (#""1e999""#, nil),
    ] as [(String, Int?)]
  )
  func numbers(text: String, column: Int?) {
    #expect(
      JSONFault(in: Array(text.utf8))?.description
        == column.map { "it has a number that is too large: line 1, column \($0)" }
    )
  }
}
