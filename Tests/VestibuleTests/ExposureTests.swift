import Logging
import MicroHTTPServer
import Testing
import TestSupport

@testable import Vestibule

@Suite("Who can reach it")
struct ExposureTests {
  @Test(
    "a host that is not an address is refused as that, before any advice to expose it",
    arguments: ["256.1.1.1", "", "example.invalid", "127.0.0.1.example"]
  )
  func noAddress(host: String) {
    var configuration = Configuration()
    configuration.service = .pages(
      at: Configuration.Address(host: host, port: 8080),
      over: .emulated(.clerk)
    )
    let failure = #expect(throws: StartFailure.self) { try configuration.refuseExposure() }
    #expect(failure?.kind == .configuration)
    #expect(failure?.description.contains("\"\(host)\" is not an address to listen on") == true)
  }

  @Test(
    "a name that only begins like an address of this machine is not one",
    arguments: [
      ("127.9.9.9", true), ("::1", true), ("127.0.0.1.example", false), ("127.example", false),
    ]
  )
  func loopback(host: String, isLoopback: Bool) {
    #expect(Configuration.Address(host: host, port: 8080).isLoopback == isLoopback)
  }

  @Test("an emulated API, or plain http, is for this machine alone (S24, S30)")
  func matrix() throws {
    let remote = AuthAPI.remote(try .clerk(at: "https://clerk.example.com"))
    let tls = Configuration.TLSFiles(certificate: "c", key: "k")
    for (host, isReal, hasTLS, hasProxy, isAllowed, starts) in [
      ("127.0.0.1", false, false, false, false, true),
      ("localhost", false, false, false, false, true),
      ("::1", false, false, false, false, true), ("127.9.9.9", true, false, false, false, true),
      ("0.0.0.0", false, false, false, false, false), ("0.0.0.0", false, true, false, false, false),
      ("0.0.0.0", false, true, true, false, false), ("0.0.0.0", false, false, false, true, true),
      ("0.0.0.0", true, false, false, false, false), ("0.0.0.0", true, true, false, false, true),
      ("0.0.0.0", true, false, true, false, true), ("::", true, false, false, true, true),
      ("192.0.2.1", true, false, false, false, false),
    ] {
      var configuration = Configuration()
      configuration.service = .pages(
        at: Configuration.Address(host: host, port: 8080),
        over: isReal ? remote : .emulated(.clerk)
      )
      configuration.tls = hasTLS ? tls : nil
      configuration.trustedProxies =
        hasProxy ? [Configuration.proxyAddress("10.0.0.1")].compactMap(\.self) : []
      configuration.allowsNonLoopback = isAllowed
      let result = Result { try configuration.refuseExposure() }
      let hasStarted = (try? result.get()) != nil
      #expect(hasStarted == starts, "\(host) \(isReal) \(hasTLS) \(hasProxy)")
    }
  }

  @Test(
    "people come by https or from this machine, unless plain http is allowed (S11, S30)",
    arguments: [
      ("http://example.com", false, false), ("http://example.com", true, true),
      ("http://192.0.2.1:8080", false, false), ("http://localhost.example.com", false, false),
      ("http://127.0.0.1.example.com", false, false), ("http://[::2]:8080", false, false),
      ("https://example.com", false, true), ("http://localhost:9000", false, true),
      ("http://team-a.localhost:9000", false, true), ("http://127.0.0.2:8080", false, true),
      ("http://[::1]:8080", false, true),
    ]
  )
  func publicURL(_ publicURL: String, isAllowed: Bool, starts: Bool) throws {
    let remote = AuthAPI.remote(try .clerk(at: "https://clerk.example.com"))
    for api in [remote, .emulated(.clerk)] {
      var configuration = Configuration()
      configuration.service = .pages(at: Configuration.Address(port: 8080), over: api)
      configuration.publicURL = publicURL
      configuration.allowsNonLoopback = isAllowed
      // A proxy with TLS would be one that people reach by https.
      configuration.trustedProxies = [Configuration.proxyAddress("10.0.0.1")].compactMap(\.self)
      let result = Result { try configuration.refuseExposure() }
      let hasStarted = (try? result.get()) != nil
      #expect(hasStarted == starts)
      if case .failure(let failure) = result {
        #expect("\(failure)".contains("over plain http: \(publicURL): begin it with https://"))
      }
    }
  }

  @Test(
    "an emulated API at a public address causes a warning unless allowed, and no refusal",
    arguments: [
      ("https://example.com", false, true), ("https://example.com", true, false),
      ("https://localhost", false, false), ("https://team-a.localhost:9000", false, false),
    ]
  )
  func openToAll(publicURL: String, isAllowed: Bool, isTold: Bool) throws {
    let remote = AuthAPI.remote(try .clerk(at: "https://clerk.example.com"))
    for api in [remote, .emulated(.clerk)] {
      var configuration = Configuration()
      configuration.service = .pages(at: Configuration.Address(port: 8080), over: api)
      configuration.publicURL = publicURL
      configuration.allowsNonLoopback = isAllowed
      configuration.trustedProxies = [Configuration.proxyAddress("10.0.0.1")].compactMap(\.self)
      try configuration.refuseExposure()
      let log = LogRecorder()
      try configuration.warnOfExposure(log.logger)
      let notes = try configuration.exposureNotes()
      let count = isTold && api.isEmulated ? 1 : 0
      #expect(notes.count == count && log.events.count == count)
      let words =
        "use the emulated API and backstage, and record what others type, passwords too: \(publicURL): "
      #expect(notes.allSatisfy { $0.contains(words) })
      #expect(log.events.allSatisfy { $0.level == .warning && $0.line.contains(publicURL) })
    }
    var alone = Configuration()
    alone.service = .emulatorOnly(.clerk, at: Configuration.Address(port: 4010))
    alone.emulatorPublicURL = publicURL
    alone.allowsNonLoopback = isAllowed
    let notes = try alone.exposureNotes()
    #expect(notes.count == (isTold ? 1 : 0))
    // Where there are no pages, nobody is recorded.
    #expect(notes.allSatisfy { $0.contains("use the emulated API and backstage: \(publicURL): ") })
  }

  @Test("a taken port may be free later, one that is not permitted never is: each says what helps")
  func unlistenable() {
    let taken = StartFailure(.addressInUse(host: "127.0.0.1", port: 443), listeningBy: "port")
    #expect(taken.kind == .unavailable)
    #expect(taken.description.hasSuffix(": --port chooses another (0: a free one)"))
    let reserved = StartFailure(
      .notPermitted(host: "127.0.0.1", port: 443),
      listeningBy: "metrics-port"
    )
    #expect(reserved.kind == .configuration)
    for words in ["port 443 of 127.0.0.1: --metrics-port chooses", "CAP_NET_BIND_SERVICE"] {
      #expect(reserved.description.contains(words))
    }
  }

  @Test("an emulated API alone, which sets no cookies of ours, may have any public URL")
  func emulatorPublicURL() throws {
    var configuration = Configuration()
    configuration.service = .emulatorOnly(.clerk, at: Configuration.Address(port: 4010))
    configuration.emulatorPublicURL = "http://id.example.com"
    try configuration.refuseExposure()
  }
}
