@_spi(Provider) public import AuthFlow
internal import HTTPExchange
internal import HTTPTypes

/// Invitations, and the waiting list for people without one.
///
/// Source: <doc:ClerkSigningUp#Calls>, <doc:ClerkSigningUp#Invitations-and-the-waiting-list>.
extension ClerkProvider: InvitationProvider, WaitingListProvider {
  private static let ticketParameter = "__clerk_ticket"

  public func readInvitation(_ parameters: [String: String]) -> Invitation? {
    parameters[Self.ticketParameter].map {
      Invitation(parameter: Self.ticketParameter, ticket: $0)
    }
  }

  public func accept(
    _ invitation: Invitation,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    let call = Call(
      .post,
      "client",
      "sign_ups",
      form: ["strategy": "ticket", "ticket": invitation.ticket],
      purpose: .signUp
    )
    let outcome = await signUpStep(call, memory: &memory)
    guard case .refused(let refusal, _) = outcome,
      refusal.problems.contains(where: { $0.code == "invitation_account_exists" })
    else { return outcome }
    do {
      return .moved(to: .continuing(try await signIn(by: invitation, memory: &memory)))
    } catch {
      // That the account exists is more useful than that the ticket cannot sign in.
      let isTold = error.error.endsAttempt || error.error.isOfTheMoment
      return isTold ? .refused(error.error, at: nil) : outcome
    }
  }

  /// Signs in an invited person who has an account already.
  ///
  /// Source: <doc:ClerkSigningIn#Create-a-sign-in>.
  private func signIn(
    by invitation: Invitation,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> SignInState {
    let answer = try await ask(
      .createSignIn(ticket: invitation.ticket),
      for: SignInResource.self,
      memory: &memory
    )
    // No identifier was typed, and a sign-in need not have one.
    let session = answer.resource.createdSessionID.flatMap { answer.client?.session($0) }
    let name = answer.resource.identifier ?? session?.user.identifier
    guard let identifier = name.flatMap(Identifier.init(typed:)) else {
      throw RefusedCall(.nonsense("ticket-without-identifier"))
    }
    return try await state(
      after: answer.resource,
      client: answer.client,
      identifier: identifier,
      memory: &memory
    )
  }

  public func joinWaitingList(
    _ address: String,
    memory: inout ProviderMemory
  ) async throws(AuthError) {
    let call = Call(.post, "waitlist", form: ["email_address": address], purpose: .signUp)
    do throws(RefusedCall) {
      let response = try await api.success(of: call, memory: &memory)
      guard JSONBody.decode(WaitingListEntry.self, from: response.body) != nil else {
        throw RefusedCall(.nonsense(response.lacking(WaitingListEntry.self)))
      }
    } catch {
      throw error.error
    }
  }
}

/// An entry of the waiting list.
///
/// Source: <doc:ClerkSigningUp>.
private struct WaitingListEntry: Decodable {
  let id: String
}
