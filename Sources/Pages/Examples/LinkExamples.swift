@_spi(Provider) import AuthFlow
import Foundation

extension PageExample {
  static var linkExamples: [PageExample] { waitingExamples + newAddressExamples + landingExamples }

  private static func page(
    others: [Factor] = [email],
    expiresIn: Int = 600,
    resendIn: Int = 0
  ) -> LinkPage? {
    attempt(first: [link] + others).map { attempt in
      LinkPage(
        prompt: LinkPrompt(
          attempt: attempt,
          factor: link,
          proof: Continuation("example"),
          expiresAt: later(expiresIn),
          resendAvailableAt: later(resendIn)
        )
      )
    }
  }

  private static let link = Factor(kind: .emailLink, destination: "m•••@example.com")

  private static var waitingExamples: [PageExample] {
    let soon = error(.resendTooSoon(until: later(24)), OwnCode.resendTooSoon)
    return [
      page(others: [], resendIn: 30).map {
        PageExample("sign-in-link/just-sent", $0, notices: [.codeSent])
      },
      page().map { PageExample("sign-in-link/resent", $0, notices: [.codeResent]) },
      page().map { PageExample("sign-in-link/still-waiting", $0, notices: [.stillWaiting]) },
      page(resendIn: 24).map { PageExample("sign-in-link/cooldown", $0, error: soon) },
      page(expiresIn: -60).map {
        PageExample(
          "sign-in-link/expired",
          $0,
          error: error(.linkExpired, "verification_expired")
        )
      },
    ].compactMap(\.self)
  }

  private static var newAddressExamples: [PageExample] {
    func page(offersCode: Bool) -> LinkPage {
      LinkPage(
        prompt: ContactLinkPrompt(
          attempt: SignUpAttempt(
            continuation: Continuation("example"),
            values: [.emailAddress: "grace@example.com"],
            endsAt: later(3_300)
          ),
          destination: "grace@example.com",
          proof: Continuation("example"),
          expiresAt: later(600),
          resendAvailableAt: later(30),
          offersCode: offersCode
        )
      )
    }
    return [
      PageExample("sign-up-link/just-sent", page(offersCode: true), notices: [.codeSent]),
      PageExample("sign-up-link/only-way", page(offersCode: false), notices: [.stillWaiting]),
    ]
  }

  private static var landingExamples: [PageExample] {
    func landing(_ standing: LinkStanding, _ flow: FlowName = .signIn) -> LinkLandingPage {
      LinkLandingPage(
        link: FollowedLink(.unredeemed, parameters: ["flow_id": "example"]),
        standing: standing,
        flow: flow,
        isWaiting: flow == .signUp
      )
    }
    func refused(_ reason: Reason, _ code: OwnCode) -> LinkStanding {
      .refused(error(reason, code))
    }
    return [
      PageExample("sign-in-link/opened", landing(.ready)),
      PageExample("sign-in-link/verified-elsewhere", landing(.verifiedElsewhere)),
      PageExample(
        "sign-in-link/other-browser",
        landing(refused(.linkOtherBrowser, OwnCode.linkOtherBrowser))
      ),
      PageExample("sign-in-link/too-old", landing(refused(.linkExpired, OwnCode.linkExpired))),
      PageExample("sign-in-link/used", landing(refused(.linkUsed, OwnCode.linkUsed))),
      PageExample("sign-in-link/failed", landing(refused(.linkFailed, OwnCode.linkFailed))),
      PageExample("sign-up-link/opened", landing(.ready, .signUp)),
      PageExample(
        "sign-up-link/too-old",
        landing(refused(.linkExpired, OwnCode.linkExpired), .signUp)
      ),
    ]
  }
}
