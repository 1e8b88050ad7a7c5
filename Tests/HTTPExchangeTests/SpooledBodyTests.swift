import HTTPExchange
import Testing

@Suite("A body in a file")
struct SpooledBodyTests {
  @Test("is what was written, piece by piece, and can be read at any place")
  func readsBack() throws {
    let body = try SpooledBody()
    #expect(body.count == 0)
    for piece in ["one ", "", "two ", "three"] {
      try Array(piece.utf8).withUnsafeBytes { try body.append($0) }
    }
    #expect(body.count == 13)
    #expect(try body.bytes(in: 0..<13) == Array("one two three".utf8))
    #expect(try body.bytes(in: 4..<7) == Array("two".utf8))
    #expect(try body.bytes(in: 5..<5) == [])
  }

  @Test("that is read beyond its end fails instead of inventing bytes")
  func beyond() throws {
    let body = try SpooledBody()
    let failure = #expect(throws: SpooledBody.Failure.self) { try body.bytes(in: 0..<1) }
    #expect(failure?.description == "a long body's temporary file ends before the body does")
  }
}
