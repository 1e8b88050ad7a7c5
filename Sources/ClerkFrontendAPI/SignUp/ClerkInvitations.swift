@_spi(Provider) public import AuthFlow
internal import HTTPExchange
internal import HTTPTypes

/// Invitations, and the waiting list of those who have none.
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
    return await signUpStep(call, memory: &memory)
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

/// That somebody waits.
///
/// Source: <doc:ClerkSigningUp>.
private struct WaitingListEntry: Decodable {
  let id: String
}
