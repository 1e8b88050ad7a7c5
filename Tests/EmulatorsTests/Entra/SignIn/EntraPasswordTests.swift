import Emulators
import HTTPExchange
import Testing

@Suite("Entra: signing in with a password (3.1)")
struct EntraPasswordTests {
  @Test(
    "initiate, challenge and token lead to tokens",
    arguments: ["ada@example.com", "ADA@Example.com", " ada@example.com "]
  )
  func signsIn(username: String) async throws {
    let client = try EntraWorld().client()
    let begun = try await client.initiate(username)
    #expect(begun.status == 200)
    #expect(begun.continuation != nil)
    let challenged = try await client.challenge()
    #expect(challenged.challengeType == "password")
    #expect(challenged.continuation != begun.continuation)
    let signedIn = try await client.token("password", ["password": EntraClient.password])
    #expect(signedIn.status == 200)
    #expect(signedIn.json["token_type"] == "Bearer")
    #expect(signedIn.json["scope"]?.string == EntraClient.everything)
  }
}
