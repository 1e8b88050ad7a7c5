import Foundation
import Testing
import TestSupport

/// The built program, running as a process of its own.
final class Program: Sendable {
  /// The program ended, or did not say what was waited for.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let process: SpawnedProcess
  private let lines: AsyncStream<String>
  private let errors: FileHandle

  var id: Int32 { process.id }

  var isRunning: Bool { process.isRunning }

  /// Starts it; the working directory is the package's.
  init(
    _ arguments: [String],
    environment: [String: String] = [:],
    executable: URL? = nil
  ) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "vestibule-\(UUID().uuidString).log"
    )
    // Appended to, since writing and reading share one position in the file.
    let descriptor = open(path.path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure(description: "No file for its errors: \(errno)") }
    errors = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // The open file is all that is needed; its name goes at once.
    try FileManager.default.removeItem(at: path)
    let (stream, continuation) = AsyncStream<String>.makeStream()
    lines = stream
    process = try SpawnedProcess(
      (executable ?? Self.executable()).path,
      arguments,
      environment: Self.environment(adding: environment),
      errors: errors
    )
    // A thread of its own: a readability handler may miss the end of a pipe that ends at once.
    let source = process.output
    Thread.detachNewThread {
      let reader = LineReader(continuation)
      while case let data = source.availableData, !data.isEmpty { reader.take(data) }
      continuation.finish()
    }
  }

  /// The tests' own variables, without those that the program takes for options or mistyped ones.
  static func environment(adding variables: [String: String] = [:]) -> [String: String] {
    ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("VESTIBULE_") }
      .merging(variables) { $1 }
  }

  /// The program beside the tests.
  static func executable() throws -> URL {
    let folder = Bundle.main.executableURL?.deletingLastPathComponent()
    guard let program = folder?.appendingPathComponent("vestibule"),
      FileManager.default.isExecutableFile(atPath: program.path)
    else { throw Failure(description: "The program vestibule was not built beside the tests") }
    return program
  }

  /// The addresses of its ready lines, in order.
  ///
  /// - Throws: `Failure` when it ends before it is ready.
  func addresses(_ count: Int) async throws -> [String] {
    var found: [String] = []
    for await line in lines {
      guard let match = line.wholeMatch(of: /Listening on (http\S+) \(.+\)/) else { continue }
      found.append(String(match.1))
      if found.count == count { return found }
    }
    throw Failure(description: "It ended before it was ready: \(said)")
  }

  /// Its next lines on standard output; fewer if it ends.
  func output(_ count: Int = .max) async -> [String] {
    var found: [String] = []
    guard count > 0 else { return found }
    for await line in lines {
      found.append(line)
      if found.count == count { break }
    }
    return found
  }

  /// What it wrote to standard error so far.
  var said: String {
    try? errors.seek(toOffset: 0)
    return String(decoding: (try? errors.readToEnd()) ?? Data(), as: UTF8.self)
  }

  /// Sends it a signal and waits until it has ended.
  @discardableResult
  func end(_ signal: Int32 = SIGTERM) -> Int32 {
    process.signal(signal)
    return exitStatus()
  }

  /// Waits until it has ended by itself.
  func exitStatus() -> Int32 { process.exitStatus() }
}

/// Cuts what arrives into lines.
private final class LineReader {
  private var rest = Data()
  private let continuation: AsyncStream<String>.Continuation

  init(_ continuation: AsyncStream<String>.Continuation) { self.continuation = continuation }

  func take(_ data: Data) {
    rest += data
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
      rest = Data(rest[rest.index(after: end)...])
    }
  }
}

/// The emulator in one process, the pages in another.
struct TwoProcesses: Sendable {
  let emulatorAddress: String
  let pagesAddress: String

  static func run(
    _ setting: Stage.Setting,
    over api: Stage.API,
    _ body: (TwoProcesses) async throws -> Void
  ) async throws {
    try await withEmulator(setting, of: api) { emulatorAddress in
      try await Self.relaying(to: emulatorAddress, of: api) { relayAddress in
        let pages = try Program(
          ["serve", "--port", "0", "--in-memory"] + Self.options(for: api, at: relayAddress)
        )
        defer { pages.end() }
        let pagesAddress = try await pages.addresses(1)[0]
        try await body(
          TwoProcesses(emulatorAddress: emulatorAddress, pagesAddress: pagesAddress)
        )
      }
    }
  }

  /// The address of an emulator in that setting: if it has settings or accounts of its own, it is
  /// also a process of its own.
  private static func withEmulator(
    _ setting: Stage.Setting,
    of api: Stage.API,
    _ body: (String) async throws -> Void
  ) async throws {
    if setting.isPlain { return try await body(try await SharedEmulator.of(api).freshWorld()) }
    try await withTemporaryFolder { folder in
      var arguments = SharedEmulator.arguments(api)
      for (option, text) in [("--instance", setting.instance), ("--users", setting.users)] {
        guard let text else { continue }
        let path = "\(folder)/\(option.dropFirst(2)).json"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        arguments += [option, path]
      }
      let emulator = try Program(arguments)
      defer { emulator.end() }
      try await body(try await emulator.addresses(1)[0])
    }
  }

  /// How the pages find the emulator.
  static func options(for api: Stage.API, at address: String) -> [String] {
    switch api {
    case .clerk: ["--frontend-api-url", address]
    case .entra:
      [
        "--api", "entra", "--authority",
        (address.hasSuffix("/") ? address : address + "/") + "contoso.onmicrosoft.com",
        "--client-id", "5d0c7a8e-2f44-4a6b-9f3e-7c1b80d2a911",
        "--scopes", "api://orders/Read api://orders/Write",
      ]
    }
  }

  /// Only Clerk's API is compared with a description of it.
  private static func relaying(
    to address: String,
    of api: Stage.API,
    _ body: (String) async throws -> Void
  ) async throws {
    switch api {
    case .clerk: try await Recorder.relaying(to: address, body)
    case .entra: try await body(address)
    }
  }
}
