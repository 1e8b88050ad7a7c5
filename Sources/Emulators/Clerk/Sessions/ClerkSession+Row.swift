internal import GRDB

/// Reads and writes the row of a session without `Codable`, which is slower: every answer about a
/// client reads its sessions.
extension ClerkSession {
  /// - Throws: What GRDB reports about a column; `DocumentError` for a malformed device.
  init(row: Row) throws {
    id = try row.decode(forColumn: "id")
    clientID = try row.decode(forColumn: "clientID")
    accountID = try row.decode(forColumn: "accountID")
    ending = try row.decode(forColumn: "ending")
    organizationID = try row.decode(forColumn: "organizationID")
    createdAt = try row.decode(forColumn: "createdAt")
    updatedAt = try row.decode(forColumn: "updatedAt")
    expireAt = try row.decode(forColumn: "expireAt")
    abandonAt = try row.decode(forColumn: "abandonAt")
    lastActiveAt = try row.decode(forColumn: "lastActiveAt")
    firstFactorAt = try row.decode(forColumn: "firstFactorAt")
    secondFactorAt = try row.decode(forColumn: "secondFactorAt")
    isPersonal = try row.decode(forColumn: "isPersonal")
    activity = try row.jsonIfPresent("activity").map(SessionActivity.init(stored:))
  }

  func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["clientID"] = clientID
    container["accountID"] = accountID
    container["ending"] = ending
    container["organizationID"] = organizationID
    container["createdAt"] = createdAt
    container["updatedAt"] = updatedAt
    container["expireAt"] = expireAt
    container["abandonAt"] = abandonAt
    container["lastActiveAt"] = lastActiveAt
    container["firstFactorAt"] = firstFactorAt
    container["secondFactorAt"] = secondFactorAt
    container["isPersonal"] = isPersonal
    container["activity"] = activity?.stored.text
  }
}

extension SessionActivity {
  /// - Throws: `DocumentError` if the device has no id, or does not say whether it is mobile.
  fileprivate init(stored json: JSON) throws {
    guard let id = json["id"]?.string, let isMobile = json["isMobile"]?.bool else {
      throw DocumentError.wrongType
    }
    self.id = id
    self.isMobile = isMobile
    deviceType = json["deviceType"]?.string
    browserName = json["browserName"]?.string
    browserVersion = json["browserVersion"]?.string
    address = json["address"]?.string
  }

  fileprivate var stored: JSON {
    var json: JSON = ["id": .string(id), "isMobile": .bool(isMobile)]
    json["deviceType"] = deviceType.map(JSON.string)
    json["browserName"] = browserName.map(JSON.string)
    json["browserVersion"] = browserVersion.map(JSON.string)
    json["address"] = address.map(JSON.string)
    return json
  }
}
