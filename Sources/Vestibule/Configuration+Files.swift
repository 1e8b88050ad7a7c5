internal import Backstage
internal import Emulators
internal import Foundation
internal import Pages

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

  /// Reads the brand from a file; the files that it names are looked for beside it, then in the folder of
  /// static files.
  ///
  /// - Throws: `StartFailure` that names the file and everything that is wrong with it.
  public mutating func readBrand(_ path: String) throws(StartFailure) {
    try readBrand(path, again: false)
  }

  mutating func readBrand(_ path: String, again: Bool) throws(StartFailure) {
    let folder = BrandFolder(file: path, publicFolder: publicFolder)
    brand = try Self.read(path, "the brand", again: again) { data throws(BrandFault) in
      try InstalledBrand(try Brand(document: data), in: folder)
    }
  }

  private static func read<Value, Fault: Error>(
    _ path: String,
    _ what: String,
    again: Bool = false,
    _ reading: (Data) throws(Fault) -> Value
  ) throws(StartFailure) -> Value {
    let data = try NamedFile.contents(of: path, "The file of \(what)", again: again)
    do {
      return try reading(data)
    } catch {
      throw StartFailure(.configuration, "The file of \(what) is invalid: \(path): \(error)")
    }
  }
}
