import Backstage
import HTTPExchange
import HTTPTypes
import Testing

@Suite("How long backstage may take")
struct WaitingTimeTests {
  @Test(
    "only reading a world, walking the flows and waiting for a message get more time (S6)",
    arguments: [
      ("/backstage/map", 120), ("/backstage/errors", 120), ("/backstage/api/errors", 120),
      ("/backstage/api/import", 120), ("/backstage/api/recordings", 120),
      ("/backstage/recordings", 120),
      ("/backstage/api/messages/latest?wait=7", 7),
      ("/backstage/api/messages/latest?wait=999", 0), ("/backstage/inbox", 0), ("/sign-in", 0),
    ]
  )
  func time(target: String, seconds: Int) {
    let request = Request(method: .get, target: target)
    #expect(BackstageAPI.waitingTime(of: request) == .seconds(seconds))
  }
}
