import Foundation
import Testing

@testable import HTTPExchange

@Suite("What is let into the JSON decoder (S27)")
struct JSONBodyTests {
  /// An array of arrays, and so on.
  private struct Nested: Decodable {
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      while !container.isAtEnd { _ = try container.decode(Nested.self) }
    }
  }

  private static func nested(_ depth: Int) -> [UInt8] {
    Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
  }

  @Test("nesting as deep as the limit is read, one deeper is not")
  func depth() {
    #expect(JSONBody.decode(Nested.self, from: Self.nested(32)) != nil)
    #expect(JSONBody.decode(Nested.self, from: Self.nested(33)) == nil)
  }

  @Test("brackets within strings do not count as depth")
  func strings() {
    let text = #"["\#(String(repeating: "[", count: 100)) \\\" {{{"]"#
    #expect(JSONBody.decode([String].self, from: Array(text.utf8))?.count == 1)
  }

  @Test(
    "a string ends at the first quote that is not escaped, and brackets after it count",
    arguments: ["", #"\\"#, #"\\\\"#, #"\""#, #"[\"["#, #"\\\"["#]
  )
  func endOfString(_ text: String) {
    let string = "\"\(text)\""
    #expect((try? JSONDecoder().decode(String.self, from: Data(string.utf8))) != nil)
    for (depth, isRead) in [(31, true), (32, false)] {
      let nested = String(decoding: Self.nested(depth), as: UTF8.self)
      let body = Array("[\(string),\(nested)]".utf8)
      #expect((JSONBody.decode(AnyShape.self, from: body) != nil) == isRead)
    }
  }

  /// Anything that is well formed.
  private struct AnyShape: Decodable {
    init(from decoder: any Decoder) {}
  }

  @Test("a body as long as the limit is read, a longer one is not")
  func length() {
    let filler = String(repeating: " ", count: 1 << 20 - 2)
    #expect(JSONBody.decode([String].self, from: Array("[\(filler)]".utf8)) == [])
    #expect(JSONBody.decode([String].self, from: Array("[\(filler) ]".utf8)) == nil)
  }

  @Test("JSON of another shape is not read")
  func shape() {
    #expect(JSONBody.decode([Int].self, from: Array("{}".utf8)) == nil)
    #expect(JSONBody.decode([Int].self, from: []) == nil)
  }
}
