import Emulators
import Foundation
import HTTPExchange
import HTTPTypes
import Pages
import Testing

@testable import Backstage

@Suite("What the bar above the pages says about a world")
struct WorldNewsTests {
  @Test("messages are counted anew whenever one comes or goes")
  func count() async throws {
    let client = try BackstageClient()
    let world = try await client.worlds.world(.main)
    #expect(await world.news(seeking: nil).messageCount == 0)
    await client.sendCode()
    #expect(await world.news(seeking: nil).messageCount == 1)
    await client.sendCode(to: "ada@example.com")
    #expect(await world.news(seeking: nil).messageCount == 2)
    let id = try #require(try await world.outbox.messages().first?.id)
    _ = try await client.send(.delete, "messages/\(id)")
    #expect(await world.news(seeking: nil).messageCount == 1)
    _ = try await client.send(.delete, "messages")
    #expect(await world.news(seeking: nil).messageCount == 0)
    await client.sendCode()
    _ = try await client.send(.post, "reset")
    #expect(await world.news(seeking: nil).messageCount == 0)
  }

  @Test("faults are counted while they wait for a call")
  func faults() async throws {
    let client = try BackstageClient()
    let world = try await client.worlds.world(.main)
    #expect(await world.news(seeking: nil).faultCount == 0)
    _ = try await client.send(.post, "faults", body: #"{"fault":"reset","times":3}"#)
    _ = try await client.send(.post, "faults", body: #"{"fault":"not_json","seconds":60}"#)
    #expect(await world.news(seeking: nil).faultCount == 2)
    _ = try await client.send(.delete, "faults")
    #expect(await world.news(seeking: nil).faultCount == 0)
  }

  @Test(
    "the bar offers the newest code that was sent where the page says",
    arguments: ["cody@example.com", "c***@e******.com", "C•••@example.com", nil]
  )
  func sent(to destination: String?) async throws {
    let client = try BackstageClient()
    await client.sendCode()
    await client.sendCode()
    let world = try await client.worlds.world(.main)
    let newest = try #require(try await world.outbox.messages().first)
    let code = try #require(await world.news(seeking: .sent(to: destination)).code)
    #expect(code.digits == newest.code)
    #expect(code.path == "/backstage/inbox?message=\(newest.id)")
  }

  @Test(
    "a code that went elsewhere is not offered",
    arguments: ["ada@example.com", "a•••@example.com", "cody@example.co", "cod", ""]
  )
  func elsewhere(_ destination: String) async throws {
    let client = try BackstageClient()
    await client.sendCode()
    let world = try await client.worlds.world(.main)
    #expect(await world.news(seeking: .sent(to: destination)).code == nil)
  }

  @Test("the bar offers an authenticator app's code by the world's clock, if there is an app")
  func authenticator() async throws {
    let client = try BackstageClient()
    let world = try await client.worlds.world(.main)
    _ = try await client.send(.post, "clock", body: #"{"freeze":true}"#)
    let told = try await client.send(.get, "users/user_mia/totp").json["code"]?.string
    #expect(await world.news(seeking: .authenticator(of: "mia@example.com")).code?.digits == told)
    #expect(await world.news(seeking: .authenticator(of: "ada@example.com")).code == nil)
    #expect(await world.news(seeking: .authenticator(of: "nobody")).code == nil)
  }

  @Test("a code comes with the moment from which it is refused, unless the clock is frozen")
  func ends() async throws {
    let client = try BackstageClient()
    await client.sendCode()
    let world = try await client.worlds.world(.main)
    let expiry = world.clock.now.addingTimeInterval(600)
    let mail = SoughtCode.sent(to: "cody@example.com", worksUntil: expiry)
    let app = SoughtCode.authenticator(of: "mia@example.com")
    #expect(await world.news(seeking: mail).code?.worksUntil == expiry)
    // The app shows another code twenty seconds later, and this one is accepted for thirty more.
    world.clock.set(Date(timeIntervalSince1970: 1_795_270_990))
    let end = await world.news(seeking: app).code?.worksUntil
    #expect(end == Date(timeIntervalSince1970: 1_795_271_040))
    world.clock.freeze(true)
    for sought in [mail, app] {
      let code = try #require(await world.news(seeking: sought).code)
      #expect(code.worksUntil == nil)
    }
  }
}
