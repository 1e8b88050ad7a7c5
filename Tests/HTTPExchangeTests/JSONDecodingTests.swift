import Foundation
import Testing

@testable import HTTPExchange

/// Compared with Foundation's decoder, which would be used otherwise.
@Suite("What is read from JSON")
struct JSONDecodingTests {
  /// A value of any shape, read through the containers that Foundation's decoder knows as well.
  private indirect enum Value: Decodable, Equatable {
    case null
    case flag(Bool)
    case whole(Int)
    case number(Double)
    case text(String)
    case list([Value])
    case members([String: Value])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let whole = try? container.decode(Int.self) {
        self = .whole(whole)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let members = try? container.decode([String: Value].self) {
        self = .members(members)
      } else {
        self = .list(try container.decode([Value].self))
      }
    }
  }

  private static func read<Shape: Decodable>(_ type: Shape.Type, _ text: String) -> Shape? {
    JSONBody.decode(type, from: Array(text.utf8))
  }

  private static func readByFoundation<Shape: Decodable>(
    _ type: Shape.Type,
    _ text: String
  ) -> Shape? {
    try? JSONDecoder().decode(type, from: Data(text.utf8))
  }

  // MARK: Values

  @Test(
    "every value is what Foundation's decoder reads",
    arguments: [
      "null", "true", "false", "0", "-0", "7", "-12", "9223372036854775807",
      "-9223372036854775808", "9223372036854775808", "1.0", "1e2", "1E+2", "25e-1", "0.1",
      "-0.000001", "1.7976931348623157e308", "5e-324", "123456789012345678901234567890",
      #""""#, #""a""#, #""eight by""#, #""nine byte""#, #""a longer text than eight bytes""#,
      #""Zoë 東京 👩🏽‍💻""#, #""\"\\\/\b\f\n\r\t""#, #""\u0041\u00e9\u6771\uD83D\uDE00""#,
      #""plain \u00E9 plain, and plain again \n""#, #""\u0000""#, "\"\u{7F}\u{80}\"",
      "[]", "[ ]", "[1]", "[1, \"a\" ,null]", "[[],[[]],{}]",
      "{}", "{ }", #"{"a":1}"#, #"{ "a" : { "b" : [ true , { } ] } , "c" : null }"#,
      #"{"":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"\u0061":1,"a\"b":2}"#, #"{"é":"è"}"#,
      " \t\r\n1 \t\r\n", "\u{FEFF}[1]",
    ]
  )
  func sameValue(_ text: String) throws {
    let expected = try #require(Self.readByFoundation(Value.self, text))
    #expect(Self.read(Value.self, text) == expected)
  }

  @Test(
    "text that is not JSON is not read, whatever is asked for",
    arguments: [
      "", " ", "nul", "nulll", "True", "tru", "'a'", "a", "-", "+1", "01", "-01", "1.", ".5", "1e",
      "1e+", "1e+-2", "1.e2", "0x1", "1_000", "Infinity", "NaN", "\"", "\"a", #""\""#, #""\x""#,
      #""\u12""#, #""\u12G4""#, #""\u 123""#, #""\u+123""#, "\"\n\"", "\"a\u{1F}\"", "[", "]", "[1",
      "[1,]", "[,1]", "[1 2]", "[1}", "{", "}", "{1:2}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
      #"{"a":1]"#, #"{"a" 1}"#, #"{"a":1 "b":2}"#, #"{a:1}"#, "1 2", "[] []", "{}x", "// a\n1",
      "[1]\u{0}", "\u{FEFF}", "\u{FEFF}\u{FEFF}1",
    ]
  )
  func noJSON(_ text: String) {
    #expect(Self.read(AnyShape.self, text) == nil)
    #expect(Self.read(AnyShape.self, "[0,\(text)]") == nil)
  }

  private struct AnyShape: Decodable {
    init(from decoder: any Decoder) {}
  }

  @Test(
    "every byte in a string, at each place of eight, is itself or makes the JSON invalid",
    arguments: UInt8.min...UInt8.max
  )
  func signs(_ byte: UInt8) {
    for place in 0..<17 {
      let before = [UInt8](repeating: UInt8(ascii: "."), count: place)
      let body = before + [byte, UInt8(ascii: "."), UInt8(ascii: "/")]
      let document = JSONDocument([0x22] + body + [0x22])
      switch byte {
      case ..<0x20, 0x22, 0x5C: #expect(document == nil)
      default: #expect(document?.nodes.first?.bytes == 1..<UInt32(body.count + 1))
      }
    }
  }

  @Test(
    "a string with half a surrogate pair is not read, and affects nothing else",
    arguments: [
      #"\uD83D"#, #"\uDE00"#, #"\uD83D\u0041"#, #"\uD83Dx"#, #"\uD83D--DE00"#,
      #"\uDE00\uD83D"#,
    ]
  )
  func halfOfAPair(_ text: String) throws {
    let value = try #require(Self.read(Pair.self, #"{"odd":"\#(text)","even":"2"}"#))
    #expect(value == Pair(odd: nil, even: "2"))
  }

