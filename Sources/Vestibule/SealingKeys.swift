internal import Crypto
internal import Foundation
internal import Site

/// Reads and makes the keys that seal visits.
enum SealingKeys {
  /// Reads a key file: one key per line, as base64 of 32 bytes or more; empty lines and those that begin with `#` are
  /// ignored.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - again: Whether it was read before.
  /// - Returns: The keys.
  /// - Throws: `StartFailure` if the file cannot be read or is open to others (S12), or if a line is not a
  ///   key; the message names the line, never its text.
  static func read(_ path: String, again: Bool = false) throws(StartFailure) -> KeyRing {
    let data = try NamedFile.contents(of: path, "The key file", again: again)
    guard let file = NamedFile.secret(at: path) else {
      throw StartFailure(.configuration, "The key file cannot be read: \(path)")
    }
    guard !file.isOpenToOthers else {
      throw StartFailure(
        .configuration,
        "The key file is open to others, with mode \(String(file.mode, radix: 8)): "
          + (path.hasPrefix("/dev/") || path.hasPrefix("/proc/")
            ? "what \(path) leads to must be open to its owner only" : file.advice)
      )
    }
    var keys: [SymmetricKey] = []
    let lines = String(decoding: data, as: UTF8.self).split(
      omittingEmptySubsequences: false,
      whereSeparator: \.isNewline
    )
    for (number, line) in lines.enumerated() {
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.isEmpty || text.hasPrefix("#") { continue }
      guard let bytes = bytes(ofBase64: text), bytes.count >= 32 else {
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

  /// The path of a data folder's key file.
  static func path(in folder: String) -> String { "\(folder)/sealing-keys" }

  /// The path of a data folder's key file; nil if it has not been made yet.
  static func existingFile(in folder: String) -> String? {
    let path = path(in: folder)
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// Checks whether a data folder has a key, or could be given one, without changing it.
  ///
  /// - Throws: `StartFailure`, as `kept` does.
  static func check(in folder: String) throws(StartFailure) {
    if let file = existingFile(in: folder) {
      _ = try read(file)
    } else if access(folder, F_OK) == 0, access(folder, W_OK | X_OK) != 0 {
      throw failure(errno, at: path(in: folder))
    }
  }

  /// The key of a data folder, made on first use and readable by its owner only.
  ///
  /// - Throws: `StartFailure` if the file cannot be written; trying again may help if the disk is full.
  static func kept(in folder: String) throws(StartFailure) -> KeyRing {
    let path = path(in: folder)
    if existingFile(in: folder) == nil {
      let text = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0).base64EncodedString() }
      try make(path, holding: "\(text)\n")
    }
    return try read(path)
  }

  /// Makes the file whole or not at all, never open to others, and never over another one: two
  /// processes that start at once end up with the same key.
  private static func make(_ path: String, holding text: String) throws(StartFailure) {
    let draft = "\(path).\(getpid())"
    // A draft that a killed process with the same ID has left behind.
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(errno, at: path) }
    defer { unlink(draft) }
    let bytes = Array(text.utf8)
    let count = write(descriptor, bytes, bytes.count)
    let isWritten = count == bytes.count && fsync(descriptor) == 0
    // A disk that takes a part has no room for the rest.
    let number = (0..<bytes.count).contains(count) ? ENOSPC : errno
    close(descriptor)
    guard isWritten else { throw failure(number, at: path) }
    guard link(draft, path) == 0 || errno == EEXIST else { throw failure(errno, at: path) }
  }

  /// The key could not be written, with the system's error number: trying again may help if the disk is full or
  /// does not respond, as for the emulator's data.
  static func failure(_ number: Int32, at path: String) -> StartFailure {
    StartFailure(
      NamedFile.mayPass(number) ? .unavailable : .configuration,
      "The sealing key cannot be written: \(path): \(String(cString: strerror(number)))"
    )
  }

  /// Decodes both alphabets of RFC 4648, with or without padding.
  ///
  /// Unlike `Base64URL`, accepts unused bits in the last letter, which somebody may have made up.
  private static func bytes(ofBase64 text: String) -> Data? {
    let plain = text.replacing("-", with: "+").replacing("_", with: "/")
    let digits = plain.prefix { $0 != "=" }
    guard plain.dropFirst(digits.count).allSatisfy({ $0 == "=" }) else { return nil }
    let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
    return Data(base64Encoded: digits + padding)
  }
}
