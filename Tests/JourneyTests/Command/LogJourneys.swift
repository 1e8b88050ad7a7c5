import Foundation
import HTTPClientTransport
import HTTPExchange
import HTTPTypes
import Testing
import VestibuleTesting

@Suite("What the program logs")
struct LogJourneys {
  @Test("one JSON object a line in UTC, and no secret at any level (S28, S29)")
  func canaries() async throws {
    try await Turnstile.journeys.pass {
      let program = try Program(
        ["--port", "0", "--in-memory", "--log-level", "trace", "--log-format", "json"]
      )
      defer { program.end() }
      let pages = HTTPClientTransport(to: try BaseURL(try await program.addresses(1)[0]))
      let played = await Result { try await play(over: pages) }
      await pages.shutdown()
      let secrets = try played.get()
      #expect(program.end() == 0)
      let log = program.said
      for secret in secrets { #expect(!log.contains(secret), "\(secret.prefix(20))") }
      var messages: [String] = []
      for line in log.split(separator: "\n") {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let time = try #require(object?["time"] as? String)
        #expect(time.hasSuffix("Z"))
        messages.append(object?["message"] as? String ?? "")
      }
      for event in ["refused", "signed in", "turned away", "stopping"] {
        #expect(messages.contains(event), "\(event)")
      }
    }
  }

  /// Goes wrong and right everywhere, and returns everything that nobody may find in a log.
  private func play(over pages: HTTPClientTransport) async throws -> [String] {
    var secrets = ["canary-password", "walk-right-in-42", "canary-person", "987123", "mia@example"]
    let mia = FormSession(over: pages)
    try await mia.open("/sign-in?redirect_url=//canary-person.example")
    try await mia.submit(["identifier": "mia@example.com", "password": "canary-password"])
    try await mia.submit(["identifier": "canary-person@example.com", "password": "canary-password"])
    try await mia.signIn("mia@example.com")
    try await mia.submit(["code": "987123"])
    try await mia.open("/sign-in/second-factor/backup-code")
    try await mia.submit(["code": "mia-0000-0001"])
    secrets += ["0000-0001", "00000001"]
    let cookies = await mia.cookies
    secrets += cookies.values.filter { $0.count > 20 }
    if let token = await mia.page?.form?.token { secrets.append(token) }
    for target in ["/canary-person?password=canary-password", "/public/../canary-person"] {
      _ = try await mia.send(.get, target)
    }
    _ = try await mia.send(.post, "/sign-in", body: ["form_token": "x", "code": "987123"])
    _ = try await mia.send(.get, "/", fields: [.authorization: "Bearer canary-password"])
    return secrets
  }
}
