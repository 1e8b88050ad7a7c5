@_spi(Provider) import AuthFlow
import Foundation
import Testing

@Suite("Links that are opened (P-link)")
struct LinkFlowTests {
  private static let now = Date(timeIntervalSince1970: 1_000)
  private static let attempt = Continuation("attempt")

  private func standing(
    _ verdict: FollowedLink.Verdict,
    of attempt: Continuation? = attempt,
    waiting: Continuation? = attempt,
    endsIn seconds: TimeInterval = 60,
    used: [Continuation] = []
  ) -> LinkStanding {
    FollowedLink(verdict, parameters: [:], attempt: attempt).standing(
      waiting: waiting.map { ($0, Self.now.addingTimeInterval(seconds)) },
      used: used,
      at: Self.now
    )
  }

  private func reason(_ standing: LinkStanding) -> Reason? {
    guard case .refused(let error) = standing else { return nil }
    return error.problems.first?.reason
  }

  @Test("a link of the attempt that waits here is ready to go on")
  func ready() {
    #expect(standing(.unredeemed) == .ready)
    #expect(standing(.verified, of: nil) == .ready)
    #expect(standing(.verified, of: nil, waiting: nil) == .verifiedElsewhere)
  }

  @Test("every other link is refused with its reason")
  func refused() {
    #expect(reason(standing(.unredeemed, waiting: nil)) == .linkOtherBrowser)
    #expect(reason(standing(.unredeemed, waiting: Continuation("other"))) == .linkOtherBrowser)
    #expect(reason(standing(.unredeemed, endsIn: 0)) == .linkExpired)
    #expect(reason(standing(.unredeemed, used: [Self.attempt])) == .linkUsed)
    #expect(reason(standing(.expired)) == .linkExpired)
    #expect(reason(standing(.otherBrowser)) == .linkOtherBrowser)
    #expect(reason(standing(.failed)) == .linkFailed)
  }

  @Test("a link does not print the values of its address")
  func description() {
    let link = FollowedLink(.unredeemed, parameters: ["approval_token": "secret"])
    #expect("\(link)" == "<link>")
    var dumped = ""
    dump(link, to: &dumped)
    #expect(!dumped.contains("secret"))
  }
}
