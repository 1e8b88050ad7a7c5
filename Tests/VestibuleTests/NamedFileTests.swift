import Foundation
import Glibc
import Pages
import Testing
import TestSupport

@testable import Vestibule

@Suite("Files that are named")
struct NamedFileTests {
  /// Gives the body the path of a pipe that holds a text, like a shell's `<(…)`.
  private static func withPipe(holding text: String, _ body: (String) throws -> Void) throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let count = write(ends[1], text, text.utf8.count)
    close(ends[1])
    try #require(count == text.utf8.count)
    try body("/dev/fd/\(ends[0])")
  }

  @Test("what a pipe holds is read, and its mode is strict enough for a key")
  func shellPipe() throws {
    let key = Data(repeating: 7, count: 32).base64EncodedString()
    try Self.withPipe(holding: key) { path in
      let content = try NamedFile.data(of: path)
      #expect(content == Data(key.utf8))
    }
    try Self.withPipe(holding: key) { path in _ = try SealingKeys.read(path) }
  }

  @Test("a pipe with a name is read to its end, however much comes through it")
  func namedPipe() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/pipe"
      try #require(mkfifo(path, 0o600) == 0)
      let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
      Thread.detachNewThread {
        let end = FileHandle(forWritingAtPath: path)
        try? end?.write(contentsOf: content)
        try? end?.close()
      }
      #expect(try NamedFile.data(of: path) == content)
    }
  }

  @Test("a pipe without an end is not waited for, nor is any pipe that would be read again")
  func nobodyWrites() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/pipe"
      try #require(mkfifo(path, 0o600) == 0)
      let first = #expect(throws: NamedFile.Unreadable.self) {
        try NamedFile.data(of: path, patienceMilliseconds: 1)
      }
      #expect(first?.reason.hasPrefix("it did not end within ") == true)
      let second = #expect(throws: NamedFile.Unreadable.self) {
        try NamedFile.data(of: path, again: true)
      }
      #expect(second?.reason == "only a regular file can be read again")
      let told = #expect(throws: StartFailure.self) {
        try SealingKeys.read(path, again: true)
      }
      #expect(
        told?.description
          == "The key file cannot be read: \(path): only a regular file can be read again"
      )
    }
  }

  @Test("a file without an end is read only up to a limit")
  func endless() {
    let unreadable = #expect(throws: NamedFile.Unreadable.self) {
      try NamedFile.data(of: "/dev/zero")
    }
    #expect(unreadable?.reason.contains("more than 64 MiB") == true)
  }

  @Test(
    "a file that cannot be read is reported with the system's reason",
    arguments: [("/nonexistent", "No such file or directory"), ("/tmp", "Is a directory")]
  )
  func unreadable(path: String, reason: String) {
    let failure = #expect(throws: StartFailure.self) { try NamedFile.contents(of: path, "It") }
    #expect(failure?.description == "It cannot be read: \(path): \(reason)")
  }

  @Test("new content takes the place of the old at once, with the same access rights")
  func written() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/brand.json"
      try NamedFile.write(Array("a first".utf8), over: path)
      for mode in [0o664, 0o600, 0o640] as [mode_t] {
        try #require(chmod(path, mode) == 0)
        let before = try #require(FileHandle(forReadingAtPath: path))
        let text = "of \(mode)"
        try NamedFile.write(Array(text.utf8), over: path)
        #expect(try NamedFile.data(of: path) == Data(text.utf8))
        #expect(NamedFile.secret(at: path)?.mode == Int(mode))
        #expect(try before.readToEnd() != Data(text.utf8), "a reader sees one of them as a whole")
        try before.close()
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["brand.json"])
    }
  }

  @Test("if the folder takes no other file, a shorter text replaces the old one in place")
  func writtenInPlace() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/brand.json"
      try writeFile("a longer text", to: path)
      try #require(chmod(folder, 0o500) == 0)
      defer { chmod(folder, 0o700) }
      try NamedFile.write(Array("short".utf8), over: path)
      #expect(try NamedFile.data(of: path) == Data("short".utf8))
      let unwritable = #expect(throws: NamedFile.Unwritable.self) {
        try NamedFile.write([], over: "\(folder)/none/brand.json")
      }
      #expect(unwritable?.number == ENOENT)
    }
  }

  @Test("a brand that is read again whenever it changes has to be a regular file")
  func watchedBrand() throws {
    try Self.withPipe(holding: #"{"name": "Quay"}"#) { path in
      var configuration = Configuration()
      try configuration.readBrand(path)
      #expect(configuration.brand?.brand.name == "Quay")
      _ = try configuration.pageFiles()
      configuration.reloadsTemplates = true
      let failure = #expect(throws: StartFailure.self) { try configuration.pageFiles() }
      #expect(failure?.kind == .configuration)
      #expect(failure?.description.contains("--reload-templates") == true)
    }
  }
}
