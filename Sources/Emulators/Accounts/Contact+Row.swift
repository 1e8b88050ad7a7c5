internal import GRDB

/// A contact as a row, read and written without a coder, like an account.
extension Contact {
  /// - Throws: What GRDB reports about a column.
  init(row: Row) throws {
    id = try row.decode(forColumn: "id")
    accountID = try row.decode(forColumn: "accountID")
    kind = try row.decode(forColumn: "kind")
    value = try row.decode(forColumn: "value")
    isPrimary = try row.decode(forColumn: "isPrimary")
    isSecondFactor = try row.decode(forColumn: "isSecondFactor")
    isDefaultSecondFactor = try row.decode(forColumn: "isDefaultSecondFactor")
    createdAt = try row.decode(forColumn: "createdAt")
    position = try row.decode(forColumn: "position")
  }

  func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["accountID"] = accountID
    container["kind"] = kind
    container["value"] = value
    container["isPrimary"] = isPrimary
    container["isSecondFactor"] = isSecondFactor
    container["isDefaultSecondFactor"] = isDefaultSecondFactor
    container["createdAt"] = createdAt
    container["position"] = position
  }
}
