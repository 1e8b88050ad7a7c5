@testable import Emulators
import Foundation
import Testing

@Suite("Points in time")
struct InstantTests {
  @Test("a whole millisecond stays the same as a date and back, despite binary fractions")
  func wholeMilliseconds() {
    let start: Int64 = 1_795_350_873_000
    for milliseconds in start..<start + 2_000 {
      let instant = EpochMilliseconds(rawValue: milliseconds)
      #expect(EpochMilliseconds(instant.date) == instant)
    }
  }

  @Test("a time between two milliseconds becomes the earlier one")
  func between() {
    #expect(
      EpochMilliseconds(Date(timeIntervalSince1970: 1_795_350_873.0539)).rawValue
        == 1_795_350_873_053
    )
  }
}
