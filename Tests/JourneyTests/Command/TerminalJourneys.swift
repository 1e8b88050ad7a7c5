import Foundation
import Testing
import TestSupport

@Suite("A terminal that is closed", .inTurn)
struct TerminalJourneys {
  /// An interactive shell on a terminal of its own, with the program as its job in the background.
  ///
  /// It tells its jobs that the terminal is closed, whether SIGHUP or the end of its input reaches
  /// it first.
  private struct Shell {
    let terminal: Program
    private let folder: String

    // `wrapper` runs the shell, which takes the place of `%`.
    init(starting command: String, in folder: String, wrapper: String = "exec %") async throws {
      self.folder = folder
      let shell = wrapper.replacing("%", with: "bash --noprofile -li -O huponexit")
      terminal = try TerminalJourneys.terminal(running: shell, in: folder)
      try type("\(command) > said 2>&1 & echo $! > id.new; mv id.new id")
      #expect(try await says("Listening on"))
    }

    /// The program's; never 0, which would mean the process group of the tests.
    func id() async throws -> Int32 {
      var id: Int32?
      _ = try await eventually {
        let text = try? String(contentsOfFile: "\(folder)/id", encoding: .utf8)
        id = text.flatMap { Int32($0.dropLast()) }
        return id != nil
      }
      return try #require(id)
    }

    func type(_ line: String) throws { try TerminalJourneys.type(line, in: folder) }

    /// Whether the program says something in the end; `ask` is called before each look.
    func says(_ text: String, when ask: () -> Void = {}) async throws -> Bool {
      try await eventually {
        ask()
        return TerminalJourneys.said(in: folder).contains(text)
      }
    }
  }

  /// A terminal in a folder, which is closed with the process; the leader of its session is what
  /// `sh` makes of the command.
  static func terminal(running command: String, in folder: String) throws -> Program {
    guard mkfifo("\(folder)/typed", 0o600) == 0 else {
      throw Program.Failure(description: "No pipe for what is typed: \(errno)")
    }
    // Opened to write, too, so that what is typed never ends.
    let script = """
      cd "$0" && HOME="$0" PROGRAM="$1" SHELL=/bin/sh exec script -qc '\(command)' /dev/null 0<> typed
      """
    return try Program(
      ["-c", script, folder, Program.executable().path],
      executable: URL(fileURLWithPath: "/bin/bash")
    )
  }

  /// Types a line at the terminal of a folder.
  static func type(_ line: String, in folder: String) throws {
    let pipe = try #require(FileHandle(forWritingAtPath: "\(folder)/typed"))
    try pipe.write(contentsOf: Data("\(line)\n".utf8))
    try pipe.close()
  }

  /// What has been written into the file `said` of a folder.
  static func said(in folder: String) -> String {
    (try? String(contentsOfFile: "\(folder)/said", encoding: .utf8)) ?? ""
  }

  @Test(
    "it ends a program in its shell's background, for which SIGHUP alone is a reload",
    arguments: ["exec %", "% ; true", "bash -c \"% ; true\" ; true"]
  )
  func job(wrapper: String) async throws {
    try await withTemporaryFolder { folder in
      let shell = try await Shell(
        starting: "$PROGRAM --port 0 --in-memory",
        in: folder,
        wrapper: wrapper
      )
      // The signal comes from the shell itself, as that of a closed terminal does.
      try shell.type("kill -HUP $!")
      #expect(try await shell.says(" info reloaded"))
      shell.terminal.end(SIGKILL)
      #expect(try await shell.says(" info stopping"))
    }
  }

  @Test("a program that cannot open another file does not take it for closed")
  func noRoom() async throws {
    try await withTemporaryFolder { folder in
      let shell = try await Shell(starting: "$PROGRAM --port 0 --in-memory", in: folder)
      let id = try await shell.id()
      defer { kill(id, SIGKILL) }
      try shell.type("prlimit --pid $! --nofile=3: && kill -HUP $!")
      // It may also say "not reloaded", since a reload opens files.
      #expect(try await shell.says("reloaded"))
      shell.terminal.end(SIGKILL)
    }
  }

  @Test("it does not end a program under nohup, which still reloads its files")
  func nohup() async throws {
    try await withTemporaryFolder { folder in
      let shell = try await Shell(starting: "nohup $PROGRAM --port 0 --in-memory", in: folder)
      let id = try await shell.id()
      defer { kill(id, SIGKILL) }
      shell.terminal.end(SIGKILL)
      // Sent repeatedly: while the shell's own signal is pending, another one makes no difference.
      #expect(try await shell.says(" info reloaded") { kill(id, SIGHUP) })
      kill(id, SIGTERM)
      #expect(try await shell.says(" info stopping"))
    }
  }

  @Test("it reaches the command of a program that leads the session")
  func run() async throws {
    try await withTemporaryFolder { folder in
      // The end of the folder ends it, in case no signal does.
      let command = """
        trap 'echo asked >> said; exit' HUP
        echo ready >> said
        while [ -e said ]; do sleep 0.05; done
        """
      try command.write(toFile: "\(folder)/command", atomically: true, encoding: .utf8)
      let terminal = try Self.terminal(
        running: "exec $PROGRAM run --log-level critical -- sh command",
        in: folder
      )
      defer { terminal.end(SIGKILL) }
      #expect(try await eventually { Self.said(in: folder).contains("ready") })
      terminal.end(SIGKILL)
      #expect(try await eventually { Self.said(in: folder).contains("asked") })
    }
  }
}
