import HTTPExchange
import HTTPTypes
import Testing

@testable import MicroHTTPServer

@Suite struct LastHeadTests {
  /// A head of these lines; a line that was the same at its place before is reused.
  private static func head(
    _ lines: [(String, String)],
    after last: LastHead? = nil,
    version: String = "HTTP/1.1"
  ) -> RequestHead {
    let fields = lines.enumerated().map { place, line in
      let (name, value) = (Array(line.0.utf8), Array(line.1.utf8))
      let known = name.withUnsafeBytes { name in
        value.withUnsafeBytes { last?.line(at: place, name: name, value: $0) }
      }
      return RequestHead.Field(line: known ?? FieldLine(name: name, value: value))
    }
    return RequestHead(
      method: Array("GET".utf8),
      target: Array("/".utf8),
      isTargetWhole: true,
      version: Array(version.utf8),
      fields: fields
    )
  }

  private static let lines = [("Host", "localhost"), ("Cookie", "a=b; c=d")]

  private static func kept(_ head: RequestHead) throws -> LastHead? {
    LastHead(head, saying: try FramedFields(of: head))
  }

  @Test("the same lines are recognised, and their host and cookies need not be read again")
  func same() throws {
    var last = try Self.kept(Self.head(Self.lines))
    let again = Self.head(Self.lines, after: last)
    let known = last?.fields(of: again)
    #expect(known?.fields == [.host: "localhost", .cookie: "a=b; c=d"])
    #expect(known?.reading != nil && known?.body == .length(0))
    let request = try FramedRequest(again, after: &last).request
    #expect(request.cookie("c") == "d" && request.onlyHost == "localhost")
  }

  @Test("other lines are not: another count, order, value or version, folded, or not whole")
  func others() throws {
    let last = try Self.kept(Self.head(Self.lines))
    var folded = Self.head(Self.lines, after: last)
    folded.fields[1].isOneLine = false
    var torn = Self.head(Self.lines, after: last)
    torn.isAllFields = false
    let heads = [
      Self.head(Self.lines), Self.head(Self.lines.reversed(), after: last),
      Self.head([Self.lines[0]], after: last), Self.head(Self.lines + [("A", "b")], after: last),
      Self.head([Self.lines[0], ("Cookie", "a=b; c=e")], after: last),
      Self.head(Self.lines, after: last, version: "HTTP/1.0"), folded, torn,
    ]
    for (place, head) in heads.enumerated() {
      var copy = last
      #expect(copy?.fields(of: head)?.body == nil, "\(place)")
    }
  }

  @Test("a head that would take much memory for each connection is not kept (S32)")
  func large() throws {
    func isKept(_ lines: [(String, String)]) throws -> Bool {
      try Self.kept(Self.head([("Host", "localhost")] + lines)) != nil
    }
    let lines = Array(repeating: ("A", "b"), count: LastHead.lineLimit)
    #expect(try isKept(Array(lines.dropFirst())))
    #expect(try !isKept(lines))
    func cookies(_ count: Int) -> String { (1...count).map { "c\($0)=" }.joined(separator: ";") }
    #expect(try isKept([("Cookie", cookies(LastHead.cookieLimit))]))
    #expect(try !isKept([("Cookie", cookies(LastHead.cookieLimit + 1))]))
    #expect(try isKept([("A", String(repeating: "b", count: LastHead.limitBytes - 100))]))
    #expect(try !isKept([("A", String(repeating: "b", count: LastHead.limitBytes))]))
  }

  @Test(
    "a length is digits alone, whatever the library may let through (S1)",
    arguments: [
      ("0", 0), ("5", 5), ("005", 5), ("+5", nil), ("-5", nil), ("-0", nil), ("", nil), ("5x", nil),
    ] as [(String, Int?)]
  )
  func length(text: String, length: Int?) throws {
    let head = Self.head([("Host", "localhost"), ("Content-Length", text)])
    if let length {
      #expect(try FramedFields(of: head).body == .length(length))
    } else {
      #expect(throws: MicroHTTPServer.Malformation.contentLengthIsNoNumber) {
        try FramedFields(of: head)
      }
    }
  }
}
