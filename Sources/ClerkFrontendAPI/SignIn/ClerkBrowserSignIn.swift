@_spi(Provider) public import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// Sign-ins that continue at a provider's page, as in native apps.
///
/// The attempt is prepared with the address to return to, and answers with the address of the page.
/// A browser that returns brings a nonce, for which this client gets its new token. If the person
/// has given up there, it brings none, and is recognised by our own mark in the address.
///
/// Source: <doc:ClerkTransport#Requests>, <doc:ClerkSigningIn#Prepare-a-first-factor>,
/// <doc:ClerkSigningIn#Verifications>.
extension ClerkProvider: BrowserSignInProvider {
  public func readReturn(_ parameters: [String: String]) -> BrowserReturn? {
    if let nonce = parameters[Call.nonceName] { return BrowserReturn([Call.nonceName: nonce]) }
    return parameters[Self.mark] == nil ? nil : BrowserReturn([:])
  }

  public func receive(
    _ browserReturn: BrowserReturn,
    for prompt: BrowserPrompt
  ) -> Outcome<SignInState> {
    let nonce = browserReturn.values[Call.nonceName]
    // Returning once more without a nonce does not lose the one that was brought before.
    let browser =
      nonce.map { BrowserPrompt.Browser.brought(Continuation($0)) }
      ?? (prompt.hasReturned ? prompt.browser : .returned)
    return .moved(to: .browserRequired(prompt.back(as: browser)))
  }

  /// The parameter that the address to return to always has.
  private static let mark = "returned"

  public func check(
    _ prompt: BrowserPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignInState> {
    guard let attempt = prompt.attempt else { return .refused(.methodUnavailable(), at: nil) }
    var prompt = prompt
    do throws(RefusedCall) {
      let answer = try await read(attempt, awaitedBy: &prompt, memory: &memory)
      if answer.resource.status.known == .needsFirstFactor {
        return try await stillThere(answer.resource, prompt, memory: &memory)
      }
      let state = try await state(
        after: answer.resource,
        client: answer.client,
        identifier: prompt.identifier,
        memory: &memory
      )
      return .moved(to: state)
    } catch {
      return .refused(error.error, at: nil)
    }
  }

  /// Reads the attempt, with the nonce that was brought back.
  ///
  /// If the API rejects the nonce, it is forgotten, and the attempt is read without it: anybody's
  /// link may have brought it, so the client's token stays.
  private func read(
    _ attempt: SignInAttempt,
    awaitedBy prompt: inout BrowserPrompt,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> (resource: SignInResource, client: ClientResource?) {
    if case .brought(let nonce) = prompt.browser {
      var call = Call.read(attempt)
      call.query = [Call.nonceName: nonce.token]
      do throws(RefusedCall) {
        return try await ask(call, for: SignInResource.self, memory: &memory)
      } catch {
        guard error.has("authentication_invalid") else { throw error }
        prompt = prompt.back(as: .returned)
      }
    }
    return try await ask(.read(attempt), for: SignInResource.self, memory: &memory)
  }

  /// The person has not finished, or not in time, or has given up.
  private func stillThere(
    _ resource: SignInResource,
    _ prompt: BrowserPrompt,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> Outcome<SignInState> {
    try throwFailure(of: resource)
    guard resource.firstVerification.isExpired, let method = BrowserMethod(resource.firstFactors)
    else {
      return .moved(to: .browserRequired(prompt))
    }
    let attempt = SignInAttempt(resource, identifier: prompt.identifier)
    return .moved(
      to: .browserRequired(try await browserPrompt(for: attempt, method, memory: &memory))
    )
  }

  /// Asks for the address of the provider's page.
  func browserPrompt(
    for attempt: SignInAttempt,
    _ method: BrowserMethod,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> BrowserPrompt {
    var address: String?
    if let returnAddress = linkAddresses?.browserReturn {
      let marked = "\(returnAddress)?\(Self.mark)=1"
      let call = Call.prepare(method, comingBackTo: marked, of: attempt)
      let answer = try await ask(call, for: SignInResource.self, memory: &memory)
      address = answer.resource.firstVerification?.externalAddress
    }
    return BrowserPrompt(
      identifier: attempt.identifier,
      providerName: method.providerName,
      address: address,
      attempt: attempt
    )
  }
}

/// A way to sign in that needs a browser.
struct BrowserMethod: Hashable, Sendable {
  var strategy: String
  /// The provider of the page, if the API names it.
  var providerName: String?

  init(strategy: String, providerName: String?) {
    self.strategy = strategy
    self.providerName = providerName ?? Self.name(of: strategy)
  }

  /// The first of the factors that needs a browser; nil if none does.
  init?(_ factors: [FactorResource]) {
    guard let factor = factors.first(where: \.needsBrowser) else { return nil }
    self.init(strategy: factor.strategy, providerName: factor.connectionName)
  }

  /// The provider in a strategy's name: `oauth_google` is Google's.
  private static func name(of strategy: String) -> String? {
    guard strategy.hasPrefix("oauth_") else { return nil }
    let word = strategy.dropFirst("oauth_".count)
    let name = word.hasPrefix("custom_") ? word.dropFirst("custom_".count) : word
    return name.isEmpty ? nil : name.prefix(1).uppercased() + name.dropFirst()
  }
}

extension Call {
  fileprivate static func prepare(
    _ method: BrowserMethod,
    comingBackTo address: String,
    of attempt: SignInAttempt
  ) -> Call {
    Call(
      .post,
      "client",
      "sign_ins",
      attempt.continuation.token,
      "prepare_first_factor",
      form: [
        "strategy": method.strategy, "redirect_url": address,
        "action_complete_redirect_url": address,
      ],
      purpose: .signIn
    )
  }
}
