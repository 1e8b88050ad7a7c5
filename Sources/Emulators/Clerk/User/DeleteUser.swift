internal import GRDB
internal import HTTPTypes

extension ClerkTransaction {
  /// `DELETE /v1/me`: deletes the account, with its sessions on every client.
  func deleteUser() throws -> ClerkOutcome {
    let (_, account) = try signedIn()
    try Lockout.clear(account.id, db)
    try account.delete(db)
    try updateClient { $0.lastActiveSessionID = nil }
    try rotateToken()
    return .resource(["object": "user", "id": .string(account.id), "deleted": true])
  }
}
