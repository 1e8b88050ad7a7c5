import Emulators
import HTTPExchange
import HTTPTypes
import Testing

@Suite("Invitations by backstage")
struct InvitationTests {
  @Test(
    "the mailed link leads to the pages' public address, or to the address that was given",
    arguments: [
      ("http", "", "http://localhost:8080/sign-up?__clerk_ticket="),
      ("https", "", "https://localhost:8080/sign-up?__clerk_ticket="),
      (
        "http", #", "redirect_url": "https://app.example/in?a=1#x""#,
        "https://app.example/in?a=1&__clerk_ticket="
      ),
    ]
  )
  func link(scheme: String, more: String, begin: String) async throws {
    let client = try BackstageClient(at: OwnOrigins("\(scheme)://localhost"))
    let body = #"{"email_address": "una@example.com"\#(more)}"#
    let sent = try await client.send(.post, "invitations", body: body)
    #expect(sent.json["link"]?.string?.hasPrefix(begin) == true)
  }

  @Test(
    "a redirect that is not a web address is refused",
    arguments: ["5", #""not a url""#, #""javascript:alert(1)""#, #""https://""#, #""""#]
  )
  func refused(address: String) async throws {
    let client = try BackstageClient()
    let body = #"{"email_address": "una@example.com", "redirect_url": \#(address)}"#
    #expect(try await client.send(.post, "invitations", body: body).status == 422)
    #expect(try await client.send(.get, "messages").json == [])
  }

  @Test(
    "the refusal says what is wrong with the invited address",
    arguments: [
      ("{}", "'email_address' is missing."),
      (#"{"email_address": 5}"#, "'email_address' must be a text."),
      (#"{"email_address": "una"}"#, "'email_address' is not an email address."),
    ]
  )
  func address(body: String, message: String) async throws {
    let answer = try await BackstageClient().send(.post, "invitations", body: body)
    #expect(answer.status == 422)
    #expect(answer.json["errors"]?[0]?["message"]?.string == message)
  }
}
