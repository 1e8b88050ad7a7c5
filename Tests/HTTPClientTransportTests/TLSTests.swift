import HTTPExchange
import HTTPTypes
import Locking
import MicroHTTPServer
import Synchronization
import Testing
import TestSupport

@testable import HTTPClientTransport

@Suite struct TLSTests {
  private struct Asked {
    var result: Result<Response, TransportError>
    var requestCount: Int
    var reports: [String]
  }

  /// Asks our own server.
  private func ask(
    host: String,
    trusting roots: [String],
    showing certificate: TestCertificate = .valid
  ) async throws -> Asked {
    let handler = CountingHandler()
    let server = try TestCertificate.server(handler, showing: certificate)
    let reports = Locked<[String]>([])
    let transport = try HTTPClientTransport(
      to: try BaseURL("https://\(host):\(server.port)"),
      additionalTrustRoots: roots,
      report: { reason in reports.withLock { $0.append(reason) } }
    )
    let result: Result<Response, TransportError>
    do throws(TransportError) {
      result = .success(try await transport.send(Request(method: .get, target: "/a")))
    } catch {
      result = .failure(error)
    }
    await transport.shutdown()
    await server.stop(grace: .zero)
    return Asked(
      result: result,
      requestCount: handler.count.load(ordering: .relaxed),
      reports: reports.withLock { $0 }
    )
  }

  @Test("a certificate that nobody trusts is refused before anything is sent (S26)")
  func untrusted() async throws {
    let asked = try await ask(host: "localhost", trusting: [])
    #expect(asked.result == .failure(.tlsFailed))
    #expect(asked.requestCount == 0)
    #expect(asked.reports.count == 1)
    #expect(asked.reports.first?.contains("is not signed by an authority that is trusted") == true)
    #expect(asked.reports.first?.contains("SSL_CERT_FILE") == true)
  }

  @Test(
    "an additional root is trusted, for the names it is for",
    arguments: ["localhost", "a.localhost"]
  )
  func trusted(_ host: String) async throws {
    try await TestCertificate.withFile { path in
      let asked = try await ask(host: host, trusting: [path])
      #expect(try asked.result.get().body == Array("over TLS".utf8))
      #expect(asked.requestCount == 1)
      #expect(asked.reports.isEmpty)
    }
  }

  @Test(
    "a trusted certificate of another name is refused (S26)",
    arguments: ["127.0.0.1", "b.localhost"]
  )
  func otherName(_ host: String) async throws {
    try await TestCertificate.withFile { path in
      let asked = try await ask(host: host, trusting: [path])
      #expect(asked.result == .failure(.tlsFailed))
      #expect(asked.requestCount == 0)
      #expect(asked.reports.count == 1)
      #expect(asked.reports.first?.contains("has a certificate for another name") == true)
    }
  }

  @Test(
    "a certificate that has expired or is not valid yet is refused, and reported as such (S26)",
    arguments: [
      (TestCertificate.expired, "has expired"), (.notYetValid, "is not valid yet"),
    ]
  )
  func outOfTime(_ certificate: TestCertificate, words: String) async throws {
    try await TestCertificate.withFile(certificate) { path in
      let asked = try await ask(host: "localhost", trusting: [path], showing: certificate)
      #expect(asked.result == .failure(.tlsFailed))
      #expect(asked.requestCount == 0)
      #expect(asked.reports.count == 1)
      #expect(asked.reports.first?.contains(words) == true)
    }
  }

  /// What a client says first.
  private func clientHello() async throws -> [UInt8] {
    let (said, say) = AsyncStream<[UInt8]>.makeStream()
    let service = try ScriptedService { caller in say.yield(caller.readSome()) }
    let transport = try HTTPClientTransport(to: BaseURL("https://localhost:\(service.port)"))
    await #expect(throws: TransportError.tlsFailed) {
      try await transport.send(Request(method: .get, target: "/"))
    }
    await transport.shutdown()
    return await said.first { _ in true } ?? []
  }

  @Test("TLS 1.3 and 1.2 are offered, and nothing older (S26)")
  func versions() async throws {
    // The extension supported_versions, whole: RFC 8446, section 4.2.1.
    let extension43: [UInt8] = [0x00, 0x2B, 0x00, 0x05, 0x04, 0x03, 0x04, 0x03, 0x03]
    #expect(try await clientHello().contains(extension43))
  }

  @Test("HTTP/2 is offered before HTTP/1.1")
  func protocols() async throws {
    // Names with their lengths: RFC 7301, section 3.1.
    #expect(try await clientHello().contains(Array("\u{2}h2\u{8}http/1.1".utf8)))
  }
}
