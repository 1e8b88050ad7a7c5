import HTTPExchange
import HTTPTypes
import Locking
import Testing
import TestSupport

@testable import MicroHTTPServer

@Suite struct ListeningTests {
  @Test("port 0 takes a free port and says which")
  func freePort() throws {
    let socket = try ListeningSocket(host: "localhost", port: 0)
    #expect((1...65_535).contains(socket.port))
  }

  @Test("a port that is taken says so in one line")
  func takenPort() throws {
    let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
    let error = #expect(throws: ListenError.self) {
      try ListeningSocket(host: "127.0.0.1", port: socket.port)
    }
    #expect(error == .addressInUse(host: "127.0.0.1", port: socket.port))
    #expect(error?.description == "port \(socket.port) on 127.0.0.1 is already in use")
    withExtendedLifetime(socket) {}
  }

  @Test("checking whether a port is free does not take it")
  func checked() throws {
    let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
    let port = socket.port
    #expect(throws: ListenError.addressInUse(host: "127.0.0.1", port: port)) {
      try ListeningSocket.checkFree(host: "127.0.0.1", port: port)
    }
    withExtendedLifetime(socket) {}
    #expect(throws: Never.self) { try ListeningSocket.checkFree(host: "127.0.0.1", port: 0) }
  }

  @Test("a port is free again when its socket is released")
  func release() throws {
    let port = try ListeningSocket(host: "127.0.0.1", port: 0).port
    _ = try ListeningSocket(host: "127.0.0.1", port: port)
  }

  @Test(
    "an invalid address or port is refused",
    arguments: [
      ("example.com", 0, ListenError.notAnAddress(host: "example.com")),
      ("127.0.0", 0, .notAnAddress(host: "127.0.0")),
      ("", 0, .notAnAddress(host: "")),
      ("127.0.0.1", 65_536, .notAPort(65_536)),
      ("127.0.0.1", -1, .notAPort(-1)),
      ("192.0.2.1", 0, .addressNotAvailable(host: "192.0.2.1")),
    ]
  )
  func refused(host: String, port: Int, expected: ListenError) {
    #expect(throws: expected) { try ListeningSocket(host: host, port: port) }
  }

  @Test("the peer's address reaches the handler, without port")
  func peer() async throws {
    let peers = Locked<[String?]>([])
    let handler = FunctionHandler { request in
      peers.withLock { $0.append(request.peerAddress) }
      return Response(status: .ok)
    }
    try await serving(handler) { server in
      _ = try await exchange(
        "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        port: server.port
      )
    }
    #expect(peers.withLock { $0 } == ["127.0.0.1"])
  }

  @Test("a bad certificate is refused at the start, with the library's words")
  func badCertificate() throws {
    var options = MicroHTTPServer.Options()
    options.tls = .init(certificate: "no certificate", key: "no key")
    let error = #expect(throws: StartError.self) {
      try MicroHTTPServer(
        listeningOn: ListeningSocket(host: "127.0.0.1", port: 0),
        options: options,
        handler: TestHandler(),
        refusing: { refusal, _ in Response(status: refusal.status) },
        log: { _ in }
      )
    }
    #expect(error?.reasons.isEmpty == false)
  }
}
