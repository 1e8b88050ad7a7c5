internal import Crypto
internal import Foundation
internal import Site

/// Reads and makes the keys that seal visits.
enum SealingKeys {
  /// One key per line, as base64 of 32 bytes or more; empty lines and lines with `#` do not count.
  ///
  /// - Throws: `StartFailure` when the file cannot be read, is open to others (S12), or a line is no
  ///   key; the message names the line, never its text.
  static func read(_ path: String) throws(StartFailure) -> KeyRing {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let data = FileManager.default.contents(atPath: path)
    else { throw StartFailure(.configuration, "The key file cannot be read: \(path)") }
    let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
    guard mode & 0o077 == 0 else {
      throw StartFailure(
        .configuration,
        "The key file is open to others, mode \(String(mode, radix: 8)): run chmod 600 \(path)"
      )
    }
    var keys: [SymmetricKey] = []
    let lines = String(decoding: data, as: UTF8.self).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    for (number, line) in lines.enumerated() {
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.isEmpty || text.hasPrefix("#") { continue }
      guard let bytes = Data(base64Encoded: text), bytes.count >= 32 else {
        throw StartFailure(
          .configuration,
          "The key file's line \(number + 1) is not base64 of at least 32 bytes: \(path)"
        )
      }
      keys.append(SymmetricKey(data: bytes))
    }
    guard let ring = KeyRing(keys) else {
      throw StartFailure(.configuration, "The key file has no key: \(path)")
    }
    return ring
  }

  /// The key of a data folder, made on first use and readable by its owner only.
  ///
  /// - Throws: `StartFailure` when the folder cannot be made or the file cannot be written.
  static func kept(in folder: String) throws(StartFailure) -> KeyRing {
    let path = "\(folder)/sealing-keys"
    if !FileManager.default.fileExists(atPath: path) {
      let text = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0).base64EncodedString() }
      let made = FileManager.default.createFile(
        atPath: path,
        contents: Data("\(text)\n".utf8),
        attributes: [.posixPermissions: 0o600]
      )
      guard made else {
        throw StartFailure(.configuration, "The sealing key cannot be written: \(path)")
      }
    }
    return try read(path)
  }

  /// A key that ends with the process.
  static func passing() -> KeyRing {
    guard let ring = KeyRing([SymmetricKey(size: .bits256)]) else {
      preconditionFailure("A key of 256 bits is long enough")
    }
    return ring
  }
}
