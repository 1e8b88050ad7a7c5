@testable import Emulators
import Testing

@Suite("Random letters")
struct RandomSourceTests {
  @Test(
    "are as many as asked for, come only from the alphabet, and each about equally often",
    arguments: 1...64
  )
  func uniform(size: Int) {
    let alphabet = (0..<size).map { UInt8($0) + 40 }
    let text = RandomSource.seeded(7).pick(count: 200 * size, from: alphabet)
    let counts = Dictionary(text.utf8.map { ($0, 1) }, uniquingKeysWith: +)
    #expect(text.utf8.count == 200 * size)
    #expect(Set(counts.keys) == Set(alphabet))
    #expect(counts.values.allSatisfy { (120...280).contains($0) })
  }

  @Test("the source returns as many bytes as are asked for", arguments: [0, 1, 7, 8, 9, 32])
  func bytes(count: Int) {
    #expect(RandomSource.seeded(7).bytes(count: count).count == count)
  }
}
