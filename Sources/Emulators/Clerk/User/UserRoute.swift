internal import GRDB
internal import HTTPTypes

/// The calls by which people see and change what belongs to their account.
///
/// Source: clerk-frontend-api.md sections 3.9 to 3.11.
enum UserRoute: Hashable, Sendable {
  case allSessions
  case updateMetadata
  case deleteUser
  case emailAddress(EmailAddressRoute)

  /// Nil for a call of another kind.
  init?(_ call: ClerkCall) {
    switch (call.method, call.path.joined(separator: "/")) {
    case (.get, "me/sessions"): self = .allSessions
    case (.patch, "me/metadata"): self = .updateMetadata
    case (.delete, "me"): self = .deleteUser
    default:
      guard let route = EmailAddressRoute(call) else { return nil }
      self = .emailAddress(route)
    }
  }
}

extension ClerkTransaction {
  func carryOut(_ route: UserRoute) throws -> ClerkReply {
    switch route {
    case .allSessions: try allSessions()
    case .updateMetadata: try updateMetadata()
    case .deleteUser: try deleteUser()
    case .emailAddress(let route): try carryOut(route)
    }
  }

  /// `DELETE /v1/me`: the account is gone, with its sessions on every client.
  private func deleteUser() throws -> ClerkReply {
    let (_, account) = try signedIn()
    try Lockout.clear(account.id, db)
    try account.delete(db)
    try updateClient { $0.lastActiveSessionID = nil }
    try rotateToken()
    return .resource(["object": "user", "id": .string(account.id), "deleted": true])
  }
}
