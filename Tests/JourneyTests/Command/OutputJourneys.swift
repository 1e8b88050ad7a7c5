import Foundation
import Testing
import TestSupport

@Suite("Output that cannot be written", .inTurn)
struct OutputJourneys {
  /// Runs the program to its end, with its standard output redirected by a shell.
  private static func run(
    _ words: [String],
    _ redirection: String
  ) async throws -> (status: Int32, said: String) {
    let program = try Program(
      ["-c", #"set -o pipefail; "$0" "$@" \#(redirection)"#, Program.executable().path] + words,
      executable: URL(fileURLWithPath: "/bin/bash")
    )
    _ = await program.output()
    return (program.exitStatus(), program.said)
  }

  @Test(
    "fails a command that is there to print: one line on standard error, and exit code 1",
    arguments: [
      ["--version"], ["--help"], ["help", "serve"], ["check", "--in-memory", "--port", "0"],
      ["story", "dina"], ["atlas", "--out", "%"], ["eject", "--out", "%"],
    ]
  )
  func full(words: [String]) async throws {
    try await withTemporaryFolder { folder in
      let run = try await Self.run(words.map { $0 == "%" ? folder : $0 }, "> /dev/full")
      #expect(run.status == 1)
      #expect(
        run.said
          == "vestibule: Standard output cannot be written: No space left on device\n"
      )
    }
  }

  @Test("fails a command also if the output was closed before the start")
  func closed() async throws {
    let run = try await Self.run(["check", "--in-memory", "--port", "0"], ">&-")
    #expect(run.status == 1)
    #expect(run.said == "vestibule: Standard output cannot be written: Bad file descriptor\n")
  }

  @Test("does not fail a command if the reader has gone")
  func gone() async throws {
    let run = try await Self.run(["check", "--in-memory", "--port", "0"], "| true")
    #expect(run.status == 0)
    #expect(run.said == "")
  }

  @Test("does not keep the program from serving, since nobody has to wait for the ready line")
  func serving() async throws {
    try await withTemporaryFolder { folder in
      let socket = try NotificationSocket(at: "\(folder)/notify")
      let program = try Program(
        ["-c", #"exec "$0" --port 0 --in-memory > /dev/full"#, Program.executable().path],
        environment: ["NOTIFY_SOCKET": socket.path],
        executable: URL(fileURLWithPath: "/bin/bash")
      )
      #expect(try await socket.message() == "READY=1")
      #expect(program.end() == 0)
    }
  }
}
