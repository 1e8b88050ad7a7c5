import Foundation
import Glibc
import Logging
import Testing
import TestSupport

@testable import VestibuleCommand

@Suite("Lines for the journal of systemd")
struct JournalTests {
  @Test("are those on the stream that the variable names, and only those")
  func named() async throws {
    try await withTemporaryFolder { folder in
      let descriptors = ["a", "b"].map { open("\(folder)/\($0)", O_WRONLY | O_CREAT, 0o600) }
      defer { for descriptor in descriptors { close(descriptor) } }
      let file = try FileManager.default.attributesOfItem(atPath: "\(folder)/a")
      let device = try #require(file[.systemNumber] as? NSNumber)
      let name = "\(device):\(try #require(file[.systemFileNumber] as? NSNumber))"
      #expect(Journal.isNamed(descriptors[0], by: name))
      #expect(!Journal.isNamed(descriptors[1], by: name))
      for other in [nil, "", ":", "\(device)", "\(name):", "\(name)0", "x:1"] {
        #expect(!Journal.isNamed(descriptors[0], by: other), "\(other ?? "nil")")
      }
      #expect(!Journal.isNamed(-1, by: name))
    }
  }

  @Test(
    "begin with their priority, as text",
    arguments: zip(Logger.Level.allCases, ["<7>", "<7>", "<6>", "<5>", "<4>", "<3>", "<2>"])
  )
  func priorities(level: Logger.Level, prefix: String) {
    for (format, isForJournal, expected) in [
      (LineLogHandler.Format.text, true, prefix), (.text, false, ""), (.json, true, ""),
    ] {
      let handler = LineLogHandler(level: .trace, format: format, isForJournal: isForJournal)
      #expect(handler.prefix(level) == expected)
    }
  }
}
