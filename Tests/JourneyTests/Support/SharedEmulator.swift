import Foundation
import Locking

/// An emulator in a process of its own that many journeys ask, each in its own world.
///
/// A process that is built for tests takes longer to start than most journeys to play. This one
/// ends with the tests.
actor SharedEmulator {
  private static let clerk = SharedEmulator(of: .clerk)
  private static let entra = SharedEmulator(of: .entra)

  static func of(_ api: Stage.API) -> SharedEmulator {
    switch api {
    case .clerk: clerk
    case .entra: entra
    }
  }

  /// What an emulator of that API is started with.
  static func arguments(_ api: Stage.API) -> [String] {
    ["emulate", "--api", api.rawValue, "--port", "0", "--in-memory"]
  }

  private let api: Stage.API
  private var port: Task<String, any Error>?
  private var worldCount = 0

  private init(of api: Stage.API) { self.api = api }

  /// The address of a world that nobody else is in.
  ///
  /// - Throws: Why there is no emulator.
  func freshWorld() async throws -> String {
    worldCount += 1
    let name = "journey-\(worldCount)"
    let port = self.port ?? Task { [api] in try await Self.start(api) }
    self.port = port
    return "http://\(name).localhost:\(try await port.value)/"
  }

  private static func start(_ api: Stage.API) async throws -> String {
    let program = try Program(arguments(api))
    EndingWithTheTests.take(program)
    let address = try await program.addresses(1)[0]
    guard let port = address.firstMatch(of: /:(\d+)/) else {
      throw Program.Failure(description: "No port in \(address)")
    }
    return String(port.1)
  }
}

/// The programs that run for as long as the tests do.
private enum EndingWithTheTests {
  private static let programs = Locked<[Program]>([])
  private static let registration: Void = {
    atexit { EndingWithTheTests.endAll() }
  }()

  static func take(_ program: Program) {
    _ = registration
    programs.withLock { $0.append(program) }
  }

  private static func endAll() {
    for program in programs.withLock({ $0 }) { program.end() }
  }
}
