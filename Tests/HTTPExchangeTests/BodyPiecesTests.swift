import HTTPExchange
import Locking
import Testing

@Suite("A body in pieces")
struct BodyPiecesTests {
  @Test("an empty piece is left out: to a client it would be the end")
  func empty() async throws {
    let rest = Locked<[[UInt8]]>([[], [1], [], [], [2, 3], []])
    let pieces = BodyPieces { rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    #expect(try await pieces.next() == [1])
    #expect(try await pieces.next() == [2, 3])
    #expect(try await pieces.next() == nil)
  }
}
