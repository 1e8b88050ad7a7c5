internal import GRDB

/// Source: clerk-frontend-api.md section 3.1.
extension ClerkTransaction {
  /// `GET /v1/client`.
  func readClient() throws -> ClerkReply {
    if client == nil, call.token != nil { forgetToken() }
    if let client, var signIn = try presentSignIn(of: client),
      let refusal = try collectApproval(of: &signIn)
    {
      return refusal
    }
    return .resource(try clientJSON())
  }

  /// `PUT` or `POST /v1/client`.
  func createClient() throws -> ClerkReply {
    _ = try clientOrNew()
    return .resource(try clientJSON())
  }

  /// `DELETE /v1/client`: ends all sessions and forgets the device.
  func deleteWholeClient() throws -> ClerkReply {
    guard client != nil else { throw ClerkRefusal.resourceNotFound }
    try deleteClient()
    return .bare(["response": nil, "client": nil])
  }

  /// `DELETE /v1/client/sessions`: signs out everywhere on this device, which stays known.
  func deleteSessions() throws -> ClerkReply {
    guard let client else { throw ClerkRefusal.authenticationInvalid }
    try db.cachedStatement(sql: "DELETE FROM session WHERE clientID = ?")
      .execute(arguments: [client.id])
    try updateClient {
      $0.lastActiveSessionID = nil
      $0.signInID = nil
      $0.signUpID = nil
    }
    try rotateToken()
    return .resource(try clientJSON())
  }
}
