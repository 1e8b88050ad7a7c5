import HTTPExchange
import Foundation
import Testing

@Suite("Retry-After (RFC 9110, section 10.2.3)")
struct RetryAfterTests {
  /// The examples of RFC 9110, section 5.6.7, are eight seconds after this.
  static let before = Date(timeIntervalSince1970: 784_111_769)

  static let table: [(value: String?, seconds: Double?)] = [
    (nil, nil), ("", nil), ("soon", nil), ("-5", nil), ("1.5", nil), ("7 s", nil),
    ("0", 0), ("7", 7), (" 7 ", 7), ("007", 7), ("86400", 86_400), ("86401", 86_401),
    ("Sun, 06 Nov 1994 08:49:37 GMT", 8),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 8),
    ("Sun Nov  6 08:49:37 1994", 8),
    ("Sun, 06 Nov 1994 08:49:29 GMT", 0), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Mon, 07 Nov 1994 00:00:00 GMT", 54_631),
    ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
    ("Sun, 06 Nov 1994 08:49 GMT", nil), ("Sun, 06 Nov 1994 08:49:37 CET", nil),
    ("Sun, 32 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 0x:49:37 GMT", nil),
    ("Sun, \u{664} Nov 1994 08:49:37 GMT", nil),
    ("Sun, 06 Nov 1994 08:59:00 GMT", 571), ("Sun, 06 Nov 1994 08:60:00 GMT", nil),
    // A leap second is the first of the next minute.
    ("Sun, 06 Nov 1994 08:49:60 GMT", 31), ("Sun, 06 Nov 1994 08:49:61 GMT", nil),
    ("Sunday, 06-Nov-994 08:49:37 GMT", nil), ("Sun, 06 Nov 994 08:49:37 GMT", nil),
    ("Sunday, 06-Nov-4 08:49:37 GMT", nil),
  ]

  @Test("seconds and dates of all three forms, never before now", arguments: table)
  func value(value: String?, seconds: Double?) {
    #expect(
      RetryAfter.date(value, now: Self.before) == seconds.map(Self.before.addingTimeInterval)
    )
  }

  @Test(
    "a time beyond the calendar is the distant future",
    arguments: [
      "99999999999999999999999999", String(repeating: "9", count: 400),
      "Sun, 06 Nov 9999 08:49:37 GMT",
    ]
  )
  func beyond(value: String) {
    #expect(RetryAfter.date(value, now: Self.before) == .distantFuture)
  }

  @Test(
    "days are counted over leap years",
    arguments: [
      ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
      ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
      ("Thu, 01 Jan 2026 00:00:00 GMT", 1_767_225_600),
      ("Sat, 31 Dec 2044 23:59:59 GMT", 2_366_841_599),
      ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
    ] as [(String, Double)]
  )
  func leapYears(value: String, seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(RetryAfter.date(value, now: date.addingTimeInterval(-60)) == date)
  }

  @Test("a year of two digits is never more than fifty years ahead")
  func twoDigits() {
    let before = Date(timeIntervalSince1970: 2_366_841_000)  // 2044
    #expect(
      RetryAfter.date("Saturday, 31-Dec-44 23:59:59 GMT", now: before)
        == Date(timeIntervalSince1970: 2_366_841_599)
    )
    #expect(RetryAfter.date("Saturday, 31-Dec-96 23:59:59 GMT", now: before) == before)
  }
}
