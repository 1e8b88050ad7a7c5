import Foundation

/// A command of the system, run to its end.
enum Command {
  /// Runs it by its name; what it writes to standard error is dropped.
  static func run(_ words: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    ended.wait()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
