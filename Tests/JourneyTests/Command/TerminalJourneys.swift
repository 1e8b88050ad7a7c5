import Foundation
import Testing
import TestSupport

@Suite("A terminal that is closed", .inTurn)
struct TerminalJourneys {
  /// An interactive shell on a terminal of its own, with the program as its job in the background.
  private struct Shell {
    let terminal: Program
    private let folder: String

    init(starting command: String, in folder: String) async throws {
      self.folder = folder
      guard mkfifo("\(folder)/typed", 0o600) == 0 else {
        throw Program.Failure(description: "No pipe for what is typed: \(errno)")
      }
      // Opened to write, too, so that what is typed never ends.
      let script = """
        cd "$0" && PROGRAM="$1" exec script -qc 'bash --norc --noprofile -i' /dev/null 0<> typed
        """
      terminal = try Program(
        ["-c", script, folder, Program.executable().path],
        executable: URL(fileURLWithPath: "/bin/bash")
      )
      try type("\(command) > said 2>&1 & echo $! > id")
      #expect(try await says("Listening on"))
    }

    var id: Int32 {
      let text = try? String(contentsOfFile: "\(folder)/id", encoding: .utf8)
      return Int32(text?.dropLast() ?? "") ?? 0
    }

    func type(_ line: String) throws {
      let pipe = try #require(FileHandle(forWritingAtPath: "\(folder)/typed"))
      try pipe.write(contentsOf: Data("\(line)\n".utf8))
      try pipe.close()
    }

    /// Whether the program says something as often, in the end.
    func says(_ text: String, times count: Int = 1) async throws -> Bool {
      try await eventually {
        let said = (try? String(contentsOfFile: "\(folder)/said", encoding: .utf8)) ?? ""
        return said.split(separator: "\n").count { $0.contains(text) } == count
      }
    }
  }

  @Test("it ends what serves in the background of its shell, where SIGHUP reads files again before")
  func job() async throws {
    try await withTemporaryFolder { folder in
      let shell = try await Shell(starting: "$PROGRAM --port 0 --in-memory", in: folder)
      // From the shell itself, as a closed terminal's comes.
      try shell.type("kill -HUP $!")
      #expect(try await shell.says(" info reloaded"))
      shell.terminal.end(SIGKILL)
      #expect(try await shell.says(" info stopping"))
    }
  }

  @Test("it does not end what was started to outlive it, which still reads files again")
  func nohup() async throws {
    try await withTemporaryFolder { folder in
      let shell = try await Shell(starting: "nohup $PROGRAM --port 0 --in-memory", in: folder)
      let id = shell.id
      defer { kill(id, SIGKILL) }
      shell.terminal.end(SIGKILL)
      kill(id, SIGHUP)
      #expect(try await shell.says(" info reloaded"))
      kill(id, SIGTERM)
      #expect(try await shell.says(" info stopping"))
    }
  }
}
