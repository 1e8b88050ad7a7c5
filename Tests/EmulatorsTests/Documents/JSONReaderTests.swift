@testable import Emulators
import Foundation
import HTTPExchange
import Testing

@Suite("Reading JSON")
struct JSONReaderTests {
  @Test("members keep their order, and numbers keep their kind")
  func values() throws {
    let text = #" {"b":[1,-2.5,1e3,true,null],"a":"\u00e9\ud83d\ude00\n\"","":{}} "#
    let json = try #require(JSON(decoding: Array(text.utf8)))
    #expect(
      json == ["b": [1, .number(-2.5), .number(1000), true, nil], "a": "é😀\n\"", "": .object([])]
    )
    #expect(JSON(decoding: json.encoded) == json)
  }

  @Test(
    "text that is not JSON is refused",
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

  @Test("bytes that are not UTF-8 are refused; a byte order mark is allowed")
  func encoding() {
    #expect(JSON(decoding: [0x22, 0xFF, 0x22]) == nil)
    #expect(JSON(decoding: [0xEF, 0xBB, 0xBF, 0x31]) == 1)
  }

  @Test("a skipped value is not read, and can be read later from its place")
  func skips() throws {
    let bytes = Array(#"{"rows":[{"a":"]"},[2]],"last":3}"#.utf8)
    var reader = JSONReader(.whole(bytes))
    try reader.enterObject()
    #expect(try reader.nextName() == "rows")
    let rows = try reader.skip()
    #expect(try reader.nextName() == "last")
    #expect(try reader.value() == 3)
    #expect(try reader.nextName() == nil)
    try reader.finish()
    #expect(try JSONReader.value(of: .whole(bytes), in: rows) == [["a": "]"], [2]])
  }

  private func spooled(_ bytes: [UInt8]) throws -> Request.Content {
    let body = try SpooledBody()
    try bytes.withUnsafeBytes { try body.append($0) }
    return .spooled(body)
  }

  @Test("text in a file is read like text in memory, wherever it is cut", arguments: 0..<64)
  func window(shift: Int) throws {
    let element = #"{"é😀":["a\n\u00e9\ud83d\ude00",-12.5e+3,true,null,[],{}],"id":123456}, "#
    let count = 66_000 / element.utf8.count
    let text =
      String(repeating: " ", count: shift) + "["
      + String(repeating: element, count: count) + "false ]"
    let bytes = Array(text.utf8)
    let value = try JSONReader.value(of: spooled(bytes))
    #expect(value.array?.count == count + 1)
    #expect(try value == JSONReader.value(of: bytes))
  }

  @Test("only the given part of a file is read")
  func part() throws {
    let content = try spooled(Array(#"{"rows":[1,2],"last":"x"}"#.utf8))
    var reader = JSONReader(content)
    try reader.enterObject()
    #expect(try reader.nextName() == "rows")
    let rows = try reader.skip()
    #expect(try JSONReader.value(of: content, in: rows) == [1, 2])
    #expect(throws: JSONReader.Malformed.self) {
      try JSONReader.value(of: content, in: rows.lowerBound..<rows.upperBound - 1)
    }
  }

  @Test("a fault in a file is reported with its place")
  func place() throws {
    let text = "[" + String(repeating: "1234567, ", count: 20_000) + "nul]"
    #expect(throws: JSONReader.Malformed(offset: 180_001)) {
      try JSONReader.value(of: spooled(Array(text.utf8)))
    }
  }

  @Test("only an array has elements, and only those that it has")
  func elements() {
    let list: JSON = ["a", "b"]
    #expect(list[0] == "a" && list[1] == "b")
    #expect(list[2] == nil)
    #expect(list[-1] == nil)
    #expect(JSON.string("ab")[0] == nil)
  }
}
