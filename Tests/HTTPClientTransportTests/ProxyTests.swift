import HTTPExchange
import HTTPTypes
import MicroHTTPServer
import TestSupport
import Testing

@testable import HTTPClientTransport

@Suite struct ProxyTests {
  /// Asks `auth.example.test`, which only the proxy knows, and returns what the proxy was told.
  private func ask(
    port: Int = 443,
    trusting roots: [String] = [],
    as proxy: @escaping @Sendable (ScriptedService.Caller) -> Void
  ) async throws -> (Result<Response, TransportError>, told: String) {
    let (told, tell) = AsyncStream<String>.makeStream()
    let service = try ScriptedService { caller in
      tell.yield(caller.readRequest())
      proxy(caller)
    }
    let transport = try HTTPClientTransport(
      to: try BaseURL("https://auth.example.test:\(port)"),
      userAgent: "V",
      additionalTrustRoots: roots,
      proxy: try ProxyURL("http://127.0.0.1:\(service.port)")
    )
    let request = Request(method: .get, target: "/a", headerFields: [.authorization: "secret"])
    let result: Result<Response, TransportError>
    do throws(TransportError) {
      result = .success(try await transport.send(request))
    } catch {
      result = .failure(error)
    }
    await transport.shutdown()
    return (result, await told.first { _ in true } ?? "")
  }

  @Test("a proxy makes a tunnel, and learns the host and nothing of the request")
  func tunnel() async throws {
    try await TestCertificate.withFile { path in
      let server = try TestCertificate.server(CountingHandler())
      let (result, told) = try await ask(port: server.port, trusting: [path]) { caller in
        caller.write("HTTP/1.1 200 Connection established\r\nX-Proxy: 1\r\n\r\n")
        caller.relay(toPort: server.port)
      }
      let answer = try result.get()
      #expect(answer.body == Array("over TLS".utf8))
      #expect(!answer.headerFields.contains { $0.name.rawName == "X-Proxy" })
      #expect(told.hasPrefix("CONNECT auth.example.test:\(server.port) HTTP/1.1\r\n"))
      #expect(!told.contains("secret"))
      await server.stop(grace: .zero)
    }
  }

  @Test("a proxy's refusal counts as refused: nothing was sent", arguments: [403, 407, 502])
  func refused(_ status: Int) async throws {
    let (result, _) = try await ask { caller in
      caller.write("HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n")
    }
    #expect(result == .failure(.refused))
  }

  @Test("this machine is asked without the proxy", arguments: ["localhost", "127.0.0.1"])
  func loopback(_ host: String) async throws {
    let proxy = try ScriptedService { _ in }
    let service = try ScriptedService { caller in
      _ = caller.readRequest()
      caller.write("HTTP/1.1 204 No Content\r\n\r\n")
    }
    let transport = try HTTPClientTransport(
      to: try BaseURL("http://\(host):\(service.port)"),
      proxy: try ProxyURL("http://127.0.0.1:\(proxy.port)")
    )
    #expect(try await transport.send(Request(method: .get, target: "/")).status == .noContent)
    #expect(proxy.callerCount == 0)
    await transport.shutdown()
  }

  @Test(
    "a proxy's address is a host and a port",
    arguments: [
      ("http://proxy.example:3128", "http://proxy.example:3128"),
      ("HTTP://Proxy.Example/", "http://proxy.example:80"),
      ("http://[::1]:8080", "http://[::1]:8080"),
    ]
  )
  func address(text: String, description: String) throws {
    #expect(try ProxyURL(text).description == description)
  }

  @Test(
    "anything else is not a proxy's address",
    arguments: [
      ("", BaseURLError.notAProxy), ("proxy.example:3128", .notAProxy),
      ("https://proxy.example", .notAProxy), ("socks5://proxy.example", .notAProxy),
      ("http://user:word@proxy.example", .userInformation),
      ("http://user@proxy.example", .userInformation),
      ("http://proxy.example/a", .notAHost("proxy.example/a")),
      ("http://proxy.example:0", .notAPort("0")), ("http://", .notAHost("")),
    ]
  )
  func noAddress(text: String, expected: BaseURLError) {
    #expect(throws: expected) { try ProxyURL(text) }
  }
}
