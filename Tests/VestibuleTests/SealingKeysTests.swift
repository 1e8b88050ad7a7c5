import Foundation
import Testing
import TestSupport

@testable import Vestibule

@Suite("Sealing keys")
struct SealingKeysTests {
  private static let key = Data(repeating: 7, count: 32).base64EncodedString()

  /// Gives the body a file with that text and those permissions.
  private static func withFile(
    _ text: String,
    mode: Int = 0o600,
    _ body: (String) throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = "\(folder)/keys"
      try #require(
        FileManager.default.createFile(
          atPath: path,
          contents: Data(text.utf8),
          attributes: [.posixPermissions: mode]
        )
      )
      try body(path)
    }
  }

  @Test(
    "a file has one key a line, in either alphabet, with comments between (S12)",
    arguments: [
      key, "\(key)\n", "# first\n\n  \(key)  \n\(key)\n",
      Data(repeating: 0xFF, count: 33).base64EncodedString()
        .replacing("/", with: "_").replacing("+", with: "-"),
      "# from another system\r\n\(key)\r\n\r\n\(key)\r\n", String(key.filter { $0 != "=" }),
      Data(repeating: 1, count: 64).base64EncodedString(),
      // In a text that nobody encoded, the last letter has more bits than the bytes have room for.
      String(repeating: "z", count: 43),
    ]
  )
  func reads(text: String) async throws {
    try await Self.withFile(text) { path in _ = try SealingKeys.read(path) }
  }

  @Test(
    "a line that is not a key is named by its number, never by its text (S30)",
    arguments: [
      ("", "has no key"), ("# nothing\n", "has no key"), ("secret-passphrase!", "line 1"),
      ("\(key)\nshort", "line 2"), ("# a note\r\nshort\r\n", "line 2"),
      ("\(key)\r\nshort\r\n", "line 2"), ("\(key) and a word", "line 1"),
      ("\(key)=and more", "line 1"),
      (Data(repeating: 7, count: 31).base64EncodedString(), "line 1"),
    ]
  )
  func refuses(text: String, reason: String) async throws {
    try await Self.withFile(text) { path in
      do throws(StartFailure) {
        _ = try SealingKeys.read(path)
        Issue.record("accepted: \(text)")
      } catch {
        #expect(error.kind == .configuration)
        #expect(error.description.contains(reason))
        #expect(!error.description.contains("passphrase"))
      }
    }
  }

  @Test(
    "a key that a full disk does not take may be tried again, one in a closed folder may not",
    arguments: [
      (ENOSPC, .unavailable), (EDQUOT, .unavailable), (EIO, .unavailable),
      (EACCES, .configuration), (EROFS, .configuration), (ENOENT, .configuration),
    ] as [(Int32, StartFailure.Kind)]
  )
  func unwritable(number: Int32, kind: StartFailure.Kind) {
    let failure = SealingKeys.failure(number, at: "data/sealing-keys")
    #expect(failure.kind == kind)
    #expect(failure.description.contains("data/sealing-keys: "))
  }

  @Test(
    "a file that is open to others stops the start (S12)",
    arguments: [0o644, 0o640, 0o604, 0o660]
  )
  func openToOthers(mode: Int) async throws {
    try await Self.withFile(Self.key, mode: mode) { path in
      _ = #expect(throws: StartFailure.self) { try SealingKeys.read(path) }
    }
  }

  @Test(
    "another owner's file may be readable by our group, but not writable",
    arguments: [
      (0o600, true, false), (0o400, true, false), (0o640, true, true), (0o440, true, true),
      (0o600, false, false), (0o640, false, false), (0o440, false, false), (0o660, false, true),
      (0o644, false, true), (0o604, false, true), (0o641, false, true),
    ]
  )
  func access(mode: Int, isOurs: Bool, isOpen: Bool) {
    let file = SecretFile(path: "keys", mode: mode, isOurs: isOurs, isOfOurGroup: true)
    #expect(file.isOpenToOthers == isOpen)
    let other = SecretFile(path: "keys", mode: mode, isOurs: isOurs, isOfOurGroup: false)
    #expect(other.isOpenToOthers == (mode & 0o077 != 0))
    // Closing another owner's file by its mode alone would keep us from it.
    #expect(file.advice.contains("run chmod 600 keys") == isOurs)
    #expect(file.advice.contains("chgrp") == !isOurs)
  }

  @Test(
    "the same holds for real files of another owner",
    .enabled(if: geteuid() == 0, "nobody else can give files away"),
    arguments: [
      (0o640, getegid(), true), (0o660, getegid(), false), (0o640, 65_533, false),
      (0o600, 65_533, true),
    ]
  )
  func ofSomebodyElse(mode: Int, group: gid_t, isRead: Bool) async throws {
    try await Self.withFile(Self.key, mode: mode) { path in
      try #require(chown(path, 65_534, group) == 0)
      #expect(((try? SealingKeys.read(path)) != nil) == isRead)
    }
  }

  @Test(
    "for a file behind links, the file's own permissions count",
    arguments: [0o400, 0o644]
  )
  func behindLinks(mode: Int) async throws {
    try await Self.withFile(Self.key, mode: mode) { path in
      // As Kubernetes mounts secrets.
      for (link, target) in [("\(path).now", path), ("\(path).link", "\(path).now")] {
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      }
      #expect(NamedFile.secret(at: "\(path).link")?.mode == mode)
      let isRead = (try? SealingKeys.read("\(path).link")) != nil
      #expect(isRead == (mode == 0o400))
    }
  }

  @Test("a folder gets one key, for its owner only, and keeps it")
  func kept() async throws {
    try await withTemporaryFolder { folder in
      _ = try SealingKeys.kept(in: folder)
      let path = "\(folder)/sealing-keys"
      let first = FileManager.default.contents(atPath: path)
      _ = try SealingKeys.kept(in: folder)
      #expect(FileManager.default.contents(atPath: path) == first)
      #expect(NamedFile.secret(at: path)?.mode == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["sealing-keys"])
    }
  }
}
