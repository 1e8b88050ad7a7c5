import Foundation
import Locking
import Testing

@testable import Vestibule

@Suite("A certificate that expires while it is shown")
struct CertificateWatchTests {
  /// Lets that many sleeps pass at once; a sleep after them is cancelled.
  private final class PassingClock: Clock {
    typealias Duration = Swift.Duration
    typealias Instant = ContinuousClock.Instant

    let minimumResolution = Duration.zero
    private let begin = ContinuousClock.now
    private let passed = Locked(Duration.zero)
    private let left: Locked<Int>

    init(sleepCount: Int) { left = Locked(sleepCount) }

    var passedTime: Duration { passed.withLock(\.self) }

    var now: Instant { begin + passedTime }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      let isOver = left.withLock { left in
        left -= 1
        return left < 0
      }
      if isOver { throw CancellationError() }
      passed.withLock { $0 = deadline - begin }
    }
  }

  /// What is reported on that many days, the first of which is the 1st of January 2026.
  private static func complaints(days: Int, shown: String?) async -> [String] {
    let clock = PassingClock(sleepCount: days)
    let told = Locked<[String]>([])
    let watch = CertificateWatch(
      shown: { shown },
      // At noon.
      machineNow: {
        Date(timeIntervalSince1970: 1_767_268_800 + clock.passedTime / .seconds(1))
      },
      report: { complaint in told.withLock { $0.append(complaint) } }
    )
    await watch.run(by: clock)
    return told.withLock(\.self)
  }

  @Test("is reported once a day, from a week before until it is replaced")
  func daily() async {
    let told = await Self.complaints(days: 12, shown: certificate)
    let soon = "the TLS certificate expires soon: it is valid until 2026-01-11T00:00:00Z"
    let over = "the TLS certificate has expired: it was valid until 2026-01-11T00:00:00Z"
    // On the 4th to the 10th, and on the 11th to the 13th; on the 2nd and the 3rd there was nothing
    // to report.
    #expect(told == Array(repeating: soon, count: 7) + Array(repeating: over, count: 3))
  }

  @Test("is not reported if there is none, and not looked at after a stop")
  func nothing() async {
    #expect(await Self.complaints(days: 12, shown: nil) == [])
    #expect(await Self.complaints(days: 0, shown: certificate) == [])
  }

  @Test("is reported before it begins")
  func early() throws {
    let validity = try #require(CertificateValidity(pem: certificate))
    let begin = Date(timeIntervalSince1970: 1_767_225_600)
    #expect(
      validity.complaint(at: begin.addingTimeInterval(-1))
        == "the TLS certificate is not valid before 2026-01-01T00:00:00Z"
    )
    #expect(validity.complaint(at: begin) == nil)
  }
}

// Valid for ten days from the 1st of January 2026, and of no value anywhere.
private let certificate = """
  -----BEGIN CERTIFICATE-----
  MIIBFDCBu6ADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
  dDAeFw0yNjAxMDEwMDAwMDBaFw0yNjAxMTEwMDAwMDBaMBQxEjAQBgNVBAMMCWxv
  Y2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABBEdgmIZOXVpYXUXf7M3
  NKlDv4FN5bbkuVEWf2bQtbXYx6qAXvuq1ir/UqVwdHzLXNPfDRUoiWlKNzhWyall
  x04wCgYIKoZIzj0EAwIDSAAwRQIhAJ34s5QDZjesDk/OgFLs1Ub777+HIIE3Nat8
  foxtS03lAiBK0EImAVa4Rm/hw+qlus5vv+soUCSJoOuvePLmdP+iLw==
  -----END CERTIFICATE-----
  """
