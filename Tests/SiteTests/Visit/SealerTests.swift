@_spi(Provider) import AuthFlow
import Crypto
import Foundation
import Synchronization
import Testing

@testable import Site

@Suite("Seals (S12)")
struct SealerTests {
  private static func sealer(sealsPerKey: Int = 1 << 16) throws -> Sealer {
    let ring = try #require(KeyRing([SymmetricKey(data: Data(repeating: 7, count: 32))]))
    let count = Atomic<UInt8>(0)
    return Sealer(
      ring: ring,
      cookieName: "visit",
      random: { length in
        [UInt8](repeating: count.add(1, ordering: .relaxed).newValue, count: length)
      },
      sealsPerKey: sealsPerKey
    )
  }

  @Test("a derived key is replaced after its number of seals, and what it sealed still opens")
  func keyIsReplaced() throws {
    let sealer = try Self.sealer(sealsPerKey: 2)
    let sealed = try (0..<5).map { number in try #require(sealer.seal([UInt8(number)])) }
    #expect(sealed.map { $0[1] } == [1, 1, 2, 2, 3])
    #expect(sealed.compactMap { sealer.open($0) }.map { Array($0) } == [[0], [1], [2], [3], [4]])
  }

  @Test(
    "the same bytes are never sealed alike or with the same nonce, by one key or by several",
    arguments: [(1 << 16, 1), (3, 7)]
  )
  func nonces(sealsPerKey: Int, keyCount: Int) throws {
    let sealer = try Self.sealer(sealsPerKey: sealsPerKey)
    let sealed = try (0..<20).map { _ in try #require(sealer.seal([1, 2, 3])) }
    // After the version comes the salt of the key, then the nonce, then what is sealed.
    #expect(Set(sealed.map { Array($0[1..<17]) }).count == keyCount)
    #expect(Set(sealed.map { Array($0[17..<29]) }).count == 20)
    #expect(Set(sealed.map { Array($0[29...]) }).count == 20)
  }

  @Test("a seal with another seal's salt opens nothing, even once both keys are known")
  func foreignSalt() throws {
    let sealer = try Self.sealer(sealsPerKey: 1)
    var first = try #require(sealer.seal([1]))
    let second = try #require(sealer.seal([2]))
    #expect(sealer.open(first) != nil && sealer.open(second) != nil)
    first.replaceSubrange(1..<17, with: second[1..<17])
    #expect(sealer.open(first) == nil)
  }
}

@Suite("The bytes of a visit")
struct VisitEncodingTests {
  private static let now = Date(timeIntervalSince1970: 1_763_800_000.125)

  private static func bare() throws -> Visit {
    var visit = Visit(
      id: "AAECAwQFBgcICQoLDA0ODw",
      world: "team-a",
      machineNow: now,
      worldNow: now.addingTimeInterval(-3_600)
    )
    visit.revision = 0xDEAD_BEEF
    return visit
  }

  @Test("a visit in which nothing has happened is short, and comes back as it was")
  func short() throws {
    let visit = try Self.bare()
    let bytes = try #require(VisitEncoding.bytes(of: visit))
    #expect(bytes.count <= 50)
    #expect(VisitEncoding.visit(from: bytes) == visit)
  }

  @Test("a fresh visit has the same bytes as any other visit in which nothing has happened")
  func fresh() throws {
    var bare = try Self.bare()
    bare.revision = 0
    let fresh = FreshVisit(
      idBytes: Array(0..<16),
      world: bare.world,
      machineNow: Self.now,
      worldNow: Self.now.addingTimeInterval(-3_600)
    )
    #expect(fresh.id == bare.id)
    let bytes = VisitEncoding.bytes(of: fresh)
    #expect(bytes == VisitEncoding.bytes(of: bare))
    #expect(VisitEncoding.visit(from: bytes) == bare)
  }

  @Test("a visit stays short until a step is taken, whatever was typed or is remembered")
  func stillShort() throws {
    var visit = try Self.bare()
    let changes: [(inout Visit) -> Void] = [
      { $0.identifier = "" }, { $0.identifier = "ädä@example.com" }, { $0.returnAddress = "/next" },
      { $0.memory["client_token"] = "eyJ.x.y" }, { $0.memory["last_strategy"] = "" },
    ]
    for change in changes {
      change(&visit)
      let bytes = try #require(VisitEncoding.bytes(of: visit))
      #expect(bytes.first == 1)
      #expect(bytes.count < 140)
      #expect(VisitEncoding.visit(from: bytes) == visit)
    }
  }

  @Test("each start form that was sent adds four bytes, and only the last eight are kept")
  func sentForms() throws {
    var visit = try Self.bare()
    visit.identifier = "ada@example.com"
    let bare = try #require(VisitEncoding.bytes(of: visit))
    for number in UInt32(1)...20 {
      visit.noteForm(number)
      visit.noteForm(number)
      let bytes = try #require(VisitEncoding.bytes(of: visit))
      #expect(bytes.first == 5)
      #expect(bytes.count == bare.count + 1 + 4 * min(Int(number), 8))
      #expect(VisitEncoding.visit(from: bytes) == visit)
    }
    #expect(visit.sentForms == [20, 19, 18, 17, 16, 15, 14, 13])
    visit.flash = Flash(path: "/sign-in")
    let bytes = try #require(VisitEncoding.bytes(of: visit))
    #expect(bytes.first == 4)
    #expect(VisitEncoding.visit(from: bytes) == visit)
    visit.renewID("EBESExQVFhcYGRobHB0eHw")
    #expect(visit.sentForms.isEmpty)
  }

  @Test(
    "a visit without start forms has the layout from before they were kept (S33)"
  )
  func withoutSentForms() throws {
    var visit = try Self.bare()
    #expect(VisitEncoding.bytes(of: visit)?.first == 1)
    visit.flash = Flash(path: "/sign-in", notices: [.signedOut])
    let bytes = try #require(VisitEncoding.bytes(of: visit))
    #expect(bytes.first == 4 && !String(decoding: bytes, as: UTF8.self).contains("sentForms"))
    #expect(VisitEncoding.visit(from: bytes) == visit)
  }

  @Test("bytes that are cut short are not a visit, and changed bytes do no harm")
  func damaged() throws {
    var short = try Self.bare()
    short.identifier = "ada@example.com"
    short.memory["client_token"] = "token"
    var signedIn = short
    signedIn.renewID("EBESExQVFhcYGRobHB0eHw")
    signedIn.enter(Self.session)
    var refused = short
    refused.noteForm(0xDEAD_BEEF)
    refused.noteForm(7)
    for visit in [short, signedIn, refused] {
      let bytes = try #require(VisitEncoding.bytes(of: visit))
      for length in 0..<bytes.count {
        #expect(VisitEncoding.visit(from: bytes.prefix(length)) == nil)
      }
      #expect(VisitEncoding.visit(from: bytes + [0]) == nil)
      for place in bytes.indices {
        for value in [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8] {
          var changed = bytes
          changed[place] = value
          _ = VisitEncoding.visit(from: changed)
        }
      }
    }
  }

  private static let session = Session(
    id: "sess_1",
    user: Session.User(id: "user_1", identifier: "ädä@example.com", firstName: "Ada"),
    expiresAt: now.addingTimeInterval(60)
  )

  @Test("a session comes back as it was, as JSON if it holds more than every page reads")
  func session() throws {
    let changes: [(layout: UInt8, change: (inout Session) -> Void)] = [
      (3, { _ in }), (3, { $0.user.lastName = "" }), (3, { $0.hasBackupCodes = true }),
      (3, { $0.hasBackupCodes = false }),
      (3, { $0.organization = Session.Organization(id: "org_1", name: "Ö", slug: "o") }),
      (3, { $0.organization?.slug = nil }),
      (4, { $0.tasks = [.chooseOrganization, .unknown("x")] }),
    ]
    var session = Self.session
    for (layout, change) in changes {
      change(&session)
      var visit = try Self.bare()
      visit.renewID("EBESExQVFhcYGRobHB0eHw")
      _ = visit.nextAttemptNumber()
      visit.memory["client_token"] = "eyJ.x.y"
      visit.enter(session)
      for flash in [nil, Flash(path: "/account", notices: [.signInAgain])] {
        visit.flash = flash
        let bytes = try #require(VisitEncoding.bytes(of: visit))
        #expect(bytes.first == (flash == nil ? layout : 4))
        #expect(VisitEncoding.visit(from: bytes) == visit)
      }
    }
  }

  @Test("a signed-in visit is short only if nothing else is to be kept")
  func besideSession() throws {
    let changes: [(layout: UInt8, change: (inout Visit) -> Void)] = [
      (3, { _ in }), (4, { $0.typedDetails = [.firstName: "Ada"] }), (4, { $0.noteForm(7) }),
      (4, { $0.spendLink(of: Continuation("attempt")) }), (4, { $0.addressAfterSignOut = "/bye" }),
      (4, { _ = $0.lead(to: "/app", at: Self.now) }),
    ]
    for (layout, change) in changes {
      var visit = try Self.bare()
      visit.renewID("EBESExQVFhcYGRobHB0eHw")
      visit.enter(Self.session)
      change(&visit)
      let bytes = try #require(VisitEncoding.bytes(of: visit))
      #expect(bytes.first == layout)
      #expect(VisitEncoding.visit(from: bytes) == visit)
    }
  }

  @Test(
    "an id that is not sixteen bytes long comes back as it was, too",
    arguments: ["AAECAwQFBgcICQoLDA0O", "AAECAwQFBgcICQoLDA0ODxA", ""]
  )
  func otherIDs(id: String) throws {
    var visit = try Self.bare()
    visit.id = id
    let bytes = try #require(VisitEncoding.bytes(of: visit))
    #expect(bytes.first == 4)
    #expect(VisitEncoding.visit(from: bytes) == visit)
  }

  @Test("a provider's memory of up to 255 entries is kept, and a visit with more has no bytes")
  func manyEntries() throws {
    var visit = try Self.bare()
    for number in 1...255 { visit.memory["entry \(number)"] = "\(number)" }
    let bytes = try #require(VisitEncoding.bytes(of: visit))
    #expect(VisitEncoding.visit(from: bytes) == visit)
    visit.memory["entry 256"] = "256"
    #expect(VisitEncoding.bytes(of: visit) == nil)
  }

  @Test("a visit with an invalid time is refused", arguments: [Double.nan, .infinity, -.infinity])
  func noTime(_ seconds: Double) throws {
    var bytes = try #require(VisitEncoding.bytes(of: try Self.bare()))
    // After the layout and the identifier comes the time of sealing.
    let time = withUnsafeBytes(of: seconds.bitPattern.bigEndian, Array.init)
    bytes.replaceSubrange(17..<25, with: time)
    #expect(VisitEncoding.visit(from: bytes) == nil)
  }

  @Test("everything else in a visit is kept, too")
  func everythingElse() throws {
    var visit = try Self.bare()
    let changes: [(inout Visit) -> Void] = [
      { $0.identifier = "ada@example.com" }, { $0.returnAddress = "/next" },
      { $0.earlierIDs = ["x"] }, { $0.flash = Flash(path: "/sign-in") },
      { $0.addressAfterSignOut = "/bye" }, { _ = $0.lead(to: "/app", at: Self.now) },
      { $0.id = "not sixteen bytes" }, { _ = $0.nextAttemptNumber() },
      { $0.standing = .locked(Lock(problem: Problem(.locked(until: nil), code: "user_locked"))) },
    ]
    for change in changes {
      change(&visit)
      let bytes = try #require(VisitEncoding.bytes(of: visit))
      #expect(VisitEncoding.visit(from: bytes) == visit)
    }
  }

  @Test("a notice from before references were kept can still be read (S33)")
  func withoutReference() throws {
    let flash = #"{"path":"/sign-in","notices":["signed_out"]}"#
    #expect(
      try JSONDecoder().decode(Flash.self, from: Data(flash.utf8))
        == Flash(path: "/sign-in", notices: [.signedOut])
    )
  }

  @Test("bytes that no visit is sealed as are refused")
  func nonsense() throws {
    let bytes = try #require(VisitEncoding.bytes(of: Self.bare()))
    for length in 0..<38 { #expect(VisitEncoding.visit(from: bytes.prefix(length)) == nil) }
    #expect(VisitEncoding.visit(from: [9] + bytes.dropFirst()) == nil)
    #expect(VisitEncoding.visit(from: bytes + [0xFF]) == nil)
  }
}
