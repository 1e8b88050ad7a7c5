@_spi(Provider) import AuthFlow
import Foundation
import HTTPExchange
import HTTPTypes
import Localization
import Pages
import Testing
import TestSupport

@testable import Site

/// What the atlas says about a state, compared with what a browser gets there.
@Suite("The status of a state of the atlas")
struct StatusOfExamplesTests {
  /// How a browser comes to a state whose page has a status of its own.
  struct Way: Sendable, CustomTestStringConvertible {
    var state: String
    var path: String
    var mode = SignUpForm.Mode.open
    var stand: @Sendable (inout Visit) throws -> Void = { _ in }

    var testDescription: String { state }
  }

  static let ways: [Way] = [
    Way(state: "locked/until", path: "/locked") { $0.lock(until: 720) },
    Way(state: "locked/until-tomorrow", path: "/locked") { $0.lock(until: 86_400) },
    Way(state: "locked/unknown", path: "/locked") { $0.lock(until: nil) },
    Way(state: "locked/untold", path: "/locked") { $0.lock(until: nil, .lockedForNow) },
    Way(state: "locked/over", path: "/locked") { $0.lock(until: -1) },
    Way(state: "blocked/banned", path: "/blocked") { $0.block(.banned) },
    Way(state: "blocked/managed-app", path: "/blocked") { $0.block(.protectionPolicyRequired) },
    Way(state: "blocked/open-task", path: "/blocked") {
      $0.enter(Example.session(tasks: [.unknown("wave")]))
    },
    Way(state: "sign-up/closed", path: "/sign-up", mode: .closed(.restricted)),
    Way(state: "sign-up/waiting-list", path: "/sign-up", mode: .closed(.waitlist)),
    Way(state: "sign-in-link/opened", path: "/sign-in/link?test_link=verified") {
      let link = Factor(kind: .emailLink, destination: "ada@example.com")
      let attempt = try Example.attempt(first: [link])
      let prompt = LinkPrompt(attempt: attempt, factor: link, proof: Continuation("proof"))
      $0.signIn(at: .linkRequired(prompt))
    },
    Way(state: "sign-in-link/verified-elsewhere", path: "/sign-in/link?test_link=verified"),
    Way(state: "sign-in-link/other-browser", path: "/sign-in/link?test_link=other-browser"),
    Way(state: "sign-in-link/too-old", path: "/sign-in/link?test_link=expired"),
    Way(state: "sign-in-link/used", path: "/sign-in/link?test_link=verified&attempt=1") {
      $0.spendLink(of: Continuation("1"))
    },
    Way(state: "sign-in-link/failed", path: "/sign-in/link?test_link=failed"),
    Way(state: "sign-up-link/opened", path: "/sign-up/link?test_link=verified") {
      let prompt = ContactLinkPrompt(
        attempt: Example.signUpAttempt(),
        destination: "ada@example.com",
        proof: Continuation("proof"),
        expiresAt: Example.now.addingTimeInterval(600),
        resendAvailableAt: Example.now,
        offersCode: false
      )
      $0.signUp(at: .linkRequired(prompt))
    },
    Way(state: "sign-up-link/too-old", path: "/sign-up/link?test_link=expired"),
  ]

  @Test("a page with a status of its own is answered with that of its state", arguments: ways)
  func ofItsOwn(way: Way) async throws {
    let example = try #require(PageExample.all.first { $0.name == way.state })
    var instance = InstanceDescription.unknown
    instance.signUp.mode = way.mode
    let test = try TestSite(
      ScriptedProvider([], lastKnownInstance: instance, instance: .success(instance))
    )
    let page = try await test.visitor(way.stand).open(way.path)
    #expect(page.name == example.pageName)
    #expect(page.status == example.status)
  }

  @Test("a page on which something is refused is answered with the status of its state")
  func refused() throws {
    let test = try TestSite()
    var statuses: Set<Int> = []
    for example in PageExample.all {
      let answer: Answer
      if let error = example.frame.error {
        answer = .refused(example.page, error)
      } else if let refusal = example.frame.refusal {
        answer = .turnedAway(example.page, refusal)
      } else {
        continue
      }
      statuses.insert(example.status)
      #expect(test.status(of: answer) == example.status, "\(example)")
    }
    #expect(statuses == [403, 422, 429, 503, 504])
  }

  @Test("every other state has the status 200")
  func others() {
    let known = Set(Self.ways.map(\.state))
    let others = PageExample.all.filter { example in
      example.frame.error == nil && example.frame.refusal == nil && example.pageName != "error"
        && !known.contains(example.name)
    }
    #expect(!others.isEmpty)
    for example in others { #expect(example.status == 200, "\(example)") }
  }

  @Test("an error page of the site's own refusals is answered with the status of its state")
  func errors() async throws {
    // CheckOrderTests checks that these requests are answered so.
    var answered = Dictionary(CheckOrderTests.rows.map { ($0.code, $0.status) }) { $1 }
    let visitor = try TestSite().visitor()
    let pages = [
      await visitor.open("/sign-in", [.vestibuleWorld: "no name"]),
      await visitor.open(
        "/sign-in",
        [.secFetchSite: "cross-site", .secFetchDestination: "iframe"]
      ),
      await visitor.open("sign-in"),
      try await TestSite(isDown: true).visitor().open("/sign-in"),
      Visitor.Page(
        response: visitor.test.site.responder.unkeepable(
          Request(method: .get, target: "/sign-in", headerFields: visitor.fields()),
          nil,
          "reference"
        )
      ),
    ]
    for page in pages {
      let code = try #require(page.errorCodes.first)
      answered[code] = page.status
    }
    #expect(
      answered.keys.sorted() == [
        "bad_request", "body_too_large", "form_token_invalid", "host_not_allowed", "invalid_world",
        "malformed_form", "method_not_allowed", "not_found", "origin_refused",
        "service_answered_nonsense", "unsupported_content_type", "world_unavailable",
      ]
    )
    for (code, status) in answered {
      let example = try #require(PageExample.all.first { $0.name == "error/\(code)" })
      #expect(example.status == status, "\(code)")
    }
  }
}

extension TestSite {
  /// The status of this answer to a browser that opens the start page.
  fileprivate func status(of answer: Answer) -> Int {
    let now = clock.wallClock.now
    let question = RequestContext.Question(
      Request(
        method: .get,
        target: "/sign-in",
        headerFields: [.host: Self.host, .accept: "application/json"]
      ),
      FormData(),
      to: WorldContext(provider: provider, clock: clock.wallClock, emulation: nil),
      in: .english,
      reference: "reference",
      now: now,
      keptVisit: nil
    )
    let visit = Visit(id: "visit-1", world: "main", machineNow: now, worldNow: now)
    var context = RequestContext(question, at: .signIn, of: visit)
    return site.responder.response(to: answer, &context).status.code
  }
}

extension Visit {
  fileprivate mutating func lock(until seconds: TimeInterval?, _ reason: Reason? = nil) {
    let until = seconds.map { Example.now.addingTimeInterval($0) }
    let problem = Problem(reason ?? .locked(until: until), code: "user_locked")
    standing = .locked(Lock(problem: problem, until: until))
  }

  fileprivate mutating func block(_ reason: Reason) {
    standing = .blocked(Block(error: Example.error(reason)))
  }
}
