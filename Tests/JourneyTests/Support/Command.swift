import Foundation

/// A command of the system, run to its end.
enum Command {
  /// Runs it by its name; what it writes to standard error is dropped.
  static func run(_ words: [String]) throws -> (status: Int32, output: String) {
    let process = try SpawnedProcess(
      "/usr/bin/env",
      words,
      environment: Program.environment(),
      errors: .nullDevice
    )
    let data = process.output.readDataToEndOfFile()
    return (process.exitStatus(), String(decoding: data, as: UTF8.self))
  }
}
