internal import Foundation
internal import GRDB

/// An account as a row, read and written without a coder for speed: each call reads a few accounts,
/// and a users file may have a hundred thousand.
extension Account {
  /// - Throws: What GRDB reports about a column, or `DocumentError` for a malformed value.
  init(row: Row) throws {
    id = try row.decode(forColumn: "id")
    firstName = try row.decode(forColumn: "firstName")
    lastName = try row.decode(forColumn: "lastName")
    password = try row.jsonIfPresent("password").map(PasswordHash.init)
    passwordState = try ValueFormat.choice.read(.string(row.decode(forColumn: "passwordState")))
    passwordUpdatedAt = try row.decode(forColumn: "passwordUpdatedAt")
    totpSecret = try row.decode(forColumn: "totpSecret")
    pendingTOTPSecret = try row.decode(forColumn: "pendingTOTPSecret")
    totpUsedSteps = try row.elements(of: "totpUsedSteps") { $0.integer }
    backupCodes = try row.elements(of: "backupCodes", BackupCode.init)
    hasEmailSecondFactor = try row.decode(forColumn: "hasEmailSecondFactor")
    needsClientTrust = try row.decode(forColumn: "needsClientTrust")
    isBanned = try row.decode(forColumn: "isBanned")
    isEnterprise = try row.decode(forColumn: "isEnterprise")
    usesEmailLink = try row.decode(forColumn: "usesEmailLink")
    tasks = try row.elements(of: "tasks") { $0.string.flatMap(AccountDescription.Task.init) }
    entra = try AccountDescription.Entra.format
      .read(row.json("entra"), over: AccountDescription.Entra())
    unsafeMetadata = try row.decode(forColumn: "unsafeMetadata")
    createdAt = try row.decode(forColumn: "createdAt")
    updatedAt = try row.decode(forColumn: "updatedAt")
    lastSignInAt = try row.decode(forColumn: "lastSignInAt")
    legalAcceptedAt = try row.decode(forColumn: "legalAcceptedAt")
    lastActiveAt = try row.decode(forColumn: "lastActiveAt")
    mfaEnabledAt = try row.decode(forColumn: "mfaEnabledAt")
    mfaDisabledAt = try row.decode(forColumn: "mfaDisabledAt")
    totpCreatedAt = try row.decode(forColumn: "totpCreatedAt")
  }

  func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["firstName"] = firstName
    container["lastName"] = lastName
    container["password"] = password?.json.text
    container["passwordState"] = passwordState.rawValue
    container["passwordUpdatedAt"] = passwordUpdatedAt
    container["totpSecret"] = totpSecret
    container["pendingTOTPSecret"] = pendingTOTPSecret
    container["totpUsedSteps"] = JSON.array(totpUsedSteps.map(JSON.integer)).text
    container["backupCodes"] = JSON.array(backupCodes.map(\.json)).text
    container["hasEmailSecondFactor"] = hasEmailSecondFactor
    container["needsClientTrust"] = needsClientTrust
    container["isBanned"] = isBanned
    container["isEnterprise"] = isEnterprise
    container["usesEmailLink"] = usesEmailLink
    container["tasks"] = JSON.strings(tasks.map(\.rawValue)).text
    container["entra"] = AccountDescription.Entra.format.json(of: entra).text
    container["unsafeMetadata"] = unsafeMetadata
    container["createdAt"] = createdAt
    container["updatedAt"] = updatedAt
    container["lastSignInAt"] = lastSignInAt
    container["legalAcceptedAt"] = legalAcceptedAt
    container["lastActiveAt"] = lastActiveAt
    container["mfaEnabledAt"] = mfaEnabledAt
    container["mfaDisabledAt"] = mfaDisabledAt
    container["totpCreatedAt"] = totpCreatedAt
  }
}

extension Account.BackupCode {
  fileprivate init?(_ json: JSON) {
    guard let code = json["code"]?.string, let isUsed = json["isUsed"]?.bool else { return nil }
    self.init(code: code, isUsed: isUsed)
  }

  fileprivate var json: JSON { ["code": .string(code), "isUsed": .bool(isUsed)] }
}

extension Row {
  fileprivate func json(_ column: String) throws -> JSON {
    try JSON(document: decode(Data.self, forColumn: column))
  }

  func jsonIfPresent(_ column: String) throws -> JSON? {
    try decode(Data?.self, forColumn: column).map { data throws in try JSON(document: data) }
  }

  /// The elements of a JSON array; most arrays are empty.
  fileprivate func elements<Element>(
    of column: String,
    _ element: (JSON) -> Element?
  ) throws -> [Element] {
    let text = try decode(String.self, forColumn: column)
    guard text != "[]" else { return [] }
    guard let all = JSON(decoding: Array(text.utf8))?.array else { throw DocumentError.wrongType }
    return try all.map { json in
      guard let element = element(json) else { throw DocumentError.wrongType }
      return element
    }
  }
}

extension JSON {
  /// The value as text, without insignificant white space.
  var text: String { String(decoding: encoded, as: UTF8.self) }
}
