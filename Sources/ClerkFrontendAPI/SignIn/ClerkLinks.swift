internal import AuthAPIClient
@_spi(Provider) public import AuthFlow
internal import HTTPExchange
internal import HTTPTypes

/// Links in messages, as native apps follow them.
///
/// The email is requested with the hash of a secret that stays in this browser's visit. The link
/// returns an approval, and approval and secret together yield a ticket. Another browser does not
/// have the secret, so a forwarded or stolen link opens nothing.
///
/// Source: <doc:ClerkEmailLinks>, native variant; RFC 7636 for the secret and its hash.
extension ClerkProvider: EmailLinkProvider {
  /// The same provider, whose links in messages lead to those addresses.
  public func sending(_ links: LinkAddresses) -> ClerkProvider {
    var provider = self
    provider.linkAddresses = links
    return provider
  }

  public func readLink(_ parameters: [String: String]) -> FollowedLink? {
    if let flow = parameters["flow_id"], let token = parameters["approval_token"] {
      return FollowedLink(
        .unredeemed,
        parameters: ["flow_id": flow, "approval_token": token],
        attempt: Continuation(flow)
      )
    }
    guard let status = parameters["__clerk_status"] else { return nil }
    let verdict: FollowedLink.Verdict? =
      switch status {
      case "verified", "transferable": .verified
      case "expired": .expired
      case "client_mismatch": .otherBrowser
      case "failed": .failed
      default: nil
      }
    return verdict.map { FollowedLink($0, parameters: ["__clerk_status": status]) }
  }

  // MARK: Sign-in

  public func check(
    _ prompt: LinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    let attempt = prompt.attempt
    do {
      let answer = try await ask(.read(attempt), for: SignInResource.self, memory: &memory)
      if answer.resource.status.known == .needsFirstFactor {
        return answer.resource.firstVerification.linkRefusal.map { .refused($0, at: nil) }
          ?? .moved(to: .linkRequired(prompt))
      }
      let state = try await state(
        after: answer.resource,
        client: answer.client,
        identifier: attempt.identifier,
        memory: &memory
      )
      return .moved(to: state)
    } catch {
      return .refused(error.error, at: nil)
    }
  }

  public func follow(
    _ link: FollowedLink,
    for prompt: LinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    do throws(RefusedCall) {
      let call = Call.redeem(link, proof: prompt.proof)
      let redeemed = try await ask(call, for: RedeemedLink.self, memory: &memory)
      guard case .ticket(let ticket) = redeemed.resource else {
        throw RefusedCall(.nonsense("link-without-ticket"))
      }
      let state = try await step(
        .createSignIn(ticket: ticket),
        identifier: prompt.attempt.identifier,
        memory: &memory
      )
      return .moved(to: state)
    } catch {
      return .refused(error.error, at: nil)
    }
  }

  public func resend(
    _ prompt: LinkPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    do {
      return .moved(to: try await sendLink(prompt.factor, of: prompt.attempt, memory: &memory))
    } catch {
      let waiting = error.resendAllowedAt.map {
        SignInState.linkRequired(prompt.waiting(until: $0))
      }
      return .refused(error.error, at: waiting)
    }
  }

  func sendLink(
    _ factor: Factor,
    of attempt: SignInAttempt,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> SignInState {
    guard let linkAddresses else { throw RefusedCall(.methodUnavailable()) }
    let proof = ProofKey(random)
    let call = Call.prepare(factor, link: linkAddresses.signIn, proof: proof, of: attempt)
    let answer = try await ask(call, for: SignInResource.self, memory: &memory)
    return .linkRequired(
      LinkPrompt(
        attempt: attempt,
        factor: factor,
        proof: Continuation(proof.verifier),
        expiresAt: answer.resource.firstVerification?.expiresAt,
        resendAvailableAt: nextResend
      )
    )
  }
}

/// The result of redeeming a link: a ticket to sign in with, or the sign-up that continues.
enum RedeemedLink: Decodable, Sendable {
  case ticket(String)
  case signUp(SignUpResource)

  private enum Key: String, CodingKey { case ticket }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    if let ticket = container.text(at: .ticket) {
      self = .ticket(ticket)
    } else {
      self = .signUp(try SignUpResource(from: decoder))
    }
  }
}

extension Call {
  static func redeem(
    _ link: FollowedLink,
    proof: Continuation,
    purpose: Purpose = .signIn
  ) -> Call {
    let form: FormData = [
      "flow_id": link["flow_id"] ?? "", "approval_token": link["approval_token"] ?? "",
      "code_verifier": proof.token,
    ]
    return Call(.post, "client", "magic_links", "complete", form: form, purpose: purpose)
  }

  static func createSignIn(ticket: String) -> Call {
    Call(
      .post,
      "client",
      "sign_ins",
      form: ["strategy": "ticket", "ticket": ticket],
      purpose: .signIn
    )
  }

  fileprivate static func prepare(
    _ factor: Factor,
    link address: String,
    proof: ProofKey,
    of attempt: SignInAttempt
  ) -> Call {
    var form: FormData = ["strategy": "email_link"]
    if let reference = factor.reference { form.append("email_address_id", reference) }
    form.append("redirect_uri", address)
    form.fields += proof.parameters.fields
    return Call(
      .post,
      "client",
      "sign_ins",
      attempt.continuation.token,
      "prepare_first_factor",
      form: form,
      purpose: .signIn
    )
  }
}

extension VerificationResource? {
  var isExpired: Bool { self?.status == "expired" || self?.status == "failed" }

  /// Why the link that an attempt waits for cannot be followed any more; nil while it can.
  ///
  /// If it was followed and the attempt still waits, the answer was lost, and the ticket with it.
  var linkRefusal: AuthError? {
    switch self?.status {
    case "verified", "transferable":
      AuthError(Problem(.linkUsed, code: OwnCode.linkUsed), advice: .requestNewCode)
    case "client_mismatch": AuthError(Problem(.linkOtherBrowser, code: OwnCode.linkOtherBrowser))
    case "expired": AuthError(Problem(.linkExpired, code: "verification_expired"))
    case "failed": AuthError(Problem(.linkFailed, code: OwnCode.linkFailed))
    default: nil
    }
  }
}
