extension ClerkTransaction {
  /// The table of contents of the emulator.
  func carryOut(_ route: ClerkRoute) throws -> ClerkReply {
    switch route {
    case .environment, .updateEnvironment, .health:
      preconditionFailure("answered without a transaction")
    case .createDevelopmentBrowser: try createDevelopmentBrowser()
    case .user(let route): try carryOut(route)
    case .reverification(let route): try carryOut(route)
    case .readClient: try readClient()
    case .createClient: try createClient()
    case .deleteClient: try deleteWholeClient()
    case .deleteSessions: try deleteSessions()
    case .createSignIn: try createSignIn()
    case .joinWaitingList: try joinWaitingList()
    case .completeMagicLink: try completeMagicLink()
    case .verifyLink: try verifyLink()
    case .readSignIn(let id): try readSignIn(id)
    case .prepareFirstFactor(let id): try prepareFirstFactor(id)
    case .attemptFirstFactor(let id): try attemptFirstFactor(id)
    case .prepareSecondFactor(let id): try prepareSecondFactor(id)
    case .attemptSecondFactor(let id): try attemptSecondFactor(id)
    case .resetPassword(let id): try resetPassword(id)
    case .createSignUp: try createSignUp()
    case .readSignUp(let id): try readSignUp(id)
    case .updateSignUp(let id): try updateSignUp(id)
    case .prepareSignUp(let id): try prepareSignUp(id)
    case .attemptSignUp(let id): try attemptSignUp(id)
    case .readSession(let id): try readSession(id)
    case .touchSession(let id): try touchSession(id)
    case .endSession(let id): try endSession(id)
    case .removeSession(let id): try removeSession(id)
    case .sessionToken(let id): try sessionToken(id)
    case .activeSessions: try activeSessions()
    case .revokeSession(let id): try revokeSession(id)
    case .readUser: try readUser()
    case .updateUser: try updateUser()
    case .changePassword: try changePassword()
    case .organization(let route): try carryOut(route)
    case .secondFactor(let route): try carryOut(route)
    }
  }

  /// Writes a reply down, with the client as it is now.
  func answer(_ reply: ClerkReply) throws -> ClerkAnswer {
    switch reply {
    case .resource(let resource):
      ClerkAnswer(
        status: 200,
        body: ["response": resource, "client": try clientJSON()],
        tokenChange: tokenChange
      )
    case .bare(let body):
      ClerkAnswer(status: 200, body: body, tokenChange: tokenChange)
    case .redirect(let address):
      ClerkAnswer(redirectTo: address, client: try clientJSON(), tokenChange: tokenChange)
    case .refused(let refusal):
      ClerkAnswer(
        refusal: refusal,
        client: try clientJSON(),
        random: random,
        tokenChange: tokenChange
      )
    }
  }
}
