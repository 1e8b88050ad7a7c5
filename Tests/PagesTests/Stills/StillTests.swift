import AuthFlow
import Foundation
import Testing

@testable import Pages

@Suite("A still: a page that is rendered once and stamped for each visitor")
struct StillTests {
  /// The frame of a visitor, who has a name, a moment and a time zone of their own.
  private static func frame(
    of example: PageExample,
    for name: String,
    isUntouched: Bool,
    error: AuthError? = nil,
    refusal: SiteRefusal? = nil,
    notices: [Notice] = [],
    losesPassword: Bool = false
  ) -> PageFrame {
    PageFrame(
      applicationName: example.frame.applicationName,
      emulation: example.frame.emulation,
      supportAddress: example.frame.supportAddress,
      error: error,
      refusal: refusal,
      notices: notices,
      isUntouched: isUntouched,
      losesPassword: losesPassword,
      reference: "reference-of-\(name)",
      now: PageExample.now.addingTimeInterval(Double(name.utf8.count) * 700),
      timeZone: name == "ada" ? nil : TimeZone(identifier: "Asia/Tokyo"),
      formToken: { "\(name)<&>\"\($0.path)" }
    )
  }

  private static func documents(
    _ example: PageExample,
    by renderer: PageRenderer,
    for name: String,
    isUntouched: Bool
  ) throws -> [String] {
    let frame = frame(of: example, for: name, isUntouched: isUntouched)
    return [
      String(decoding: try renderer.html(example.page, in: frame), as: UTF8.self),
      String(decoding: renderer.json(example.page, in: frame), as: UTF8.self),
    ]
  }

  private static func documents(
    _ page: any Page,
    in frame: PageFrame,
    by renderer: PageRenderer
  ) throws -> [String] {
    [
      String(decoding: try renderer.html(page, in: frame), as: UTF8.self),
      String(decoding: renderer.json(page, in: frame), as: UTF8.self),
    ]
  }

  /// The error with another trace id.
  private static func named(_ name: String?, _ error: AuthError?) -> AuthError? {
    error.flatMap { AuthError($0.problems, advice: $0.advice, traceID: name) }
  }

  @Test("every refusal from a still equals the page rendered for that visitor alone")
  func refusals() throws {
    let keeping = try PageRenderer()
    let plain = keeping.wearing(keeping.look)
    for example in PageExample.all where example.frame.hasNews {
      for (name, traceID) in [
        ("ada", nil), ("grace", nil), ("annabella", "trace-1"), ("ida", "trace-2"),
      ] {
        let frame = Self.frame(
          of: example,
          for: name,
          isUntouched: false,
          error: Self.named(traceID, example.frame.error),
          refusal: example.frame.refusal,
          notices: example.frame.notices,
          losesPassword: name != "grace"
        )
        let stamped = try Self.documents(example.page, in: frame, by: keeping)
        let alone = try Self.documents(example.page, in: frame, by: plain)
        #expect(stamped == alone, "\(example) for \(name)")
      }
    }
    #expect(keeping.stills.count > 20)
  }

  /// What is typed, in this order.
  private static let typed: [String?] = [
    "ada@example.com", "grace+1@example.com", nil, "", "annabella", #"<&>"'\u{202E} @x"#,
    "+15550100",
    "ada@example.com",
  ]

