@testable import Emulators
import Foundation
import Testing

@Suite("Reading JSON")
struct JSONReaderTests {
  @Test("members keep their order, and numbers what they are")
  func values() throws {
    let text = #" {"b":[1,-2.5,1e3,true,null],"a":"\u00e9\ud83d\ude00\n\"","":{}} "#
    let json = try #require(JSON(decoding: Array(text.utf8)))
    #expect(
      json == ["b": [1, .number(-2.5), .number(1000), true, nil], "a": "é😀\n\"", "": .object([])]
    )
    #expect(JSON(decoding: json.encoded) == json)
  }

  @Test(
    "what is not JSON is refused",
    arguments: [
      "", " ", "{", "[1,]", "[,1]", "[1 2]", #"{"a":1,}"#, #"{"a" 1}"#, "{a:1}", "01", "-", "1.",
      "1e", "+1", ".5", "1e999", "tru", "nul", #""a"#, "\"a\n\"", #""\x""#, #""\u12""#,
      #""\u+123""#,
      #""\ud800""#, #""\ud800\u0041""#, "[1]]", "NaN", "'a'",
      String(repeating: "[", count: 100_000),
    ]
  )
  func malformed(text: String) {
    #expect(JSON(decoding: Array(text.utf8)) == nil)
  }

  @Test("bytes that are not UTF-8 are refused; a byte order mark is not in the way")
  func encoding() {
    #expect(JSON(decoding: [0x22, 0xFF, 0x22]) == nil)
    #expect(JSON(decoding: [0xEF, 0xBB, 0xBF, 0x31]) == 1)
  }

  @Test("a value that is skipped is not read, and its place can be read later")
  func skips() throws {
    let bytes = Array(#"{"rows":[{"a":"]"},[2]],"last":3}"#.utf8)
    var reader = JSONReader(bytes)
    try reader.enterObject()
    #expect(try reader.nextName() == "rows")
    let rows = try reader.skip()
    #expect(try reader.nextName() == "last")
    #expect(try reader.value() == 3)
    #expect(try reader.nextName() == nil)
    try reader.finish()
    #expect(try JSONReader.value(of: bytes, in: rows) == [["a": "]"], [2]])
  }
}
