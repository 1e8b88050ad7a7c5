import AuthFlow
import Foundation
import HTTPExchange
import Locking
import HTTPTypes
import Logging
import Testing
import TestSupport

@testable import Site

@Suite("Limits of our own")
struct ThrottleTests {
  private static func wrong(_ count: Int) -> ScriptedProvider {
    ScriptedProvider(
      Array(
        repeating: .signIn(.refused(Example.error(.passwordIncorrect, at: .password), at: nil)),
        count: count
      )
    )
  }

  private static func post(
    _ visitor: Visitor,
    _ identifier: String,
    from address: String = "192.0.2.1",
    _ fields: HTTPFields = [:]
  ) async -> Visitor.Page {
    let values = ["identifier": identifier, "password": UUID().uuidString]
    var request = visitor.form("/sign-in", values, fields)
    request.peerAddress = address
    return await visitor.send(request)
  }

  @Test(
    "after five failures with one identifier, no form makes a call for a quarter of an hour (S21)"
  )
  func failures() async throws {
    let provider = Self.wrong(7)
    let test = try TestSite(provider, hasThrottle: true)
    let visitor = try test.visitor { _ in }
    for _ in 0..<5 { #expect(await Self.post(visitor, "ada@example.com").status == 422) }
    let page = await Self.post(visitor, " ADA@example.com")
    #expect(page.status == 429)
    #expect(page.errorCodes == ["too_many_requests"])
    #expect(page.header("Retry-After") == "900")
    #expect(page.value(of: "identifier") == " ADA@example.com")
    #expect(provider.calls.count == 5)
    #expect(test.turnedAway.withLock(\.self) == [.throttled])
    // Another browser at the same address is the same guesser; another identifier is not.
    let other = try test.visitor { _ in }
    #expect(await Self.post(other, "ada@example.com").status == 429)
    #expect(await Self.post(other, "ezra@example.com").status == 422)
    // Up to a quarter of an hour later, and not a second more (S34).
    test.uptime.move(by: .seconds(899))
    let last = await Self.post(visitor, "ada@example.com")
    #expect(last.status == 429 && last.header("Retry-After") == "1")
    test.uptime.move(by: .seconds(1))
    #expect(await Self.post(visitor, "ada@example.com").status == 422)
    #expect(provider.isDone)
  }

  @Test("if there are too many people, those that were not asked about for longest are forgotten")
  func room() throws {
    let uptime = Uptime()
    let throttle = Throttle { uptime.now }
    let address = try #require(IPAddress("192.0.2.1"))
    func fail(_ identifier: String) {
      guard throttle.wait(for: address, identifier: identifier) == nil else { return }
      throttle.settle(of: address, identifier: identifier, isFailure: true)
    }
    func networks(_ number: Int) -> IPAddress? {
      IPAddress("10.\(number >> 16).\(number >> 8 & 255).\(number & 255)")
    }
    for _ in 0..<5 { fail("first@example.com") }
    for number in 0..<21_000 {
      uptime.move(by: .milliseconds(1))
      guard let network = networks(number) else { continue }
      throttle.settle(of: network, identifier: "other@example.com", isFailure: true)
    }
    for _ in 0..<5 { fail("last@example.com") }
    #expect(throttle.wait(for: address, identifier: "first@example.com") == nil)
    #expect(throttle.wait(for: address, identifier: "last@example.com") != nil)
  }

  /// A failure of the person with that number, in a network of their own.
  private static func fail(_ number: Int, _ throttle: Throttle) throws {
    let network = try network(number)
    throttle.settle(of: network, identifier: "ada@example.com", isFailure: true)
  }

  private static func network(_ number: Int) throws -> IPAddress {
    try #require(IPAddress("10.\(number >> 16).\(number >> 8 & 255).\(number & 255)"))
  }

  private static func waits(_ number: Int, _ throttle: Throttle) throws -> Bool {
    throttle.wait(for: try network(number), identifier: "ada@example.com") != nil
  }

  @Test("another failure of somebody who is known forgets nobody, however many there are")
  func roomForKnown() throws {
    let uptime = Uptime()
    let throttle = Throttle { uptime.now }
    for _ in 0..<5 { try Self.fail(0, throttle) }
    uptime.move(by: .milliseconds(1))
    for number in 1..<20_000 { try Self.fail(number, throttle) }
    try Self.fail(7, throttle)
    #expect(try Self.waits(0, throttle))
    try Self.fail(20_000, throttle)
    #expect(try !Self.waits(0, throttle))
  }

  @Test("failures that count no more make room, so that nobody whose failures count is forgotten")
  func roomOfOlder() throws {
    let uptime = Uptime()
    let throttle = Throttle { uptime.now }
    for number in 1..<20_000 { try Self.fail(number, throttle) }
    uptime.move(by: .seconds(899))
    for _ in 0..<5 { try Self.fail(0, throttle) }
    uptime.move(by: .seconds(1))
    try Self.fail(20_000, throttle)
    #expect(try Self.waits(0, throttle))
  }

  @Test("guesses at once are no more than guesses one after the other (S21)")
  func parallel() throws {
    let throttle = Throttle { .now }
    let address = try #require(IPAddress("192.0.2.1"))
    func wait() -> Duration? {
      throttle.wait(for: address, identifier: "ada@example.com")?.duration
    }
    for _ in 0..<5 { #expect(wait() == nil) }
    #expect(wait() == .seconds(1), "what comes of the five is not known yet")
    #expect(throttle.wait(for: address, identifier: "ezra@example.com") == nil)
    // One of them was right, which keeps nobody waiting.
    throttle.settle(of: address, identifier: "ada@example.com", isFailure: false)
    #expect(wait() == nil)
    for _ in 0..<5 {
      throttle.settle(of: address, identifier: "ada@example.com", isFailure: true)
    }
    #expect(try #require(wait()) > .seconds(800))
    throttle.forgetFailures(of: address, identifier: "ada@example.com")
    for _ in 0..<5 { #expect(wait() == nil) }
  }

  @Test("an emulated world counts for itself, and its clock shortens its waits, but only forward")
  func emulatedWorlds() async throws {
    let test = try TestSite(Self.wrong(9), hasThrottle: true)
    test.life.withLock { $0.skipped = .seconds(60) }
    let visitor = try test.visitor { _ in }
    for _ in 0..<5 { #expect(await Self.post(visitor, "ada@example.com").status == 422) }
    test.life.withLock { $0.skipped += .seconds(600) }
    test.uptime.move(by: .seconds(299))
    let waiting = await Self.post(visitor, "ada@example.com")
    #expect(waiting.status == 429 && waiting.header("Retry-After") == "1")
    // In another world, and after a reset, nothing has happened yet.
    test.life.withLock { $0 = WorldLife(number: 2, skipped: .zero) }
    #expect(await Self.post(visitor, "ada@example.com").status == 422)
    test.life.withLock { $0 = WorldLife(number: 1, skipped: .zero) }
    test.uptime.move(by: .seconds(600))
    let unmoved = await Self.post(visitor, "ada@example.com")
    #expect(unmoved.status == 429 && unmoved.header("Retry-After") == "1")
    test.life.withLock { $0.skipped = .seconds(661) }
    #expect(await Self.post(visitor, "ada@example.com").status == 422)
  }

  @Test("in front of a real API, neither a world's name nor a date gets around a limit (S21, S34)")
  func realAPI() async throws {
    let world = try #require(HTTPField.Name("X-Vestibule-World"))
    let test = try TestSite(Self.wrong(5), hasThrottle: true, hasWorlds: false)
    func post(_ name: String) async throws -> Visitor.Page {
      await Self.post(try test.visitor { _ in }, "ada@example.com", [world: name])
    }
    for number in 0..<5 { #expect(try await post("world-\(number)").status == 422) }
    #expect(try await post("another").status == 429)
    test.clock.advance(3600)
    let later = try await post("one-more")
    #expect(later.status == 429 && later.header("Retry-After") == "900")
  }

  @Test("however many worlds there are, those that were not asked about for longest are forgotten")
  func roomForWorlds() throws {
    let uptime = Uptime()
    let throttle = Throttle { uptime.now }
    let address = try #require(IPAddress("192.0.2.1"))
    func fail(_ life: WorldLife) {
      throttle.settle(of: address, identifier: "ada@example.com", isFailure: true, in: life)
    }
    func waits(_ life: WorldLife) -> Bool {
      throttle.wait(for: address, identifier: "ada@example.com", in: life) != nil
    }
    let (first, kept) = (
      WorldLife(number: -1, skipped: .zero), WorldLife(number: -2, skipped: .zero)
    )
    for _ in 0..<5 { fail(first) }
    uptime.move(by: .milliseconds(1))
    for number in 0..<15_000 { fail(WorldLife(number: number, skipped: .zero)) }
    uptime.move(by: .milliseconds(1))
    for _ in 0..<5 { fail(kept) }
    // A clock that is far ahead makes no failure of another world older than it is.
    for number in 15_000..<20_000 { fail(WorldLife(number: number, skipped: .seconds(1_000_000))) }
    #expect(waits(kept))
    #expect(!waits(first))
  }

  @Test("however a number is spelt, its failures count together (S21)")
  func spellings() async throws {
    let provider = Self.wrong(6)
    let visitor = try TestSite(provider, hasThrottle: true).visitor { _ in }
    for spelling in [
      "+12015550142", "+1 2015550142", "+1-201-555-0142", "+1 (201) 555 0142", "+1.201.5550142",
    ] { #expect(await Self.post(visitor, spelling).status == 422) }
    #expect(await Self.post(visitor, "+1 201 555-0142").status == 429)
    #expect(provider.calls.count == 5)
  }

  @Test(
    "failures of a password reset and of a sign-up count by what is typed there (S21)",
    arguments: ["/forgot-password", "/sign-up"]
  )
  func otherStarts(path: String) async throws {
    let error = Example.error(.identifierNotFound)
    let wrong: ScriptedProvider.Answer =
      path == "/sign-up" ? .signUp(.refused(error, at: nil)) : .reset(.refused(error, at: nil))
    let provider = ScriptedProvider(Array(repeating: wrong, count: 6))
    let visitor = try TestSite(provider, hasThrottle: true).visitor { _ in }
    func post(_ name: String) async -> Int {
      let values =
        path == "/sign-up"
        ? ["email_address": name, "password": "walk-right-in-42"] : ["identifier": name]
      return await visitor.post(path, values).status
    }
    for _ in 0..<5 { #expect(await post("ada@example.com") == 422) }
    #expect(await post("Ada@example.com ") == 429)
    #expect(await post("ezra@example.com") == 422)
    #expect(provider.isDone)
  }

  @Test("a signed-in person's form that names somebody else forgets no failures (S21)")
  func signedIn() async throws {
    let provider = Self.wrong(6)
    let test = try TestSite(provider, hasThrottle: true)
    let visitor = try test.visitor { _ in }
    let insider = try test.visitor { $0.enter(Example.session()) }
    for _ in 0..<4 { #expect(await Self.post(visitor, "victim@example.com").status == 422) }
    #expect(await Self.post(insider, "victim@example.com").status == 303)
    #expect(await Self.post(visitor, "victim@example.com").status == 422)
    #expect(await Self.post(visitor, "victim@example.com").status == 429)
    #expect(provider.calls.count == 5)
  }

  @Test("taking over a session forgets no failures of the person who was typed (S21)")
  func takenOver() async throws {
    let wrong = ScriptedProvider.Answer.signIn(
      .refused(Example.error(.codeIncorrect, at: .code), at: nil)
    )
    let taken: [ScriptedProvider.Answer] = [
      .signIn(.refused(Example.error(.alreadySignedIn), at: nil)),
      .session(.moved(to: Example.session())),
    ]
    let test = try TestSite(
      ScriptedProvider(Array(repeating: wrong, count: 4) + taken + [wrong]),
      hasThrottle: true
    )
    func visitor() throws -> Visitor {
      try test.visitor { $0.signIn(at: .codeRequired(try Example.codePrompt())) }
    }
    let code = ["code": "000000"]
    for _ in 0..<4 { #expect(try await visitor().post("/sign-in/code", code).status == 422) }
    #expect(try await visitor().post("/sign-in/code", code).location == "/account")
    #expect(try await visitor().post("/sign-in/code", code).status == 422)
    #expect(try await visitor().post("/sign-in/code", code).status == 429)
  }

  @Test("a sign-in with the right password forgets the failures before it (S21)")
  func forgotten() async throws {
    let wrong = ScriptedProvider.Answer.signIn(
      .refused(Example.error(.passwordIncorrect, at: .password), at: nil)
    )
    let right = ScriptedProvider.Answer.signIn(.moved(to: .complete(Example.session())))
    let provider = ScriptedProvider(Array(repeating: wrong, count: 4) + [right, wrong, wrong])
    let test = try TestSite(provider, hasThrottle: true)
    let visitor = try test.visitor { _ in }
    for _ in 0..<4 { #expect(await Self.post(visitor, "ada@example.com").status == 422) }
    #expect(await Self.post(visitor, "ada@example.com").status == 303)
    let other = try test.visitor { _ in }
    for _ in 0..<2 { #expect(await Self.post(other, "ada@example.com").status == 422) }
  }

  @Test("the thirty-first form from an address within a minute makes no call (S21)")
  func forms() async throws {
    let provider = Self.wrong(32)
    let test = try TestSite(provider, hasThrottle: true)
    let visitor = try test.visitor { _ in }
    for number in 0..<30 {
      #expect(await Self.post(visitor, "person-\(number)@example.com").status == 422)
    }
    #expect(await Self.post(visitor, "person-31@example.com").status == 429)
    #expect(await Self.post(visitor, "a@example.com", from: "192.0.2.2").status == 422)
    test.uptime.move(by: .seconds(61))
    #expect(await Self.post(visitor, "person-31@example.com").status == 422)
    #expect(provider.calls.count == 32)
  }

  @Test("an address is believed only if a trusted proxy says it (S7)")
  func proxies() async throws {
    let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
    let proxy = try #require(IPAddress("10.0.0.1"))
    let test = try TestSite(Self.wrong(20), hasThrottle: true, trustedProxies: [proxy])
    let visitor = try test.visitor { _ in }
    for number in 0..<5 {
      let page = await Self.post(
        visitor,
        "ada@example.com",
        from: "192.0.2.1",
        [forwarded: "203.0.113.\(number)"]
      )
      #expect(page.status == 422)
    }
    // Not a proxy: what it says about itself changes nothing.
    let forged = await Self.post(
      visitor,
      "ada@example.com",
      from: "192.0.2.1",
      [forwarded: "203.0.113.9"]
    )
    #expect(forged.status == 429)
    // A proxy: its own word is the rightmost; what is left of it comes from the browser.
    for number in 0..<5 {
      let page = await Self.post(
        visitor,
        "ada@example.com",
        from: "10.0.0.1",
        [forwarded: "198.51.100.\(number), 203.0.113.7"]
      )
      #expect(page.status == 422)
    }
    let sixth = await Self.post(
      visitor,
      "ada@example.com",
      from: "10.0.0.1",
      [forwarded: "198.51.100.99, 203.0.113.7"]
    )
    #expect(sixth.status == 429)
    let neighbour = await Self.post(
      visitor,
      "ada@example.com",
      from: "10.0.0.1",
      [forwarded: "203.0.113.8"]
    )
    #expect(neighbour.status == 422)
  }

  @Test("the log says which limit it was, and about whom (S29)")
  func logged() async throws {
    let test = try TestSite(Self.wrong(30), hasThrottle: true)
    let visitor = try test.visitor { _ in }
    func person(in line: String?) -> Substring? {
      line?.split(separator: " ").first { $0.hasPrefix("person=") }
    }
    for _ in 0..<5 { _ = await Self.post(visitor, "ada@example.com") }
    let refused = try #require(person(in: test.log.lines.last))
    let other = try test.visitor { _ in }
    _ = await Self.post(other, "ada@example.com")
    #expect(test.log.lines.last?.contains("diagnosis=own-limit-identifier ") == true)
    #expect(test.log.levels["refused"] == .info)
    #expect(person(in: test.log.lines.last) == refused)
    for number in 0..<25 { _ = await Self.post(visitor, "person-\(number)@example.com") }
    _ = await Self.post(visitor, "ezra@example.com")
    #expect(test.log.lines.last?.contains("diagnosis=own-limit-address ") == true)
    #expect(person(in: test.log.lines.last) != nil)
    #expect(test.events.withLock(\.self) == Array(repeating: .refused(.person), count: 32))
  }

  @Test("a trusted proxy that does not say who asks is a warning, once (S7)")
  func silentProxy() async throws {
    let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
    let proxy = try #require(IPAddress("10.0.0.1"))
    let test = try TestSite(Self.wrong(4), hasThrottle: true, trustedProxies: [proxy])
    let visitor = try test.visitor { _ in }
    func warnings() -> Int { test.log.lines.count { $0.hasPrefix("a trusted proxy does not") } }
    _ = await Self.post(visitor, "ada@example.com", from: "10.0.0.1", [forwarded: "203.0.113.7"])
    _ = await Self.post(visitor, "ada@example.com", from: "192.0.2.1")
    #expect(warnings() == 0)
    _ = await Self.post(visitor, "ada@example.com", from: "10.0.0.1", [forwarded: "unknown"])
    #expect(warnings() == 1)
    _ = await Self.post(visitor, "ada@example.com", from: "10.0.0.1")
    #expect(warnings() == 1)
  }

  @Test("an untrusted address that says who asks is a warning once its limit refuses (S7)")
  func untrustedProxy() async throws {
    let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
    let test = try TestSite(Self.wrong(30), hasThrottle: true)
    let visitor = try test.visitor { _ in }
    func warnings() -> Int {
      test.log.lines.count { $0.hasPrefix("an address that is not a --trusted-proxy") }
    }
    func post(_ number: Int, _ fields: HTTPFields) async -> Int {
      await Self.post(visitor, "person-\(number)@example.com", from: "10.0.0.1", fields).status
    }
    for number in 0..<30 {
      #expect(await post(number, [forwarded: "203.0.113.\(number)"]) == 422)
    }
    #expect(await post(30, [:]) == 429)
    #expect(warnings() == 0)
    for number in 31..<34 {
      #expect(await post(number, [forwarded: "203.0.113.\(number)"]) == 429)
      #expect(warnings() == 1)
    }
    #expect(test.log.levels.contains { $0.key.contains("--trusted-proxy") && $0.value == .warning })
    // Nothing that it says is believed or logged.
    #expect(!test.log.lines.contains { $0.contains("203.0.113") })
  }

  @Test("a trusted proxy that says who asks is no warning when that person's limit refuses (S7)")
  func namedByProxy() async throws {
    let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
    let proxy = try #require(IPAddress("10.0.0.1"))
    let test = try TestSite(Self.wrong(30), hasThrottle: true, trustedProxies: [proxy])
    let visitor = try test.visitor { _ in }
    for number in 0...30 {
      let page = await Self.post(
        visitor,
        "person-\(number)@example.com",
        from: "10.0.0.1",
        [forwarded: "203.0.113.7"]
      )
      #expect(page.status == (number < 30 ? 422 : 429))
    }
    #expect(test.log.lines.last?.contains("diagnosis=own-limit-address ") == true)
    #expect(!test.log.lines.contains { $0.contains("trusted") })
  }

  @Test("without them, tests run freely")
  func off() async throws {
    let visitor = try TestSite(Self.wrong(40)).visitor { _ in }
    for _ in 0..<40 { #expect(await Self.post(visitor, "ada@example.com").status == 422) }
  }

  @Test("nobody is kept from signing out")
  func signOut() async throws {
    let test = try TestSite(hasThrottle: true)
    for _ in 0..<40 {
      let visitor = try test.visitor { $0.enter(Example.session()) }
      #expect(await visitor.post("/sign-out").location == "/sign-in")
    }
  }
}