  @Test("a still shows each visitor what they typed, in every error and every link")
  func typedText() throws {
    let keeping = try PageRenderer()
    let plain = keeping.wearing(keeping.look)
    let errors =
      PageExample.all.compactMap(\.frame.error) + [
        AuthError(Problem(.formatInvalid, at: .identifier, code: "invalid")),
        AuthError(Problem(.identifierNotFound, at: .identifier, code: "not_found")),
        AuthError(Problem(.identifierTaken, at: .identifier, code: "taken")),
        AuthError(Problem(.alreadySignedIn, code: "signed_in")),
      ]
    let pages: [@Sendable (String?) -> any Page] = [
      { SignInPage(instance: .unknown, identifier: $0, hasAttempt: true) },
      { ForgotPasswordPage(instance: .unknown, identifier: $0) },
    ]
    for page in pages {
      for error in errors {
        for text in Self.typed {
          let page = page(text)
          let example = PageExample("typed", page)
          let frame = Self.frame(of: example, for: "ada", isUntouched: false, error: error)
          let stamped = try Self.documents(page, in: frame, by: keeping)
          #expect(
            try stamped == Self.documents(page, in: frame, by: plain),
            "\(error), \(text ?? "-")"
          )
        }
      }
    }
  }

  @Test("two people's equal refusals are rendered once, and the link carries each one's address")
  func carried() throws {
    let renderer = try PageRenderer()
    for name in ["ada", "grace"] {
      let traceID = "trace-of-\(name)"
      // As read from an auth API's answer.
      let problem = Problem(
        .identifierNotFound,
        at: .identifier,
        code: "not_found",
        message: "Couldn't find it.",
        detail: ErrorDetail(
          .api,
          message: "Couldn't find it.",
          facts: [.init("code", .string("not_found")), .init("trace_id", .string(traceID))]
        )
      )
      let page = SignInPage(
        instance: .unknown,
        identifier: "\(name)+1@example.com",
        hasAttempt: false
      )
      let frame = Self.frame(
        of: PageExample("typed", page),
        for: name,
        isUntouched: false,
        error: AuthError(problem, traceID: traceID)
      )
      for document in try Self.documents(page, in: frame, by: renderer) {
        #expect(document.contains("/sign-up?email_address=\(name)%2B1%40example.com"))
        #expect(document.contains("\(name)+1@example.com"))
        #expect(document.contains(traceID))
        #expect(!document.contains(name == "ada" ? "grace" : "ada"))
      }
      #expect(renderer.stills.count == 2)
    }
  }

  @Test("another refusal, notice or lost password gets another still, equal to the plain page")
  func otherRefusals() throws {
    let renderer = try PageRenderer()
    let plain = renderer.wearing(renderer.look)
    let page = SignInPage(instance: .unknown, identifier: "ada", hasAttempt: false)
    let detail = ErrorDetail(.api, facts: [.init("code", .string("other"))])
    let problems = [
      Problem(.missing, at: .password, code: "missing"),
      Problem(.missing, at: .password, code: "missing", detail: detail),
      Problem(.passwordIncorrect, at: .password, code: "missing"),
      Problem(.missing, at: .identifier, code: "missing"),
    ]
    let errors =
      problems.map { AuthError($0) }
      + [AuthError(problems[0], [problems[3]]), AuthError(problems[0], advice: .requestNewCode)]
    for _ in 1...2 {
      for error in errors {
        for losesPassword in [true, false] {
          for notices in [[], [Notice.signedOut]] {
            let frame = Self.frame(
              of: PageExample("typed", page),
              for: "ada",
              isUntouched: false,
              error: error,
              notices: notices,
              losesPassword: losesPassword
            )
            let stamped = try Self.documents(page, in: frame, by: renderer)
            #expect(try stamped == Self.documents(page, in: frame, by: plain), "\(error)")
          }
        }
      }
    }
  }

  @Test("every page from a still equals the one rendered for that visitor alone")
  func sameBytes() throws {
    let keeping = try PageRenderer()
    for round in 1...2 {
      for example in PageExample.all {
        for name in ["ada", "grace", "annabella"] {
          let stamped = try Self.documents(example, by: keeping, for: name, isUntouched: true)
          let alone = try Self.documents(example, by: keeping, for: name, isUntouched: false)
          #expect(stamped == alone, "\(example) for \(name), round \(round)")
        }
      }
    }
  }

  @Test("the first page of each flow is kept as HTML and JSON, and carries its visitor's token")
  func firstPages() throws {
    let pages: [any Page] = [
      SignInPage(instance: .unknown, identifier: nil, hasAttempt: false),
      ForgotPasswordPage(instance: .unknown, identifier: nil),
      SignUpPage(
        form: InstanceDescription.unknown.signUp,
        rules: InstanceDescription.unknown.passwordRules,
        values: [:],
        acceptsTerms: false
      ),
      SignUpClosedPage(.waitlist, error: nil),
    ]
    for page in pages {
      let renderer = try PageRenderer()
      let example = PageExample("first", page)
      for name in ["ada", "grace"] {
        let documents = try Self.documents(example, by: renderer, for: name, isUntouched: true)
        #expect(renderer.stills.count == 2, "\(page.name)")
        for document in documents {
          #expect(document.contains("ada") == (name == "ada"), "\(page.name)")
          #expect(document.contains("grace") == (name == "grace"), "\(page.name)")
        }
      }
    }
  }

  @Test("a page that shows the time is not kept; its twin is, with each visitor's reference")
  func told() throws {
    let renderer = try PageRenderer()
    let account = try #require(PageExample.all.first { $0.name.hasPrefix("account") })
    let documents = try Self.documents(account, by: renderer, for: "ada", isUntouched: true)
    #expect(documents[0].contains("<time"))
    var frame = Self.frame(of: account, for: "ada", isUntouched: true)
    frame.refusal = .formTokenInvalid
    let page = SignInPage(instance: .unknown, identifier: nil, hasAttempt: false)
    _ = try renderer.html(page, in: frame)
    #expect(renderer.stills.count == 0)
    for name in ["ada", "grace"] {
      var frame = Self.frame(of: account, for: name, isUntouched: true)
      frame.refusal = .formTokenInvalid
      let twin = String(decoding: renderer.json(page, in: frame), as: UTF8.self)
      #expect(twin.contains("reference-of-\(name)"))
      #expect(renderer.stills.count == 1)
    }
  }

  @Test("a form without a cookie and a form that is out of date have different stills")
  func cookies() throws {
    let renderer = try PageRenderer()
    let page = SignInPage(instance: .unknown, identifier: nil, hasAttempt: false)
    func html(lacksCookie: Bool) throws -> String {
      var frame = Fixture.frame(refusal: .formTokenInvalid)
      frame.lacksCookie = lacksCookie
      return String(decoding: try renderer.html(page, in: frame), as: UTF8.self)
    }
    for _ in 0..<2 {
      #expect(try html(lacksCookie: true).contains("Your browser did not send a cookie"))
      #expect(try html(lacksCookie: false).contains("The form was out of date"))
    }
  }

  @Test("another setting, world, application or support address makes another still")
  func settings() throws {
    let renderer = try PageRenderer()
    func html(_ change: (inout InstanceDescription, inout PageFrame) -> Void = { _, _ in }) throws
      -> String
    {
      var instance = InstanceDescription.unknown
      var frame = PageFrame(isUntouched: true, reference: "r", now: Fixture.now) { _ in "token" }
      change(&instance, &frame)
      let page = SignInPage(instance: instance, identifier: nil, hasAttempt: false)
      return String(decoding: try renderer.html(page, in: frame), as: UTF8.self)
    }
    let changes: [(inout InstanceDescription, inout PageFrame) -> Void] = [
      { instance, _ in instance.signInForm = .identifierFirst },
      { instance, _ in instance.signInIdentifiers = [.phoneNumber] },
      { instance, _ in instance.offersPasswordReset = false },
      { instance, _ in instance.signUp.mode = .closed(.restricted) },
      { _, frame in frame.applicationName = "Elsewhere" },
      { _, frame in frame.supportAddress = "help@example.com" },
      { _, frame in frame.emulation = .init(api: "Clerk", world: "one") },
      { _, frame in frame.emulation = .init(api: "Clerk", world: "two") },
      { _, frame in frame.emulation = .init(api: "Entra", world: "two") },
    ]
    let plain = try html()
    let changed = try changes.map { try html($0) }
    #expect(Set(changed + [plain]).count == changes.count + 1)
    #expect(try html() == plain)
    #expect(try changes.map { try html($0) } == changed)
  }

  @Test("a page with news of its world is rendered anew, and replaces the one before")
  func news() throws {
    let renderer = try PageRenderer()
    let page = SignInPage(instance: .unknown, identifier: nil, hasAttempt: false)
    for world in ["one", "two"] {
      let documents = try (1...50).map { count in
        let emulation = PageFrame.Emulation(
          api: "Clerk",
          world: world,
          inboxPath: "/backstage/inbox",
          news: .init(messageCount: count)
        )
        let frame = PageFrame(
          emulation: emulation,
          isUntouched: true,
          reference: "r",
          now: Fixture.now
        ) { _ in "token" }
        return try renderer.html(page, in: frame)
      }
      #expect(Set(documents).count == 50)
    }
    #expect(renderer.stills.count == 2)
  }

  @Test("while templates are read again, a changed one shows at once")
  func reloading() throws {
    let copy = try TemplateCopy()
    let renderer = try PageRenderer(templates: copy.path, watch: copy.watch)
    let example = PageExample("first", SignOutPage(identifier: "ada"))
    _ = try Self.documents(example, by: renderer, for: "ada", isUntouched: true)
    try copy.write("<h1>New</h1>", to: "sign-out.mustache")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)],
      ofItemAtPath: "\(copy.path)/sign-out.mustache"
    )
    let html = try Self.documents(example, by: renderer, for: "ada", isUntouched: true)[0]
    #expect(html.hasPrefix("<h1>New</h1>"))
  }

  @Test("stills are bounded in bytes: the one unused for longest is dropped")
  func bounded() throws {
    let store = StillStore(limitBytes: 20_000)
    let page = SignOutPage(identifier: "")
    var renderings = 0
    func ask(world: Int) {
      let frame = PageFrame(
        emulation: .init(api: "Clerk", world: "world-\(world)"),
        isUntouched: true,
        reference: "r",
        now: Fixture.now
      ) { _ in "" }
      _ = store.still(of: page, in: frame, as: .html) {
        renderings += 1
        var still = Still(.html, capacity: 0)
        still.append([UInt8](repeating: 0x20, count: 1_000))
        return still
      }
    }
    for world in 0..<500 {
      ask(world: world)
      ask(world: 0)
      #expect(store.byteCount <= 20_000)
    }
    #expect(renderings == 500)
    #expect(store.count > 5)
    ask(world: 1)
    #expect(renderings == 501)
  }
}
