internal import AuthAPIClient
@_spi(Provider) public import AuthFlow
internal import Foundation
internal import HTTPExchange

/// Signing in through a browser, if the tenant asks for more than these pages can: the
/// authorization code flow with PKCE.
///
/// Source: <doc:EntraChallengeTypes#Authorization-code-flow>; RFC 6749, section 4.1; RFC 7636;
/// OpenID Connect Core, section 3.1.2.
extension EntraProvider: BrowserSignInProvider {
  /// The same provider, with the addresses that browsers return to.
  ///
  /// - Parameters:
  ///   - links: Addresses of the pages.
  ///   - browserBase: The base under which a browser reaches the tenant's path; nil leaves it.
  /// - Returns: A provider that shares the tenant's keys with this one.
  public func sending(_ links: LinkAddresses, browserBase: String? = nil) -> EntraProvider {
    var provider = self
    provider.browserReturn = links.browserReturn
    if let browserBase { provider.api.tenant.browserBase = browserBase }
    return provider
  }

  /// The prompt to continue in a browser; the service does not say whose page asks for it.
  ///
  /// Source: <doc:EntraTokenRenewal#Claims-challenges>.
  /// - Parameters:
  ///   - identifier: Who signs in.
  ///   - reason: Why, in the service's own words.
  ///   - origin: The flow that was begun.
  ///   - claims: The claims that were demanded and have to be requested there.
  ///   - isPastFirstFactor: Whether a first factor was proven here, so that only the rest is asked
  ///     there.
  /// - Returns: A prompt; it has no address if a browser cannot get there and back.
  func browserPrompt(
    for identifier: Identifier,
    _ reason: String?,
    from origin: BrowserPrompt.Origin = .signIn,
    demanding claims: String? = nil,
    isPastFirstFactor: Bool = false
  ) -> BrowserPrompt {
    guard let browserBase = api.tenant.browserBase, let browserReturn else {
      return BrowserPrompt(
        origin: origin,
        identifier: identifier,
        providerName: "Microsoft",
        explanation: reason
      )
    }
    let errand = BrowserErrand(returningTo: browserReturn, randomBytes)
    var query: FormData = [
      "client_id": api.tenant.clientID, "response_type": "code",
      "redirect_uri": errand.redirectURI,
      "scope": Scopes.requested(api.tenant.scopes).joined(separator: " "),
      "state": errand.state, "nonce": errand.nonce, "login_hint": identifier.text,
    ]
    query.fields += errand.proof.parameters.fields
    if let claims {
      let capabilities = api.tenant.clientCapabilities
      let merged = ClaimsChallenge.parameter(demanding: claims, capabilities: capabilities)
      if let merged { query.append("claims", merged) }
    }
    return BrowserPrompt(
      origin: origin,
      identifier: identifier,
      providerName: "Microsoft",
      address: query.address(at: "\(browserBase)\(api.tenant.path)/oauth2/v2.0/authorize"),
      explanation: reason,
      attempt: SignInAttempt(
        identifier: identifier,
        continuation: errand.continuation,
        firstFactors: [],
        // Attempts have second factors only after the first one is proven, which is how the page
        // knows.
        secondFactors: isPastFirstFactor ? [Factor(kind: .enterprise)] : []
      )
    )
  }

  public func readReturn(_ parameters: [String: String]) -> BrowserReturn? {
    guard parameters["code"] != nil || parameters["error"] != nil else { return nil }
    return BrowserReturn(parameters.filter { ["code", "error", "state"].contains($0.key) })
  }

  /// A return without the errand's state was not requested, and changes nothing.
  public func receive(
    _ browserReturn: BrowserReturn,
    for prompt: BrowserPrompt
  ) -> Outcome<SignInState> {
    let values = browserReturn.values
    guard var errand = prompt.errand, values["state"] == errand.state else {
      return .moved(to: .browserRequired(prompt))
    }
    if let error = values["error"] {
      let server = ServerError(error: error.plainID ?? "invalid_response")
      return .refused(self.error(server, at: .browserReturn, traceID: nil), at: nil)
    }
    errand.code = values["code"]
    let attempt = prompt.attempt?.going(on: errand.continuation)
    return .moved(to: .browserRequired(prompt.back(as: .returned, attempt: attempt)))
  }

  /// Redeems the code that the browser brought back.
  public func check(
    _ prompt: BrowserPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    guard let attempt = prompt.attempt, let errand = prompt.errand else {
      return .refused(.methodUnavailable, at: nil)
    }
    guard let code = errand.code else { return .moved(to: .browserRequired(prompt)) }
    return await redeem(
      .authorizationCode(code, verifier: errand.proof.verifier, redirectURI: errand.redirectURI),
      at: .browserReturn,
      of: attempt.going(on: attempt.continuation, secondFactors: []),
      nonce: errand.nonce,
      memory: &memory
    )
  }
}

/// What was sent to the browser's page, and what it brought back; it leaves the visit only in the
/// address and in the token call.
struct BrowserErrand: Codable, Hashable, Sendable {
  let state: String
  let nonce: String
  let proof: ProofKey
  let redirectURI: String
  /// The authorization code, once the browser is back.
  var code: String?

  init(returningTo address: String, _ randomBytes: (Int) -> [UInt8]) {
    func secret() -> String { Base64URL.text(of: randomBytes(32)) }
    state = secret()
    nonce = secret()
    proof = ProofKey(randomBytes)
    redirectURI = address
  }

  /// Nil if the continuation is not an errand.
  init?(_ continuation: Continuation) {
    let text = Array(continuation.token.utf8)
    guard let errand = JSONBody.decode(Self.self, from: text) else { return nil }
    self = errand
  }

  var continuation: Continuation {
    // Strings can always be encoded.
    let data = (try? JSONEncoder().encode(self)) ?? Data()
    return Continuation(String(decoding: data, as: UTF8.self))
  }
}

extension BrowserPrompt {
  fileprivate var errand: BrowserErrand? { attempt.flatMap { BrowserErrand($0.continuation) } }
}
