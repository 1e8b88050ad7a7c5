@_spi(Provider) import AuthFlow
import Foundation

extension PageExample {
  static var sessionExamples: [PageExample] {
    let ada = Session(
      id: "sess_2aJ9example",
      user: .init(
        id: "user_1",
        identifier: "ada@example.com",
        firstName: "Ada",
        lastName: "Lovelace"
      ),
      expiresAt: later(604_800),
      organization: .init(id: "org_1", name: "Harbour Books", slug: "harbour-books")
    )
    let phil = Session(
      id: "sess_2",
      user: .init(id: "user_2", identifier: "+12015550142"),
      tasks: [.setUpSecondFactor, .unknown("wave")],
      expiresAt: later(3_600)
    )
    return [
      PageExample("account/fresh", AccountPage(session: ada)),
      PageExample(
        "account/sessions-folded",
        AccountPage(session: ada, provenFactors: [.emailCode], sessions: .folded)
      ),
      PageExample("account/pending", AccountPage(session: phil), notices: [.alreadySignedIn]),
      PageExample(
        "account/few-backup-codes",
        AccountPage(session: ada),
        notices: [.passwordChanged, .backupCodesLow]
      ),
      PageExample(
        "account/sessions",
        AccountPage(
          session: ada,
          provenFactors: [.password, .authenticatorCode],
          sessions: .listed([
            ActiveSession(
              id: ada.id,
              isCurrent: true,
              device: .init(browser: "Firefox", system: "Linux", address: "127.0.0.1"),
              lastActiveAt: later(-20)
            ),
            ActiveSession(
              id: "sess_3",
              isCurrent: false,
              device: .init(browser: "Safari", system: "iPhone", address: "192.0.2.17"),
              lastActiveAt: later(-86_400)
            ),
            ActiveSession(id: "sess_4", isCurrent: false, device: .init(), lastActiveAt: nil),
          ])
        )
      ),
      PageExample(
        "account/application",
        AccountPage(session: ada, sessions: .folded, home: "https://harbour.example/"),
        isEmulated: false
      ),
      PageExample("account/session-ended", AccountPage(session: ada), notices: [.sessionEnded]),
      PageExample("account/offline", AccountPage(session: ada), error: offline),
      PageExample("sign-out/fresh", SignOutPage(identifier: "ada@example.com")),
      PageExample(
        "sign-out/pending",
        SignOutPage(identifier: "ada@example.com", isSignedIn: false)
      ),
    ]
  }

  /// Pages for auth APIs that issue tokens for other services.
  static var accessExamples: [PageExample] {
    let dina = Session(
      id: "2c9f0e71",
      user: .init(id: "2c9f0e71", identifier: "dina@example.com", firstName: "Dina"),
      expiresAt: later(604_800),
      access: Access(
        scopes: ["openid", "profile", "offline_access", "api://orders/Read"],
        expiresAt: later(3_540)
      )
    )
    func permissions(granted: [String], of session: Session) -> PermissionsPage? {
      PermissionsPrompt(session: session, granted: granted, declined: ["api://orders/Write"]).map(
        PermissionsPage.init(prompt:)
      )
    }
    var undecided = dina
    undecided.access?.declined = ["api://orders/Write"]
    let some = permissions(granted: ["api://orders/Read"], of: undecided).map { page in
      [
        PageExample("permissions/some-granted", page),
        PageExample("permissions/rate-limited", page, error: rateLimited),
      ]
    }
    let none = [
      ("permissions/none-granted", undecided), ("permissions/no-more-granted", dina),
    ].compactMap { name, session in
      permissions(granted: [], of: session).map { PageExample(name, $0) }
    }
    return [
      PageExample("account/with-token", AccountPage(session: dina)),
      PageExample("account/new-token", AccountPage(session: dina), notices: [.tokenRenewed]),
      PageExample(
        "account/too-many-scopes",
        AccountPage(session: dina, scopes: "api://orders/Read"),
        error: error(.tooLong(limit: 320), at: .scopes, "form_param_max_length_exceeded")
      ),
    ] + (some ?? []) + none
  }

