internal import GRDB

/// Reads and writes the row of a client without `Codable`, which is slower: every call reads one.
extension ClerkClient {
  /// - Throws: What GRDB reports of a column.
  init(row: Row) throws {
    id = try row.decode(forColumn: "id")
    tokenHash = try row.decode(forColumn: "tokenHash")
    signInID = try row.decode(forColumn: "signInID")
    signUpID = try row.decode(forColumn: "signUpID")
    lastActiveSessionID = try row.decode(forColumn: "lastActiveSessionID")
    lastStrategy = try row.decode(forColumn: "lastStrategy")
    createdAt = try row.decode(forColumn: "createdAt")
    updatedAt = try row.decode(forColumn: "updatedAt")
  }

  func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["tokenHash"] = tokenHash
    container["signInID"] = signInID
    container["signUpID"] = signUpID
    container["lastActiveSessionID"] = lastActiveSessionID
    container["lastStrategy"] = lastStrategy
    container["createdAt"] = createdAt
    container["updatedAt"] = updatedAt
  }
}
