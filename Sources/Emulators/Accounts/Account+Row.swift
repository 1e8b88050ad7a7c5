internal import Foundation
internal import GRDB

/// An account as a row, written without an encoder: a users file may have a hundred thousand of them.
extension Account {
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
  fileprivate var json: JSON { ["code": .string(code), "isUsed": .bool(isUsed)] }
}

extension PasswordHash {
  /// As its decoder reads it.
  fileprivate var json: JSON {
    [
      "cost": [
        "rounds": .integer(Int64(cost.rounds)), "blockSize": .integer(Int64(cost.blockSize)),
        "parallelism": .integer(Int64(cost.parallelism)),
      ],
      "salt": .string(salt.base64EncodedString()),
      "key": .string(key.base64EncodedString()),
    ]
  }
}

extension JSON {
  /// The value as text, without insignificant white space.
  var text: String { String(decoding: encoded, as: UTF8.self) }
}
