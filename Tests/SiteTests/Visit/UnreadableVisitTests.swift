import Crypto
import Foundation
import HTTPTypes
import Locking
import Logging
import Pages
import Testing
import TestSupport

@testable import Site

@Suite("A visit that cannot be read here")
struct UnreadableVisitTests {
  private static let otherKey = SymmetricKey(data: Data(repeating: 8, count: 32))

  /// A browser that comes from a replica with another key.
  private static func stranger(at test: TestSite) throws -> Visitor {
    let there = try TestSite(keys: [otherKey]).visitor { $0.enter(Example.session()) }
    let here = test.visitor()
    here.cookies = there.cookies
    return here
  }

  private static func lines(_ test: TestSite) -> [String] {
    test.log.lines.filter { $0.hasPrefix("visit unreadable ") }
  }

  @Test("is logged and counted once, since the browser then has another one")
  func told() async throws {
    let test = try TestSite()
    let visitor = try Self.stranger(at: test)
    #expect(await visitor.open("/account").location == "/sign-in")
    let line = try #require(Self.lines(test).first)
    let words = "visit unreadable count=1 reason=it was sealed with a key that is unknown here, or "
    #expect(line.hasPrefix(words))
    #expect(line.contains(" request="))
    #expect(test.log.levels["visit unreadable"] == .notice)
    #expect(await visitor.open("/sign-in").status == 200)
    #expect(Self.lines(test).count == 1)
    #expect(test.events.withLock(\.self) == [.unreadableVisit])
    #expect(test.turnedAway.withLock(\.self).isEmpty, "a browser without a visit gets the same")
  }

  @Test("does not keep a forged form from being counted as one")
  func posted() async throws {
    for (headers, refusal) in [
      ([:], .formTokenInvalid), ([.origin: "http://elsewhere.example"], .originRefused),
    ] as [(HTTPFields, SiteRefusal)] {
      let test = try TestSite()
      let visitor = try Self.stranger(at: test)
      #expect(await visitor.post("/sign-out", token: "x", headers).status == 403)
      #expect(test.events.withLock(\.self) == [.unreadableVisit])
      #expect(test.turnedAway.withLock(\.self) == [.refused(refusal)])
      #expect(test.log.lines.contains { $0.hasPrefix("turned away code=\(refusal.rawValue) ") })
    }
  }

  @Test("is logged with the reason, as far as it is known")
  func reasons() async throws {
    let test = try TestSite()
    let visitor = try test.visitor { _ in }
    let (name, value) = try #require(visitor.cookies.first)
    /// The visit's letters, with another one at that place.
    func spoilt(at place: Int) -> String {
      var letters = Array(value)
      letters[place] = letters[place] == "A" ? "C" : "A"
      return String(letters)
    }
    // The first letter has the version, the 31st a part of what the seal was made with.
    for (value, reason) in [
      ("AQIDBA", UnreadableVisit.damaged), ("!!!!", .damaged), (String(value.prefix(40)), .damaged),
      (spoilt(at: 0), .otherVersion), (spoilt(at: 30), .foreignKey),
    ] {
      visitor.cookies = [name: value]
      _ = await visitor.open("/sign-in")
      #expect(Self.lines(test).last?.contains("reason=\(reason.rawValue) ") == true, "\(value)")
    }
    #expect(Self.lines(test).count == 5)
  }

  @Test("does not fill the log, however often it is sent: what is left out is counted")
  func bounded() async throws {
    let test = try TestSite()
    let visitor = try test.visitor { _ in }
    let name = try #require(visitor.cookies.keys.first)
    func send(_ count: Int) async {
      for _ in 0..<count {
        visitor.cookies = [name: "AQIDBA"]
        _ = await visitor.open("/sign-in")
      }
    }
    await send(30)
    #expect(Self.lines(test).count == LineLimit.lineCount)
    test.uptime.move(by: LineLimit.period)
    await send(1)
    #expect(Self.lines(test).count == LineLimit.lineCount + 1)
    #expect(Self.lines(test).last?.contains(" count=21 ") == true)
    #expect(test.events.withLock(\.count) == 31)
  }

  @Test("keys have short marks, in order, that show not the keys but whether replicas agree")
  func marks() throws {
    let (first, second) = (TestSite.key, Self.otherKey)
    let marks = try #require(KeyRing([first, second])).marks
    #expect(marks.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{8}/) != nil })
    #expect(Set(marks).count == 2)
    #expect(try #require(KeyRing([second, first])).marks == marks.reversed())
    #expect(!marks.contains("07070707") && !marks.contains("08080808"))
  }
}
