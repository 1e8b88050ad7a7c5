import Foundation
import Testing
import TestSupport
import Vestibule
import VestibuleTesting

@Suite("What the library says to those who test with it", .inTurn)
struct TestLibraryJourneys {
  /// A remote auth API that is not there.
  private static func remote() throws -> TestVestibule.Configuration {
    var configuration = TestVestibule.Configuration()
    configuration.service = .pages(
      at: .init(port: 8080),
      over: .remote(try .clerk(at: "http://127.0.0.1:1"))
    )
    return configuration
  }

  /// A wrong setting or account, and the key that its refusal names.
  struct Refused: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (inout TestVestibule.Configuration) -> Void

    init(
      _ key: String,
      _ change: @escaping @Sendable (inout TestVestibule.Configuration) -> Void
    ) {
      testDescription = key
      self.change = change
    }
  }

  @Test(
    "settings and accounts that a file may not have are refused in Swift too, by their key",
    arguments: [
      Refused("'password_min_length'") { $0.instance.passwordMinLength = 200 },
      Refused("'code_lifetime_seconds'") { $0.instance.codeLifetimeSeconds = -5 },
      Refused("'[0].email_addresses") {
        $0.users = [account { $0.emailAddresses = ["not an address"] }]
      },
      Refused("'[0].phone_numbers") { $0.users = [account { $0.phoneNumbers = ["hello"] }] },
      Refused("'[0].totp_secret'") { $0.users = [account { $0.totpSecret = "!!!" }] },
      Refused("'[0].password'") { $0.users = [account { $0.password = "" }] },
      Refused("'[1].username'") {
        $0.users = [account { $0.username = "una" }, account { $0.username = "una" }]
      },
    ]
  )
  func documents(refused: Refused) throws {
    var configuration = TestVestibule.Configuration()
    refused.change(&configuration)
    let failure = #expect(throws: StartFailure.self) { try TestVestibule(configuration) }
    #expect(failure?.kind == .configuration)
    let words = failure?.description ?? ""
    #expect(words.contains(refused.testDescription), "\(words)")
  }

  private static func account(
    _ describe: (inout AccountDescription) -> Void
  ) -> AccountDescription {
    var account = AccountDescription()
    describe(&account)
    return account
  }

  @Test("valid settings and accounts are those of the world, passwords included")
  func goodDocuments() async throws {
    var configuration = TestVestibule.Configuration()
    configuration.instance.passwordMinLength = 12
    configuration.users = [
      Self.account {
        $0.emailAddresses = ["Freya@Example.com"]
        $0.password = "walk-right-in-42"
        $0.locked = .init(seconds: 60)
      },
      Self.account {
        $0.emailAddresses = ["una@example.com"]
        $0.password = "walk-right-in-42"
      },
    ]
    let vestibule = try TestVestibule(configuration)
    let locked = try await vestibule.session(world: "a").signIn("freya@example.com")
    #expect(locked.page == "locked")
    let entered = try await vestibule.session(world: "a").signIn("una@example.com")
    #expect(entered.page == "account")
    let short = try await vestibule.session(world: "a").signUp("noor@example.com", "short-7x")
    #expect(short.errorCodes(at: "password") == ["form_password_length_too_short"])
  }

  @Test("a sign-in that leads to an app says to which one, and the session goes on")
  func app() async throws {
    var configuration = TestVestibule.Configuration()
    configuration.redirectOrigins = ["https://app.example.com"]
    let ada = try TestVestibule(configuration).session(world: "app")
    try await ada.open("/sign-in?redirect_url=https%3A%2F%2Fapp.example.com%2Fdone")
    let left = try await ada.submit(["identifier": "ada@example.com", "password": password])
    #expect(left.elsewhere == "https://app.example.com/done")
    let account = try await ada.open("http://localhost:8080/account")
    #expect(account.page == "account")
  }

  @Test("a story is played in a named world")
  func story() async throws {
    let story = try #require(Story.builtIn().first { $0.name == "mia" })
    try await TestVestibule().player(world: "mia").playThrough(story)
  }

  @Test("a demo user's lock begins with a story's clock, however far ahead that is")
  func lockOfLater() async throws {
    let text = """
      {"name": "later", "title": "Later", "summary": "A lock in another year.",
       "clock": "2030-01-01T00:00:00Z", "steps": [
         {"say": "In.", "open": "/sign-in"},
         {"say": "Locked.", "expect": {"page": "locked"},
          "submit": {"identifier": "lou@example.com", "password": "\(password)"}}]}
      """
    let story = try Story(document: Array(text.utf8))
    try await TestVestibule().player(world: "later").playThrough(story)
  }

  @Test("a message that nobody has sent is not waited for")
  func noMessage() async throws {
    let backstage = try TestVestibule().backstage(world: "empty")
    let words = await complaint { _ = try await backstage.latestCode(to: "adda@example.com") }
    #expect(words == "There is no message to adda@example.com: the inbox is empty.")
  }

  @Test("an authenticator's account may be named by its address")
  func authenticator() async throws {
    let backstage = try TestVestibule().backstage(world: "app")
    #expect(try await backstage.authenticatorCode(of: "mia@example.com").count == 6)
    let words = await complaint { _ = try await backstage.authenticatorCode(of: "ada@example.com") }
    #expect(words.contains("an authenticator app"))
  }

  @Test("a remote auth API that does not answer is logged, with the reason")
  func reason() async throws {
    let recorder = LogRecorder()
    let vestibule = try TestVestibule(
      try Self.remote(),
      logger: recorder.logger
    )
    let ada = vestibule.session(world: "own")
    try await ada.open("/sign-in")
    let page = try await ada.submit(["identifier": "ada@example.com", "password": password])
    #expect(page.status == 503)
    #expect(recorder.lines.contains { $0.contains("nothing listens at 127.0.0.1:1") })
  }

  @Test("a real API has no backstage, and an emulator alone has no pages")
  func missing() async throws {
    let remote = try TestVestibule(try Self.remote(), logger: silent)
    let backstage = await complaint { _ = try await remote.backstage(world: "own").messages() }
    #expect(backstage.hasPrefix("There is no backstage with "))
    var configuration = TestVestibule.Configuration()
    configuration.service = .emulatorOnly(.clerk, at: .init(port: 4010))
    let emulator = try TestVestibule(configuration)
    let pages = await complaint { try await emulator.session(world: "own").open("/sign-in") }
    #expect(pages == "There are no pages: this Vestibule serves only the emulator")
    #expect(emulator.host == "localhost:4010")
    #expect(try await emulator.backstage(world: "own").messages().isEmpty)
  }

  @Test("a walk over an unknown API is refused", arguments: ["Entra", "my-own-backend"])
  func unknownAPI(name: String) async {
    let words = await complaint { try await TestVestibule.walking(over: name) { _, _ in } }
    #expect(words == "There is no emulated API \"\(name)\", only clerk and entra")
  }

  @Test(
    "a server that does not answer, or whose address is invalid, is named with the variable",
    arguments: [
      ("http://127.0.0.1:1", "VESTIBULE_URL http://127.0.0.1:1 does not answer: nothing listens"),
      ("ftp://127.0.0.1", "VESTIBULE_URL is invalid: "),
      (
        "http://ada:secret@127.0.0.1:1/",
        "VESTIBULE_URL is invalid: the URL must not carry a user name or a password: http://127.0.0.1:1/"
      ),
    ]
  )
  func noServer(address: String, complaint words: String) async {
    await TestVestibule.$walkedServer.withValue(address) {
      let said = await complaint {
        try await TestVestibule.walking(over: .clerk) { browser, _ in
          try await browser.open("/sign-in")
        }
      }
      #expect(said.hasPrefix(words), "\(said)")
    }
  }

  @Test("a server that falls silent after its first answer throws the error of the transport")
  func silenceOnTheWay() async throws {
    let program = try Program(["serve", "--in-memory", "--port", "0"])
    defer { program.end() }
    let port = try #require(URL(string: try await program.addresses(1)[0])?.port)
    let server = try FaultyService(to: port)
    defer { server.stop() }
    await TestVestibule.$walkedServer.withValue("http://127.0.0.1:\(server.port)") {
      await #expect(throws: TransportError.self) {
        try await TestVestibule.walking(over: .clerk) { browser, _ in
          try await browser.open("/sign-in")
          try server.behave(.refusing)
          try await browser.open("/sign-in")
        }
      }
    }
  }
}
