@testable import Emulators
import Foundation
import GRDB
import Testing
import TestSupport

@Suite("The accounts of a stored world")
struct StoredAccountsTests {
  private static func users(
    _ names: [String],
    password: String = "walk-right-in-42"
  ) -> [AccountDescription] {
    names.map { name in
      var user = AccountDescription()
      user.emailAddresses = ["\(name)@example.com"]
      user.password = password
      return user
    }
  }

  /// Opens the world in a folder, or makes it.
  ///
  /// - Returns: Whether the world began with other accounts, as a look and opening it both say.
  private static func keepsOthers(
    _ folder: String,
    than users: [AccountDescription],
    _ use: (World) async throws -> Void = { _ in }
  ) async throws -> Bool {
    let isSeen = Worlds.keepsOtherAccounts(in: folder, than: users, behind: .clerk)
    let world = try TestWorld(storage: .folder(folder), users: users)
    #expect(world.worlds.keptOtherAccounts == isSeen)
    try await use(world.world)
    world.worlds.close()
    return isSeen
  }

  @Test("a world reports that it began with other accounts than those given, until a reset")
  func others() async throws {
    try await withTemporaryFolder { folder in
      let (two, other) = (Self.users(["ann", "bob"]), Self.users(["carl"]))
      #expect(try await !Self.keepsOthers(folder, than: two))
      #expect(try await !Self.keepsOthers(folder, than: two.reversed()))
      let areOthers = try await Self.keepsOthers(folder, than: other) { world in
        #expect(try await world.account(identifiedBy: "ann@example.com") != nil)
        #expect(try await world.account(identifiedBy: "carl@example.com") == nil)
        try await world.reset()
        #expect(try await world.account(identifiedBy: "carl@example.com") != nil)
      }
      #expect(areOthers)
      #expect(try await !Self.keepsOthers(folder, than: other))
      #expect(try await Self.keepsOthers(folder, than: two))
    }
  }

  @Test("later changes do not make accounts count as others, but another password in the file does")
  func changed() async throws {
    try await withTemporaryFolder { folder in
      let users = Self.users(["ann"])
      _ = try await Self.keepsOthers(folder, than: users) { world in
        let ann = try await world.account(identifiedBy: "ann@example.com")
        let id = try #require(ann?.id)
        _ = try await world.change(id, ["password": "walk-right-in-43"])
        _ = try await world.add(Self.users(["bob"])[0])
      }
      #expect(try await !Self.keepsOthers(folder, than: users))
      let renewed = Self.users(["ann"], password: "walk-right-in-43")
      #expect(try await Self.keepsOthers(folder, than: renewed))
    }
  }

  @Test("demo users differ from a file's accounts, and nothing is reported if no file is given")
  func demoUsers() async throws {
    try await withTemporaryFolder { folder in
      try TestWorld(storage: .folder(folder)).worlds.close()
      let ann = Self.users(["ann"])
      let areOthers = try await Self.keepsOthers(folder, than: ann) { try await $0.reset() }
      #expect(areOthers)
      let again = try TestWorld(storage: .folder(folder))
      #expect(!again.worlds.keptOtherAccounts)
      again.worlds.close()
    }
  }

  @Test(
    "nothing is reported about a world that an older program began",
    arguments: SchemaTests.names
  )
  func older(name: String) async throws {
    try await withTemporaryFolder { folder in
      let dump = try String(contentsOfFile: "\(ProjectFolder.schemas)/\(name).sql", encoding: .utf8)
      let older = try DatabasePool(path: "\(folder)/main.sqlite")
      try await older.writeWithoutTransaction { db in try db.execute(sql: dump) }
      try older.close()
      #expect(try await !Self.keepsOthers(folder, than: Self.users(["ann"])))
    }
  }

  @Test(
    "looking at a folder creates nothing, leaves nothing behind and sees what is only in the log"
  )
  func look() async throws {
    try await withTemporaryFolder { folder in
      let (ann, bob) = (Self.users(["ann"]), Self.users(["bob"]))
      let (none, kept, killed) = ("\(folder)/none", "\(folder)/kept", "\(folder)/killed")
      #expect(!Worlds.keepsOtherAccounts(in: none, than: bob, behind: .clerk))
      #expect(!FileManager.default.fileExists(atPath: none))
      let world = try TestWorld(storage: .folder(kept), users: ann)
      // What a killed process leaves behind.
      try FileManager.default.createDirectory(atPath: killed, withIntermediateDirectories: true)
      for name in ["main.sqlite", "main.sqlite-wal"] {
        try FileManager.default.copyItem(atPath: "\(kept)/\(name)", toPath: "\(killed)/\(name)")
      }
      world.worlds.close()
      #expect(Worlds.keepsOtherAccounts(in: killed, than: bob, behind: .clerk))
      #expect(!Worlds.keepsOtherAccounts(in: killed, than: ann, behind: .clerk))
      #expect(Worlds.keepsOtherAccounts(in: kept, than: bob, behind: .clerk))
      #expect(!Worlds.keepsOtherAccounts(in: kept, than: bob, behind: .entra))
      #expect(try FileManager.default.contentsOfDirectory(atPath: kept) == ["main.sqlite"])
    }
  }
}
