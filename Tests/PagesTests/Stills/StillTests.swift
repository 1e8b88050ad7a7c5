import AuthFlow
import Foundation
import Testing

@testable import Pages

@Suite("A still: a page that is rendered once and stamped for each visitor")
struct StillTests {
  /// A visitor by name, each at a moment and in a time zone of their own.
  private static func frame(
    of example: PageExample,
    for name: String,
    isUntouched: Bool
  ) -> PageFrame {
    PageFrame(
      applicationName: example.frame.applicationName,
      emulation: example.frame.emulation,
      supportAddress: example.frame.supportAddress,
      isUntouched: isUntouched,
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

  @Test("every page that is asked for as a still is what is rendered for its visitor alone")
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

  @Test("the first page of each flow is kept, in both notations, and carries its visitor's token")
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

  @Test("a page that shows the time, or a refusal's reference, is nobody else's")
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

  @Test("with news of its world a page is another one, which takes the place of the one before")
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

  @Test("what is kept is bounded in bytes: the still unused for longest goes")
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
