import HTTPExchange
import HTTPTypes
import Testing

@testable import HTTPClientTransport

@Suite("The head of an answer")
struct AnswerReaderTests {
  /// Reads lines, and the empty one after them.
  private func read(_ lines: [String]) throws -> Response {
    var reader = AnswerReader(HTTPClientTransport.Limits())
    for line in lines + [""] {
      try Array("\(line)\r\n".utf8).withUnsafeBytes { try reader.readHeadLine($0) }
    }
    return try reader.response()
  }

  @Test(
    "a status has three digits, and is a final one",
    arguments: [
      ("HTTP/1.1 200 OK", 200), ("HTTP/1.0 422", 422), ("HTTP/2 599 ", 599), ("HTTP/1.1", nil),
      ("HTTP/1.1 ", nil), ("HTTP/1.1 0200 OK", nil), ("HTTP/1.1 +200 OK", nil),
      ("HTTP/1.1 20 OK", nil), ("HTTP/1.1 abc OK", nil), ("HTTP/1.1 199 OK", nil),
      ("HTTP/1.1 600 OK", nil), ("HTTP/1.1 000 OK", nil), ("HTTP/3 200 OK", nil),
    ] as [(String, Int?)]
  )
  func status(line: String, code: Int?) throws {
    if let code {
      #expect(try read([line]).status.code == code)
    } else {
      #expect(throws: Fault.malformedAnswer) { try read([line]) }
    }
  }

  @Test("a length that is told twice is taken if both are the same")
  func lengths() throws {
    let head = ["HTTP/1.1 200 OK", "Content-Length: 2"]
    #expect(try read(head + ["content-length:2"]).status == .ok)
    #expect(throws: Fault.malformedAnswer) { try read(head + ["Content-Length: 3"]) }
  }
}
