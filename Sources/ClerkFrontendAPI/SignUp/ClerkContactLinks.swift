internal import AuthAPIClient
@_spi(Provider) public import AuthFlow
internal import HTTPExchange
internal import HTTPTypes

/// Links that verify a new address.
///
/// Source: <doc:ClerkSigningUp#Calls>, <doc:ClerkEmailLinks>.
extension ClerkProvider: ContactLinkProvider {
  public func check(
    _ prompt: ContactLinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    do {
      let answer = try await ask(.read(prompt.attempt), for: SignUpResource.self, memory: &memory)
      let verification = answer.resource.verifications[Contact.emailAddress.rawValue]
      if answer.resource.unverifiedFields.contains(Contact.emailAddress.rawValue) {
        return verification.linkRefusal.map { .refused($0, at: nil) }
          ?? .moved(to: .linkRequired(prompt))
      }
      return .moved(to: try await state(after: answer, memory: &memory))
    } catch {
      return .refused(error.error, at: nil)
    }
  }

  public func follow(
    _ link: FollowedLink,
    for prompt: ContactLinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    do throws(RefusedCall) {
      let call = Call.redeem(link, proof: prompt.proof, purpose: .signUp)
      let redeemed = try await ask(call, for: RedeemedLink.self, memory: &memory)
      guard case .signUp(let resource) = redeemed.resource else {
        throw RefusedCall(.nonsense("link-without-sign-up"))
      }
      return .moved(to: try await state(after: (resource, redeemed.client), memory: &memory))
    } catch {
      return .refused(error.error.endingAttemptIfClaimed, at: nil)
    }
  }

  public func resend(
    _ prompt: ContactLinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    do {
      return .moved(to: try await sendLink(of: prompt.attempt, memory: &memory))
    } catch {
      let waiting = error.resendAllowedAt.map {
        SignUpState.linkRequired(prompt.waiting(until: $0))
      }
      return .refused(error.error, at: waiting)
    }
  }

  public func verify(
    _ attempt: SignUpAttempt,
    by proof: ContactProof,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    do {
      return switch proof {
      case .link: .moved(to: try await sendLink(of: attempt, memory: &memory))
      case .code:
        .moved(
          to: .codeRequired(try await send(.emailAddress, of: attempt, memory: &memory))
        )
      }
    } catch {
      return .refused(error.error, at: nil)
    }
  }

  func sendLink(
    of attempt: SignUpAttempt,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> SignUpState {
    guard let linkAddresses else { throw RefusedCall(.methodUnavailable()) }
    let proof = ProofKey(random)
    var form: FormData = ["strategy": ContactProof.link.rawValue]
    form.append("redirect_uri", linkAddresses.signUp)
    form.fields += proof.parameters.fields
    let call = attempt.step("prepare_verification", form)
    let answer = try await ask(call, for: SignUpResource.self, memory: &memory)
    let verification = answer.resource.verifications[Contact.emailAddress.rawValue]
    return .linkRequired(
      ContactLinkPrompt(
        attempt: attempt,
        destination: attempt.values[.emailAddress] ?? "",
        proof: Continuation(proof.verifier),
        expiresAt: verification?.expiresAt,
        resendAvailableAt: nextResend,
        offersCode: verification?.allows(ContactProof.code.rawValue) ?? true
      )
    )
  }
}