  /// Pages that end a flow without a session.
  static var endExamples: [PageExample] {
    func locked(until: Date?, _ reason: Reason? = nil) -> LockedPage {
      LockedPage(
        problem: Problem(reason ?? .locked(until: until), code: "user_locked"),
        until: until,
        traceID: "b1946ac92492d234"
      )
    }
    let returned = Identifier(typed: "sven@example.com").map {
      BrowserPage(
        prompt: BrowserPrompt(
          identifier: $0,
          providerName: "Pine Street",
          address: "https://login.example.com/start",
          attempt: SignInAttempt(
            identifier: $0,
            continuation: Continuation("1"),
            firstFactors: []
          ),
          browser: .returned
        )
      )
    }
    func begun(_ origin: BrowserPrompt.Origin) -> BrowserPage? {
      Identifier(typed: "sven@example.com").map {
        BrowserPage(
          prompt: BrowserPrompt(
            origin: origin,
            identifier: $0,
            providerName: "Pine Street",
            address: "https://login.example.com/start"
          )
        )
      }
    }
    let explained = Identifier(typed: "sven@example.com").map {
      BrowserPage(
        prompt: BrowserPrompt(
          identifier: $0,
          address: "https://login.example.com/start",
          explanation: "This account needs a passkey."
        )
      )
    }
    // Somebody who has proven a first factor here is asked for the rest there.
    let furthered = Identifier(typed: "mia@example.com").map {
      BrowserPage(
        prompt: BrowserPrompt(
          identifier: $0,
          providerName: "Pine Street",
          address: "https://login.example.com/start",
          explanation: "consent_required",
          attempt: SignInAttempt(
            identifier: $0,
            continuation: Continuation("1"),
            firstFactors: [],
            secondFactors: [Factor(kind: .enterprise)]
          )
        )
      )
    }
    // The browser would have no way back.
    let unlinked = Identifier(typed: "sven@example.com").map {
      BrowserPage(prompt: BrowserPrompt(identifier: $0, providerName: "Pine Street"))
    }
    return [
      PageExample("locked/until", locked(until: later(720))),
      PageExample("locked/until-tomorrow", locked(until: later(86_400))),
      PageExample("locked/unknown", locked(until: nil)),
      PageExample("locked/untold", locked(until: nil, .lockedForNow)),
      PageExample("locked/over", locked(until: later(-1))),
      PageExample(
        "blocked/banned",
        BlockedPage(error: error(.banned, "user_banned"), offersSignOut: false)
      ),
      PageExample(
        "blocked/managed-app",
        BlockedPage(
          error: error(
            .protectionPolicyRequired,
            "unauthorized_client/protection_policy_required"
          ),
          offersSignOut: false
        )
      ),
      PageExample(
        "blocked/open-task",
        BlockedPage(error: error(.stepUnsupported, "unsupported_task"), offersSignOut: true)
      ),
    ] + (begun(.signIn).map { [PageExample("continue/fresh", $0)] } ?? [])
      + (begun(.signUp).map { [PageExample("continue/signing-up", $0)] } ?? [])
      + (begun(.passwordReset).map { [PageExample("continue/resetting", $0)] } ?? [])
      + (explained.map { [PageExample("continue/with-reason", $0)] } ?? [])
      + (furthered.map { [PageExample("continue/one-step-more", $0)] } ?? [])
      + (unlinked.map { [PageExample("continue/without-link", $0)] } ?? [])
      + (returned.map { [PageExample("continue/returned", $0)] } ?? [])
      + SiteRefusal.allCases.map { refusal in
        PageExample(
          "error/\(refusal.rawValue)",
          ErrorPage(
            status: refusal.status,
            refusal: refusal,
            origin: refusal == .invalidWorld ? "http://localhost:8080" : nil
          ),
          isEmulated: refusal != .hostNotAllowed,
          hasWorkbench: !refusal.isOfTheName,
          supportAddress: refusal == .hostNotAllowed ? nil : "support@example.com"
        )
      }
  }
}

extension SiteRefusal {
  /// The usual status, for the examples; the site decides for itself.
  fileprivate var status: Int {
    switch self {
    case .badRequest, .invalidWorld, .hostNotAllowed, .malformedForm: 400
    case .formTokenInvalid, .originRefused: 403
    case .notFound: 404
    case .methodNotAllowed: 405
    case .bodyTooLarge: 413
    case .headTooLarge: 431
    case .unsupportedContentType: 415
    case .attemptEnded: 422
    case .internalError: 500
    case .serviceAnsweredNonsense: 502
    case .offline, .serviceUnavailable, .stopping, .worldUnavailable: 503
    case .serviceTimedOut: 504
    }
  }
}
