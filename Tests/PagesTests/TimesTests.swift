import Foundation
import Testing

@testable import Pages

@Suite("Times in words")
struct TimesTests {
  private let times: Times

  init() throws { times = try Times(now: Fixture.now, timeZone: nil) }

  private func later(_ seconds: Double) -> Date { Fixture.now.addingTimeInterval(seconds) }

  @Test(
    "a wait is rounded up to whole minutes, or to seconds in the last minute (N2)",
    arguments: [
      (24.0, "at 14:23:24 UTC (in 24 seconds)"), (1, "at 14:23:01 UTC (in 1 second)"),
      (59, "at 14:23:59 UTC (in 59 seconds)"), (60, "at 14:24 UTC (in 1 minute)"),
      (61, "at 14:25 UTC (in 2 minutes)"), (720, "at 14:35 UTC (in 12 minutes)"),
      (3_600, "at 15:23 UTC (in 1 hour)"), (34_620, "at 00:00 UTC on 22 November (in 10 hours)"),
      (3_601, "at 15:24 UTC (in 1 hour)"), (5_400, "at 15:53 UTC (in 2 hours)"),
      (86_401, "at 14:24 UTC on 22 November (in 24 hours)"),
      // At the second that is shown, it is possible.
      (23.4, "at 14:23:24 UTC (in 24 seconds)"), (0.001, "at 14:23:01 UTC (in 1 second)"),
      (172_800, "at 14:23 UTC on 23 November (in 2 days)"),
      (4_492_800, "at 14:23 UTC on 12 January 2027 (in 52 days)"),
    ]
  )
  func waits(_ seconds: Double, _ words: String) {
    #expect(times.from(later(seconds)).text == words)
  }

  @Test("what lasts and what is past have words of their own")
  func lastingAndPast() {
    #expect(times.lasting(later(600)).text == "until 14:33 UTC (10 minutes left)")
    #expect(times.end(later(659)).text == "at 14:33 UTC (in 11 minutes)")
    #expect(times.past(later(-90)).text == "at 14:21 UTC (2 minutes ago)")
  }

  @Test(
    "a known time zone is used and not named, summer time and all (N2)",
    arguments: [
      ("Europe/London", 0.0, "at 14:24 (in 1 minute)"),
      ("Asia/Kolkata", 0, "at 19:54 (in 1 minute)"),
      ("Pacific/Auckland", 0, "at 03:24 (in 1 minute)"),
      ("Europe/Berlin", 15_552_000, "at 16:24 (in 1 minute)"),
    ]
  )
  func zones(_ name: String, _ shift: Double, _ words: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    let now = later(shift)
    let times = try Times(now: now, timeZone: zone)
    #expect(times.from(now.addingTimeInterval(60)).text == words)
  }

  @Test("days are counted in the reader's time zone")
  func localDay() throws {
    let zone = try #require(TimeZone(identifier: "Pacific/Auckland"))
    // It is already the 22nd there: no date between 03:23 and 04:23.
    #expect(try Times(now: Fixture.now, timeZone: zone).shortly(later(3_600)) == "04:23")
    // At 23:23 on the 21st, 03:23 is tomorrow.
    let evening = try Times(now: later(-4 * 3_600), timeZone: zone)
    #expect(evening.from(Fixture.now).text == "at 03:23 on 22 November (in 4 hours)")
  }

  @Test("dates agree with Foundation's over four centuries, leap days included (RFC 3339)")
  func calendar() {
    var style = Date.ISO8601FormatStyle()
    style.timeZone = .gmt
    for day in stride(from: -141_427, to: 146_097, by: 29) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + Double(day & 0xFFFF))
      #expect(date.timestamp == date.formatted(style))
    }
    #expect(Date(timeIntervalSince1970: 951_782_399.9).timestamp == "2000-02-28T23:59:59Z")
    #expect(Date.distantFuture.timestamp == "4001-01-01T00:00:00Z")
    #expect(Date(timeIntervalSince1970: 1e300).timestamp == "9999-12-31T23:59:59Z")
    #expect(Date(timeIntervalSince1970: -1e300).timestamp == "0000-01-01T00:00:00Z")
  }

  @Test("the time that scripts count from is rounded down to the millisecond")
  func milliseconds() {
    let beginnings: [(second: Double, exactly: String)] = [
      (0, "1970-01-01T00:00:00.000Z"), (0.25, "1970-01-01T00:00:00.250Z"),
      (0.9999, "1970-01-01T00:00:00.999Z"), (-0.25, "1969-12-31T23:59:59.750Z"),
      (951_782_399.5, "2000-02-28T23:59:59.500Z"), (1.0625, "1970-01-01T00:00:01.062Z"),
    ]
    for (second, exactly) in beginnings {
      #expect(Date(timeIntervalSince1970: second).exactTimestamp == exactly)
    }
    #expect(Date.distantFuture.exactTimestamp == "4001-01-01T00:00:00.000Z")
    #expect(Date(timeIntervalSince1970: 1e300).exactTimestamp.hasSuffix(".000Z"))
  }
}
