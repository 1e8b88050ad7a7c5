import Foundation
import Glibc
import Testing
import TestSupport

@testable import VestibuleCommand

@Suite("The command line")
struct ProcessArgumentsTests {
  @Test(
    "is read from the stack if /proc is not mounted",
    arguments: [[], ["--version"], ["serve", "--port", "8081"]]
  )
  func stack(words: [String]) {
    let count = UnsafeMutablePointer<CChar>(bitPattern: words.count + 1)
    let texts = (["vestibule"] + words).map { strdup($0) } + [nil, strdup("HOME=/root"), nil]
    defer { for text in texts { free(text) } }
    var stack = [count] + texts
    let found = stack.withUnsafeMutableBufferPointer { stack in
      stack.baseAddress.map { ProcessArguments.read(before: $0 + words.count + 3) }
    }
    #expect(found == words)
  }

  @Test("is read as it was typed, empty words too")
  func file() async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/cmdline"
      try Data("vestibule\0serve\0\0--brand\0a b\0".utf8).write(to: URL(fileURLWithPath: path))
      #expect(ProcessArguments.read(file: path) == ["serve", "", "--brand", "a b"])
    }
  }

  @Test("is the process's own")
  func own() {
    #expect(ProcessArguments.read() == Array(CommandLine.arguments.dropFirst()))
  }
}
