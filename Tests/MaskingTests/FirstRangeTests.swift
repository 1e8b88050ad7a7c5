import Masking
import Testing

@Suite("Bytes within others")
struct FirstRangeTests {
  @Test(
    "are found where they first occur whole",
    arguments: [
      ("abcabc", "bc", 1..<3), ("abc", "abc", 0..<3), ("abc", "c", 2..<3), ("aaab", "aab", 1..<4),
      ("abac", "ac", 2..<4), ("ab", "abc", nil), ("abc", "d", nil), ("abab", "ac", nil),
      ("", "a", nil),
      ("abc", "", nil), ("", "", nil), ("x東京", "東", 1..<4),
    ] as [(String, String, Range<Int>?)]
  )
  func find(whole: String, part: String, range: Range<Int>?) {
    #expect(Array(whole.utf8)[...].firstRange(of: Array(part.utf8)) == range)
    // The places found are those of the slice.
    let behind = (Array("--".utf8) + Array(whole.utf8)).dropFirst(2)
    let place = range.map { $0.lowerBound + 2..<$0.upperBound + 2 }
    #expect(behind.firstRange(of: Array(part.utf8)) == place)
  }
}
