internal import Emulators
internal import Foundation

extension Configuration {
  /// Takes the emulator's settings from a file.
  ///
  /// - Throws: `StartFailure` that names the file, and the key or value that is bad.
  public mutating func readInstance(_ path: String) throws(StartFailure) {
    instance = try Self.read(path, "instance settings") { data throws(DocumentError) in
      try InstanceSettings(json: data)
    }
  }

  /// Takes the accounts of a fresh world from a file.
  ///
  /// - Throws: `StartFailure` that names the file, and the account and key that are bad.
  public mutating func readUsers(_ path: String) throws(StartFailure) {
    users = try Self.read(path, "demo users") { data throws(DocumentError) in
      try AccountDescription.list(json: data)
    }
  }

  private static func read<Value>(
    _ path: String,
    _ what: String,
    _ reading: (Data) throws(DocumentError) -> Value
  ) throws(StartFailure) -> Value {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw StartFailure(.configuration, "The file of \(what) cannot be read: \(path)")
    }
    do {
      return try reading(data)
    } catch {
      throw StartFailure(.configuration, "The file of \(what) is not good: \(path): \(error)")
    }
  }
}
