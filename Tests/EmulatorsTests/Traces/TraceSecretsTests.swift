import Testing

@testable import Emulators

@Suite("What a trace does not show")
struct TraceSecretsTests {
  /// Header, payload and signature; not those of anybody.
  private static let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln-bmF0_dXJl"

  @Test(
    "a signed token is masked, whatever stands before it",
    arguments: [
      "", "Bearer ", "v1.", "x-", "/v1/client/x-", "/v1/client?q=id-", "/v1/client?_id_", "\u{301}",
    ]
  )
  func signedTokens(prefix: String) {
    #expect(TraceSecrets.shown("\(prefix)\(Self.token)") == "\(prefix)<token>")
    #expect(TraceSecrets.shown("\(prefix)\(Self.token)/x") == "\(prefix)<token>/x")
  }

  @Test(
    "what has no two dots behind the beginning of one is shown as it is",
    arguments: ["eyJhbGciOiJSUzI1NiJ9", "eyJhbGci.signed", "a.b.eyJhbGci", "key.J.a.b", "keyJ.one"]
  )
  func noTokens(text: String) {
    #expect(TraceSecrets.shown(text) == text)
  }
}
