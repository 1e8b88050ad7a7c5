@testable import Backstage
import Foundation
import Testing

@Suite("Points in time as backstage writes them")
struct TimestampTests {
  @Test(
    "a time that is read is written as it was, to the millisecond",
    arguments: [
      "1970-01-01T00:00:00Z", "2026-11-21T14:35:00Z", "2026-11-21T14:35:00.001Z",
      "2026-11-21T14:35:00.123Z", "2024-02-29T23:59:59.999Z", "2999-12-31T23:59:59.999Z",
      "9999-12-31T23:59:59Z",
    ]
  )
  func roundTrip(text: String) throws {
    let date = try #require(Timestamp.date(text))
    #expect(Timestamp.text(date) == text)
    #expect(Timestamp.inSeconds(date) == "\(text.prefix(19))Z")
  }

  @Test("a fraction is cut to milliseconds, and left out if it is less than one")
  func fractions() {
    #expect(Timestamp.text(Date(timeIntervalSince1970: 0.9996)) == "1970-01-01T00:00:00.999Z")
    #expect(Timestamp.text(Date(timeIntervalSince1970: 0.0004)) == "1970-01-01T00:00:00Z")
    #expect(Timestamp.text(Date(timeIntervalSince1970: -0.25)) == "1969-12-31T23:59:59.750Z")
  }
}
