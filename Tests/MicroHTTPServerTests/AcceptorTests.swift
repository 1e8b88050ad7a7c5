import Glibc
import Testing

@testable import MicroHTTPServer

@Suite("The thread that accepts") struct AcceptorTests {
  @Test("what is accepted is no child process's, and keeps nobody waiting, before it is handed on")
  func flags() async throws {
    let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
    let slots = ConnectionSlots(threadCount: 1, limit: 8)
    let (flags, tell) = AsyncStream<(descriptor: CInt, file: CInt)>.makeStream()
    let begun = Acceptor(on: socket.descriptor, slots: slots) { descriptor, _, _, _ in
      tell.yield((fcntl(descriptor, F_GETFD), fcntl(descriptor, F_GETFL)))
      close(descriptor)
      return false
    }
    let acceptor = try #require(begun)
    let client = try RawClient(port: socket.port)
    var seen = flags.makeAsyncIterator()
    let accepted = try #require(await seen.next())
    #expect(accepted.descriptor & FD_CLOEXEC == FD_CLOEXEC)
    #expect(accepted.file & O_NONBLOCK == O_NONBLOCK)
    client.close()
    acceptor.stop()
    #expect(slots.counts == [0])
    withExtendedLifetime(socket) {}
  }
}
