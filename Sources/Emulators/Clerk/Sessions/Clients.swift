internal import GRDB

/// Source: <doc:ClerkSessionsAndTasks>.
extension ClerkTransaction {
  /// `GET /v1/client`.
  func readClient() throws -> ClerkOutcome {
    if client == nil, call.token != nil { forgetToken() }
    if let client, var signIn = try presentSignIn(of: client), try standingSession == nil {
      // An obstacle is reported when the attempt itself is read; here the client is shown as it is.
      _ = try collectApproval(of: &signIn)
    }
    return .client
  }

  /// `PUT` or `POST /v1/client`.
  func createClient() throws -> ClerkOutcome {
    _ = try clientOrNew()
    return .client
  }

  /// `DELETE /v1/client`: ends all sessions and forgets the device.
  func deleteWholeClient() throws -> ClerkOutcome {
    guard client != nil else { throw ClerkRefusal.resourceNotFound }
    try deleteClient()
    return .bare(["response": nil, "client": nil])
  }

  /// `DELETE /v1/client/sessions`: signs out everywhere on this device, which stays known.
  func deleteSessions() throws -> ClerkOutcome {
    guard let client else { throw ClerkRefusal.authenticationInvalid }
    try db.cachedStatement(sql: "DELETE FROM session WHERE clientID = ?")
      .execute(arguments: [client.id])
    try updateClient {
      $0.lastActiveSessionID = nil
      $0.signInID = nil
      $0.signUpID = nil
    }
    try rotateToken()
    return .client
  }
}
