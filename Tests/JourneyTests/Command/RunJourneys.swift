import Foundation
import Testing
import TestSupport

@Suite("A command with the pages beside it", .inTurn)
struct RunJourneys {
  /// Runs the program to its end.
  private func run(
    _ words: [String],
    in folder: String? = nil,
    _ variables: [String: String] = [:]
  ) async throws -> (status: Int32, output: [String], error: String) {
    let options = ["run", "--log-level", "critical"] + words
    let program =
      if let folder {
        try Program(
          ["-c", #"cd "$0" && exec "$@""#, folder, Program.executable().path] + options,
          environment: variables,
          executable: URL(fileURLWithPath: "/bin/bash")
        )
      } else {
        try Program(options, environment: variables)
      }
    let output = await program.output()
    return (program.exitStatus(), output, program.said)
  }

  @Test("the command finds the pages and the emulated API, and its exit code is the program's")
  func finds() async throws {
    let script = """
      curl -sf -H 'Accept: application/json' "$VESTIBULE_URL/sign-in" | grep -o '"page":"sign-in"'
      curl -sf "$VESTIBULE_EMULATOR_URL/v1/environment" | grep -o '"auth_config"' | head -1
      exit 7
      """
    let run = try await run(["--", "sh", "-c", script])
    #expect(run.output == [#""page":"sign-in""#, #""auth_config""#])
    #expect(run.status == 7)
    #expect(run.error == "")
  }

  @Test("the exit code is passed on even if the program was started with SIGCHLD ignored")
  func unheard() async throws {
    let program = try Program(
      ["-c", #"trap '' CHLD; exec "$0" run --log-level critical -- sh -c 'exit 7'"#]
        + [Program.executable().path],
      executable: URL(fileURLWithPath: "/bin/bash")
    )
    _ = await program.output()
    #expect(program.exitStatus() == 7)
  }

  @Test(
    "a limit of file sizes ends the command as usual, but not the program",
    arguments: [("$$", 128 + SIGXFSZ), ("$PPID", 7)] as [(String, Int32)]
  )
  func fileSizes(target: String, status: Int32) async throws {
    let ended = try await run(["--", "sh", "-c", "kill -s XFSZ \(target); exit 7"])
    #expect(ended.status == status)
  }

  @Test("nothing is written to disk unless an option names a folder; a variable does not count")
  func inMemory() async throws {
    try await withTemporaryFolder { folder in
      let signIn = #"curl -sf "$VESTIBULE_URL/sign-in" > /dev/null; ls -A"#
      let plain = try await run(["--", "sh", "-c", signIn], in: folder)
      #expect(plain.output == [])
      let ofService = ["VESTIBULE_DATA": "service"]
      let exported = try await run(["--", "sh", "-c", signIn], in: folder, ofService)
      #expect(exported.output == [])
      let kept = try await run(["--data", "data", "--", "sh", "-c", signIn], in: folder)
      #expect(kept.output == ["data"])
    }
  }

  @Test("the command can be vestibule itself, which accepts the variables that it is given")
  func nested() async throws {
    let program = try Program.executable().path
    let run = try await run(["--", program, "check", "--in-memory", "--port", "0"])
    #expect(run.status == 0, "\(run)")
  }

  @Test("the command gets variables as they are, even if not UTF-8, and ours replace others")
  func variables() async throws {
    let script = #"""
      env $'B\xff=\xfe' VESTIBULE_URL=other "$0" run --log-level critical -- env -0 |
        LC_ALL=C grep -azE '^B.=|^VESTIBULE_URL=other' | od -An -tx1
      """#
    let program = try Program(
      ["-c", script, Program.executable().path],
      executable: URL(fileURLWithPath: "/bin/bash")
    )
    #expect(await program.output() == [" 42 ff 3d fe 00"])
    #expect(program.exitStatus() == 0)
  }

  @Test("over a real API the command gets no emulated API's address, not even an outer run's")
  func realAPI() async throws {
    let run = try await run(
      [
        "--frontend-api-url", "http://127.0.0.1:9", "--", "bash", "-c",
        #"echo "${VESTIBULE_URL:0:17} ${VESTIBULE_EMULATOR_URL-none}""#,
      ],
      ["VESTIBULE_URL": "http://stale:1", "VESTIBULE_EMULATOR_URL": "http://stale:2"]
    )
    #expect(run.output == ["http://127.0.0.1: none"])
    #expect(run.status == 0, "\(run)")
  }

  @Test("the command keeps the limit for core dumps; the program itself dumps none")
  func cores() async throws {
    let script = #"""
      ulimit -S -c hard
      ulimit -c
      exec "$0" run --log-level critical -- bash -c '
        ulimit -c; ulimit -H -c
        trap "grep \"Max core file size\" /proc/$PPID/limits; kill \$!; exit 0" USR1
        sleep 60 &
        # Comes back once the program does more than start its command.
        kill -USR1 $PPID
        wait'
      """#
    let program = try Program(
      ["-c", script, Program.executable().path],
      executable: URL(fileURLWithPath: "/bin/bash")
    )
    let output = await program.output()
    try #require(output.count == 4, "\(output)")
    #expect(output[1] == output[0] && output[2] == output[0], "\(output)")
    #expect(output[3].split(separator: " ")[4] == "0", "\(output)")
    #expect(program.exitStatus() == 0)
  }

  @Test("a signal that ends the command gives the exit code that a shell gives")
  func ended() async throws {
    let run = try await run(["--", "sh", "-c", "kill -TERM $$"])
    #expect(run.status == 128 + SIGTERM)
  }

  @Test(
    "a signal is passed on to the command, which handles it as it likes",
    arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM]
  )
  func passedOn(signal: Int32) async throws {
    let script = """
      trap 'echo asked; exit 3' TERM HUP QUIT USR1 USR2 ALRM
      echo ready
      while :; do sleep 0.05; done
      """
    let program = try Program(["run", "--log-level", "critical", "--", "sh", "-c", script])
    #expect(await program.output(1) == ["ready"])
    kill(program.id, signal)
    #expect(await program.output() == ["asked"])
    #expect(program.exitStatus() == 3)
  }

  @Test("once the command has ended, a second signal ends the program without waiting for requests")
  func hurried() async throws {
    try await withTemporaryFolder { folder in
      let (data, awaited) = ("\(folder)/data", "\(folder)/awaited")
      try "".write(toFile: awaited, atomically: true, encoding: .utf8)
      let script = """
        echo "$VESTIBULE_URL"
        while [ -e "$0" ]; do sleep 0.05; done
        exit 7
        """
      let program = try Program(
        ["run", "--log-level", "critical", "--data", data, "--", "sh", "-c", script, awaited]
      )
      defer { program.end(SIGKILL) }
      let addresses = await program.output(1)
      try #require(addresses.count == 1)
      let held = try HeldForm(at: addresses[0])
      defer { held.end() }
      try FileManager.default.removeItem(atPath: awaited)
      #expect(try await RunningJourneys.isClosed(addresses[0]))
      let asked = ContinuousClock.now
      // Of two kinds, since the system keeps only one pending signal of each.
      for signal in [SIGTERM, SIGINT] { kill(program.id, signal) }
      #expect(program.exitStatus() == 7)
      // The grace is ten seconds.
      #expect(ContinuousClock.now - asked < .seconds(8))
      #expect(try RunningJourneys.databaseFiles(in: data) == ["main.sqlite"])
    }
  }

  @Test("on a terminal, an interrupt reaches the command once, whether it is typed or sent")
  func interrupted() async throws {
    try await withTemporaryFolder { folder in
      // The end of the folder ends it, in case no signal does.
      let command = """
        trap 'echo asked >> said' INT
        trap 'echo over >> said; exit' TERM
        echo $PPID > id
        echo ready >> said
        while [ -e said ]; do sleep 0.05; done
        """
      try command.write(toFile: "\(folder)/command", atomically: true, encoding: .utf8)
      let terminal = try TerminalJourneys.terminal(
        running: "exec $PROGRAM run --log-level critical -- sh command",
        in: folder
      )
      defer { terminal.end(SIGKILL) }
      func hasSaid(_ words: [String]) async throws -> Bool {
        try await eventually {
          TerminalJourneys.said(in: folder).split(separator: "\n").map(String.init) == words
        }
      }
      try #require(try await hasSaid(["ready"]))
      let id = try #require(
        Int32(try String(contentsOfFile: "\(folder)/id", encoding: .utf8).dropLast())
      )
      try TerminalJourneys.type("\u{3}", in: folder)
      try #require(try await hasSaid(["ready", "asked"]))
      // The command may be faster than the program, and the system keeps only one pending signal
      // of each kind.
      try #require(try await eventually { try !isPending(SIGINT, for: id) })
      kill(id, SIGINT)
      try #require(try await hasSaid(["ready", "asked", "asked"]))
      // After both: an interrupt that came twice would have been noted before this.
      kill(id, SIGTERM)
      #expect(try await hasSaid(["ready", "asked", "asked", "over"]))
    }
  }

  /// Whether a signal is pending for a process: it was sent, and no thread has taken it.
  private func isPending(_ number: Int32, for id: Int32) throws -> Bool {
    let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
    let pending = try #require(status.firstMatch(of: /ShdPnd:\s*([0-9a-f]+)/)?.output.1)
    return try #require(UInt64(pending, radix: 16)) & 1 << UInt64(number - 1) != 0
  }

  @Test(
    "a command that is missing or cannot be run is reported in one line",
    arguments: [
      ([], "The command is missing"), (["--", "/nowhere/at-all"], "/nowhere/at-all"),
    ] as [([String], String)]
  )
  func refused(words: [String], named: String) async throws {
    let run = try await run(words)
    #expect(run.status == 64)
    #expect(run.error.contains(named) && run.error.split(separator: "\n").count == 1, "\(run)")
  }
}