  @Test("bytes that are not UTF-8 are not a string, and affect nothing else")
  func noUTF8() throws {
    let body = Array(#"{"odd":""#.utf8) + [0xC3, 0x28] + Array(#"","even":"2"}"#.utf8)
    #expect(JSONBody.decode(Pair.self, from: body) == Pair(odd: nil, even: "2"))
    #expect(JSONBody.decode(String.self, from: [0x22, 0xED, 0xA0, 0x80, 0x22]) == nil)
  }

  private struct Pair: Decodable, Equatable {
    var odd: String?
    var even: String?

    enum Key: String, CodingKey { case odd, even }

    init(odd: String?, even: String?) { (self.odd, self.even) = (odd, even) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      odd = try? container.decode(String.self, forKey: .odd)
      even = try? container.decode(String.self, forKey: .even)
    }
  }

  // MARK: Shapes

  private struct Numbers<Number: Decodable & Equatable>: Decodable, Equatable {
    var one: Number
    var perhaps: Number?
    var more: [Number]
  }

  private static func compare<Number: Decodable & Equatable>(_ type: Number.Type, _ number: String)
  {
    let text = #"{"one":\#(number),"perhaps":\#(number),"more":[\#(number)]}"#
    #expect(read(Numbers<Number>.self, text) == readByFoundation(Numbers<Number>.self, text))
    let missing = #"{"one":\#(number),"more":[]}"#
    #expect(read(Numbers<Number>.self, missing) == readByFoundation(Numbers<Number>.self, missing))
  }

  @Test(
    "a number fits the types that it fits for Foundation's decoder",
    arguments: [
      "0", "1", "-1", "127", "128", "255", "256", "-129", "32768", "65536", "2147483648",
      "4294967296", "9223372036854775808", "18446744073709551616", "1.0", "1.5", "2e2", "1e400",
      "\"1\"", "true", "null", "[]", "{}",
    ]
  )
  func numbers(_ number: String) {
    Self.compare(Int.self, number)
    Self.compare(Int8.self, number)
    Self.compare(Int16.self, number)
    Self.compare(Int32.self, number)
    Self.compare(Int64.self, number)
    Self.compare(UInt.self, number)
    Self.compare(UInt8.self, number)
    Self.compare(UInt16.self, number)
    Self.compare(UInt32.self, number)
    Self.compare(UInt64.self, number)
    Self.compare(Double.self, number)
    Self.compare(Float.self, number)
    Self.compare(Bool.self, number)
    Self.compare(String.self, number)
    Self.compare(Date.self, number)
    Self.compare([String: Int].self, number)
  }

  /// Everything that a container can be asked for.
  private struct Asked: Decodable, Equatable {
    var log: [String] = []

    enum Key: String, CodingKey, CaseIterable { case list, null, inner, missing }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      log.append("\(container.allKeys.map(\.rawValue).sorted())")
      for key in Key.allCases {
        log.append(
          "\(container.contains(key)) \(String(describing: try? container.decodeNil(forKey: key)))"
        )
        log.append("\(String(describing: try? container.decode([Int].self, forKey: key)))")
        let words = try? container.decodeIfPresent([String].self, forKey: key)
        log.append("\(String(describing: words))")
        log.append(
          "\((try? container.nestedContainer(keyedBy: Key.self, forKey: key))?.allKeys.count ?? -1)"
        )
        // For a missing member, Foundation's decoder makes one of null.
        if key != .missing { log.append("\((try? container.superDecoder(forKey: key)) != nil)") }
      }
      log.append("\((try? Int(from: try container.superDecoder())) ?? -1)")
      try read(try container.nestedUnkeyedContainer(forKey: .list))
    }

    private mutating func read(_ list: any UnkeyedDecodingContainer) throws {
      var list = list
      // An element of another shape is still there to be read.
      log.append("\((try? list.decode(Bool.self)) == nil) \(list.currentIndex)")
      log.append("\(try list.decode(Int.self)) \(list.currentIndex) \(list.isAtEnd)")
      log.append("\(try list.decodeNil()) \(try list.decodeNil()) \(list.currentIndex)")
      log.append("\(try list.nestedContainer(keyedBy: Key.self).allKeys)")
      var inner = try list.nestedUnkeyedContainer()
      log.append("\(inner.isAtEnd) \((try? inner.decode(Int.self)) ?? -1)")
      log.append("\(try String(from: try list.superDecoder())) \(try list.decode(Double.self))")
      log.append(
        "\(list.isAtEnd) \((try? list.decodeNil()) == nil) \((try? list.decode(Int.self)) ?? -1)"
      )
      log.append("\(list.count ?? -1)")
    }
  }

  @Test("containers answer as those of Foundation's decoder do")
  func containers() throws {
    let text = #"""
      {"list":[1,null,{"inner":1,"other":2},[],"s",2.5],"null":null,"inner":{"list":1},"super":7,"x":[]}
      """#
    let expected = try #require(Self.readByFoundation(Asked.self, text))
    #expect(Self.read(Asked.self, text) == expected)
  }

  @Test("an object is not read as a list, nor a list as an object")
  func otherShape() {
    #expect(Self.read([String: Int].self, "[]") == nil)
    #expect(Self.read([Int].self, "{}") == nil)
    #expect(Self.read([Int].self, "null") == nil)
    #expect(Self.read(Numbers<Int>.self, #""one""#) == nil)
  }

  @Test(
    "an object of any size is read, each member as quickly as in a small one",
    .timeLimit(.minutes(1)),
    arguments: [1, 64, 65, 70_000]
  )
  func manyMembers(_ count: Int) throws {
    let members =
      (0..<count).map { number in #""\#(number)":\#(number)"# } + [#""0":-1"#, #""\u0030":-2"#]
    let text = "{\(members.joined(separator: ","))}"
    let read = try #require(Self.read([String: Int].self, text))
    #expect(read.count == count)
    #expect(read.allSatisfy { $0.key == String($0.value) })
  }
}
