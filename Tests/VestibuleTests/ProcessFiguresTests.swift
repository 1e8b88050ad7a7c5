import Foundation
import Metrics
import Testing
import TestSupport

@testable import Vestibule

@Suite("The figures of the process")
struct ProcessFiguresTests {
  private static func text(of figures: ProcessFigures) -> String {
    var text = ExpositionText()
    figures.write(to: &text)
    return text.text
  }

  @Test("are those that the system reports, whatever the program is called")
  func told() async throws {
    try await withTemporaryFolder { folder in
      try FileManager.default.createDirectory(
        atPath: "\(folder)/self/fd",
        withIntermediateDirectories: true
      )
      for number in 0..<5 { try writeFile("", to: "\(folder)/self/fd/\(number)") }
      // By proc_pid_stat(5), the 14th is the time in the program and the 15th that in the system;
      // the 22nd to the 24th are the start, the memory set aside and the pages in use.
      try writeFile(
        "42 (a) b\n(c) S 1 2 3 4 -1 4194304 103 0 0 0 250 125 7 8 20 0 9 0 6000 3133440 388 1844 1 1\n",
        to: "\(folder)/self/stat"
      )
      try writeFile("cpu  1 2 3\nbtime 1795827917\nprocesses 5\n", to: "\(folder)/stat")
      try writeFile(
        "Limit                     Soft Limit           Hard Limit           Units\n"
          + "Max open files            1024                 524288               files\n",
        to: "\(folder)/self/limits"
      )
      let figures = ProcessFigures(in: folder, ticksPerSecond: 100, pageSize: 4096)
      let text = Self.text(of: figures)
      for line in [
        "process_cpu_seconds_total 3.75", "process_start_time_seconds 1795827977.0",
        "process_virtual_memory_bytes 3133440", "process_resident_memory_bytes 1589248",
        "process_open_fds 4", "process_max_fds 1024",
      ] {
        #expect(text.contains("\n\(line)\n"), "\(text)")
      }
    }
  }

  @Test(
    "each is absent if the system does not report it",
    arguments: [
      "", "42 (vestibule)", "42 (vestibule) S 1 2 3", "nothing",
      "42 (v) S 1 2 3 4 -1 4194304 103 0 0 0 x y 7 8 20 0 9 0 z v w 1844 1 1",
    ]
  )
  func untold(status: String) async throws {
    try await withTemporaryFolder { folder in
      #expect(Self.text(of: ProcessFigures(in: "\(folder)/nowhere")) == "")
      try FileManager.default.createDirectory(
        atPath: "\(folder)/self",
        withIntermediateDirectories: true
      )
      try writeFile(status, to: "\(folder)/self/stat")
      try writeFile("Max open files unlimited unlimited files\n", to: "\(folder)/self/limits")
      #expect(Self.text(of: ProcessFigures(in: folder)) == "")
    }
  }

  @Test("are all there for this process")
  func own() {
    let text = Self.text(of: .now)
    let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(samples.count == 6, "\(text)")
  }
}
