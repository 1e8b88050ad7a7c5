import Emulators
import Locking
import Testing

@testable import Backstage

@Suite("How the pages show the errors of an API")
struct ErrorRehearsalTests {
  @Test("it is found out once, and again only if the pages' files have changed since")
  func changed() async {
    let version = Locked("1")
    let count = Locked(0)
    let rehearsal = ErrorRehearsal(over: { version.withLock { $0 } }) { occasions in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return occasions.map { _ in
        ErrorRehearsal.Shown(page: "sign-in", status: 422, field: nil, words: "\(number)")
      }
    }
    for (files, words) in [("1", "1"), ("1", "1"), ("2", "2"), ("2", "2")] {
      version.withLock { $0 = files }
      let told = Set(await rehearsal.all(behind: .clerk).map { $0.shown?.words })
      #expect(told == [words])
    }
  }
}
