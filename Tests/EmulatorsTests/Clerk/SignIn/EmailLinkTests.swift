import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Testing
import TestSupport

@Suite("Email links")
struct EmailLinkTests {
  /// RFC 7636, appendix B.
  private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

  private static let native: FormData = [
    "redirect_uri": "app://open", "code_challenge": challenge, "code_challenge_method": "S256",
  ]

  /// The query of the newest link, by name.
  private func link(_ world: TestWorld, to address: String) async throws -> [String: String] {
    let message = try #require(try await world.world.outbox.latest(.init(to: address)))
    #expect(message.code == nil)
    let link = try #require(message.link)
    let items = URLComponents(string: link)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
  }

  private func complete(
    _ client: ScriptedClient,
    _ link: [String: String],
    verifier: String = verifier
  ) async throws -> Answer {
    try await client.post(
      "/v1/client/magic_links/complete",
      [
        "flow_id": link["flow_id"] ?? "", "approval_token": link["approval_token"] ?? "",
        "code_verifier": verifier,
      ]
    )
  }

  @Test("an app's link gives one ticket, and only to the holder of the secret")
  func native() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("link@example.com")
    #expect(begun.resource?["supported_first_factors"]?[0]?["strategy"] == "email_link")
    let sent = try await client.prepareFirst(begun.id, "email_link", Self.native)
    let verification = try #require(sent.resource?["first_factor_verification"])
    #expect(verification["object"] == "verification_email_link")
    #expect(verification["status"] == "unverified")
    let link = try await link(world, to: "link@example.com")
    #expect(link["flow_id"] == begun.id)
    let stranger = try await complete(client, link, verifier: "someone-else")
    #expect(stranger.refusal == "422 pkce_verification_failed")
    let redeemed = try await complete(client, link)
    #expect(redeemed.resource?["flow_id"]?.string == begun.id)
    let ticket = try #require(redeemed.resource?["ticket"]?.string)
    let done = try await client.post(
      "/v1/client/sign_ins",
      ["strategy": "ticket", "ticket": ticket]
    )
    #expect(done.state == "complete")
    #expect(done.resource?["first_factor_verification"]?["object"] == "verification_ticket")
    let again = try await complete(client, link)
    #expect(again.refusal == "422 approval_token_consumed")
    let second = try await world.client().post(
      "/v1/client/sign_ins",
      ["strategy": "ticket", "ticket": ticket]
    )
    #expect(second.refusal == "400 sign_in_token_already_used_code")
  }

  @Test("a ticket does not sign in a locked account, and stays valid until the lock is over")
  func locked() async throws {
    let world = try TestWorld {
      $0.lockoutAttempts = 1
      $0.lockoutSeconds = 60
      $0.emailLink = true
    }
    let client = world.client()
    let begun = try await client.begin("ada@example.com")
    try await client.prepareFirst(begun.id, "email_link", Self.native)
    let redeemed = try await complete(client, link(world, to: "ada@example.com"))
    let ticket = try #require(redeemed.resource?["ticket"]?.string)
    #expect(try await world.client().signIn("ada@example.com", password: "wrong").status == 403)
    let form: FormData = ["strategy": "ticket", "ticket": ticket]
    #expect(try await client.post("/v1/client/sign_ins", form).refusal == "403 user_locked")
    #expect(try await world.client().signIn("ada@example.com").refusal == "403 user_locked")
    world.clock.advance(60)
    #expect(try await client.post("/v1/client/sign_ins", form).state == "complete")
  }

  @Test("the result of a link is added to the query, before a fragment (RFC 3986, 3.5)")
  func fragments() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("link@example.com")
    let web: FormData = ["redirect_url": "http://localhost:3000/in?a=1#/verify"]
    try await client.prepareFirst(begun.id, "email_link", web)
    let url = try #require(try await world.world.outbox.messages().first?.link)
    let followed = try await client.get(String(url.dropFirst("http://127.0.0.1:4010".count)))
    let location = try #require(followed.fields[.location])
    #expect(location.hasPrefix("http://localhost:3000/in?a=1&__clerk_status=verified&"))
    #expect(location.hasSuffix("#/verify"))
    let app = world.client()
    let second = try await app.begin("link@example.com")
    var form = Self.native.fields.filter { $0.name != "redirect_uri" }
    form.append(.init(name: "redirect_uri", value: "app://open#x"))
    world.clock.advance(30)
    try await app.prepareFirst(second.id, "email_link", FormData(form))
    let mailed = try #require(try await world.world.outbox.messages().first?.link)
    #expect(mailed.hasPrefix("app://open?flow_id=\(second.id)&approval_token="))
    #expect(mailed.hasSuffix("#x"))
  }

  @Test("a link ends after ten minutes, or when the next one is sent")
  func ends() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("link@example.com")
    try await client.prepareFirst(begun.id, "email_link", Self.native)
    let first = try await link(world, to: "link@example.com")
    let soon = try await client.prepareFirst(begun.id, "email_link", Self.native)
    #expect(soon.refusal == "429 verification_code_too_many_requests")
    world.clock.advance(30)
    try await client.prepareFirst(begun.id, "email_link", Self.native)
    #expect(try await complete(client, first).refusal == "422 approval_token_invalid")
    let newest = try await link(world, to: "link@example.com")
    world.clock.advance(600)
    #expect(try await complete(client, newest).refusal == "422 approval_token_expired")
    let read = try await client.get("/v1/client/sign_ins/\(begun.id)")
    #expect(read.resource?["first_factor_verification"]?["status"] == "expired")
  }

  @Test("a browser's link goes through the API, and works only for its own client")
  func web() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("link@example.com")
    let bare = try await client.prepareFirst(begun.id, "email_link")
    #expect(bare.refusal == "422 form_param_missing redirect_url")
    let sent = try await client.prepareFirst(
      begun.id,
      "email_link",
      ["redirect_url": "https://app.localhost/done"]
    )
    #expect(sent.status == 200)
    let message = try #require(try await world.world.outbox.messages().first)
    let url = try #require(message.link)
    #expect(url.hasPrefix("http://127.0.0.1:4010/v1/verify?token="))
    let target = String(url.dropFirst("http://127.0.0.1:4010".count))
    let stranger = try await world.client().get(target)
    #expect(stranger.status == 303)
    #expect(
      stranger.fields[.location] == "https://app.localhost/done?__clerk_status=client_mismatch"
    )
    let own = try await client.get(target)
    let location = try #require(own.fields[.location])
    #expect(
      location.hasPrefix(
        "https://app.localhost/done?__clerk_status=verified&__clerk_created_session="
      )
    )
    let read = try await client.get("/v1/client/sign_ins/\(begun.id)")
    #expect(read.state == "complete")
    #expect(read.resource?["first_factor_verification"]?["status"] == "verified")
    let again = try await client.get(target)
    #expect(again.fields[.location] == "https://app.localhost/done?__clerk_status=failed")
    let bad = try await client.get("/v1/verify?token=sia_x.y")
    #expect(bad.refusal == "400 verification_link_token_invalid")
  }

  @Test(
    "a link that would lead to another machine is not sent",
    arguments: ["redirect_url", "redirect_uri"]
  )
  func otherMachine(parameter: String) async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("link@example.com")
    let proof = Self.native.fields.filter { $0.name != "redirect_uri" }
    let refused = try await client.prepareFirst(
      begun.id,
      "email_link",
      FormData(proof + [.init(name: parameter, value: "https://evil.test/l")])
    )
    #expect(refused.refusal == "422 invalid_redirect_url \(parameter)")
    #expect(try await world.messageCount() == 0)
  }

  @Test("a new address can be verified by a link if the instance has links")
  func signUp() async throws {
    let plain = try TestWorld()
    let details: FormData = [
      "email_address": "noor@example.com", "password": "a-good-new-password-7",
    ]
    let refused = try await plain.client().post("/v1/client/sign_ups", details)
    let off = try await plain.client().prepareSignUp(refused.id, "email_link")
    #expect(off.status >= 400)

    let world = try TestWorld { $0.emailLink = true }
    let client = world.client()
    let begun = try await client.post("/v1/client/sign_ups", details)
    let strategies = begun.resource?["verifications"]?["email_address"]?["supported_strategies"]
    #expect(strategies == ["email_code", "email_link"])
    try await client.post(
      "/v1/client/sign_ups/\(begun.id)/prepare_verification",
      FormData([.init(name: "strategy", value: "email_link")] + Self.native.fields)
    )
    let link = try await link(world, to: "noor@example.com")
    let done = try await complete(client, link)
    #expect(done.state == "complete")
    #expect(done.resource?["object"] == "sign_up_attempt")
    #expect(try await complete(client, link).refusal == "422 approval_token_consumed")
  }

  private static let web: FormData = ["redirect_url": "https://app.localhost/done"]

  /// What of the newest link's address follows the API's origin.
  private func target(_ world: TestWorld, to address: String) async throws -> String {
    let message = try #require(try await world.world.outbox.latest(.init(to: address)))
    return String(try #require(message.link).dropFirst("http://127.0.0.1:4010".count))
  }

  @Test("a browser's link verifies a new address once, and only for its own client")
  func signUpInBrowser() async throws {
    let world = try TestWorld { $0.emailLink = true }
    let client = world.client()
    let begun = try await client.post(
      "/v1/client/sign_ups",
      ["email_address": "noor@example.com", "password": "a-good-new-password-7"]
    )
    try await client.post(
      "/v1/client/sign_ups/\(begun.id)/prepare_verification",
      FormData([.init(name: "strategy", value: "email_link")] + Self.web.fields)
    )
    let mailed = try await target(world, to: "noor@example.com")
    let stranger = world.client()
    try await stranger.begin("ada@example.com")
    #expect(
      try await stranger.get(mailed).fields[.location]
        == "https://app.localhost/done?__clerk_status=client_mismatch"
    )
    let followed = try await client.get(mailed)
    let location = try #require(followed.fields[.location])
    #expect(
      location.hasPrefix(
        "https://app.localhost/done?__clerk_status=verified&__clerk_created_session=sess_"
      )
    )
    #expect(try await client.get("/v1/client/sign_ups/\(begun.id)").state == "complete")
    #expect(
      try await client.get(mailed).fields[.location]
        == "https://app.localhost/done?__clerk_status=failed"
    )
  }

  @Test("a link has expired until its attempt is abandoned, and is not valid from then on")
  func abandoned() async throws {
    let world = try TestWorld { $0.emailLink = true }
    let browser = world.client()
    let begun = try await browser.begin("link@example.com")
    try await browser.prepareFirst(begun.id, "email_link", Self.web)
    let signIn = try await target(world, to: "link@example.com")
    let fresh = world.client()
    let details: FormData = ["email_address": "noor@example.com"]
    let signUp = try await fresh.post("/v1/client/sign_ups", details)
    try await fresh.post(
      "/v1/client/sign_ups/\(signUp.id)/prepare_verification",
      FormData([.init(name: "strategy", value: "email_link")] + Self.web.fields)
    )
    let verification = try await target(world, to: "noor@example.com")
    let app = world.client()
    let native = try await app.begin("ada@example.com")
    try await app.prepareFirst(native.id, "email_link", Self.native)
    let approval = try await link(world, to: "ada@example.com")

    let expired = "https://app.localhost/done?__clerk_status=expired"
    world.clock.advance(86_399)
    #expect(try await browser.get(signIn).fields[.location] == expired)
    #expect(try await fresh.get(verification).fields[.location] == expired)
    #expect(try await complete(app, approval).refusal == "422 approval_token_expired")
    world.clock.advance(1)
    #expect(try await browser.get(signIn).refusal == "400 verification_link_token_invalid")
    #expect(try await fresh.get(verification).refusal == "400 verification_link_token_invalid")
    #expect(try await complete(app, approval).refusal == "422 approval_token_invalid")
  }

  @Test("a link with another secret, or of another client, signs nobody in")
  func foreign() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("link@example.com")
    try await client.prepareFirst(begun.id, "email_link", Self.web)
    let mailed = try await target(world, to: "link@example.com")
    let guessed = try await client.get("/v1/verify?token=\(begun.id).guessed")
    #expect(guessed.refusal == "400 verification_link_token_invalid")
    let stranger = world.client()
    try await stranger.begin("ada@example.com")
    #expect(
      try await stranger.get(mailed).fields[.location]
        == "https://app.localhost/done?__clerk_status=client_mismatch"
    )
    let read = try await client.get("/v1/client/sign_ins/\(begun.id)")
    #expect(read.state == "needs_first_factor")
    #expect(try await client.get(mailed).status == 303)
  }

  @Test("an app's link cannot be followed without the secret that redeems it")
  func followedWithoutSecret() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("link@example.com")
    try await client.prepareFirst(begun.id, "email_link", Self.native)
    let approval = try await link(world, to: "link@example.com")
    let token = try #require(approval["approval_token"])
    let followed = try await client.get("/v1/verify?token=\(begun.id).\(token)")
    #expect(followed.refusal == "400 verification_link_token_invalid")
    let read = try await client.get("/v1/client/sign_ins/\(begun.id)")
    #expect(read.state == "needs_first_factor")
    #expect(try await complete(client, approval).status == 200)
  }

  @Test(
    "a ticket signs in for less than five minutes",
    arguments: [(299, "200 -"), (300, "400 ticket_expired_code")] as [(Double, String)]
  )
  func ticketExpires(seconds: Double, refusal: String) async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("link@example.com")
    try await client.prepareFirst(begun.id, "email_link", Self.native)
    let redeemed = try await complete(client, link(world, to: "link@example.com"))
    let ticket = try #require(redeemed.resource?["ticket"]?.string)
    world.clock.advance(seconds)
    let answer = try await client.post(
      "/v1/client/sign_ins",
      ["strategy": "ticket", "ticket": ticket]
    )
    #expect(answer.refusal == refusal)
  }

  @Test("a ticket that names a redeemed attempt but has another secret is not valid")
  func guessedTicket() async throws {
    let world = try TestWorld()
    let client = world.client()
    let begun = try await client.begin("link@example.com")
    try await client.prepareFirst(begun.id, "email_link", Self.native)
    let redeemed = try await complete(client, link(world, to: "link@example.com"))
    #expect(redeemed.status == 200)
    let answer = try await world.client().post(
      "/v1/client/sign_ins",
      ["strategy": "ticket", "ticket": "\(begun.id).guessed"]
    )
    #expect(answer.refusal == "400 ticket_invalid_code")
  }
}
