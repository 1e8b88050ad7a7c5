@_spi(Provider) package import AuthFlow
import Testing

extension ScriptedProvider: ChooseOrganizationTaskProvider, SetUpSecondFactorTaskProvider {
  private func session(_ call: String, _ memory: inout ProviderMemory) -> Outcome<Session> {
    guard case .session(let outcome) = answer(call, &memory) else { return unscripted(call) }
    return outcome
  }

  private func task(
    _ call: String,
    _ memory: inout ProviderMemory
  ) -> Outcome<SessionTaskState> {
    guard case .task(let outcome) = answer(call, &memory) else { return unscripted(call) }
    return outcome
  }

  private func done(_ call: String, _ memory: inout ProviderMemory) throws(AuthError) {
    switch answer(call, &memory) {
    case .done: return
    case .thrown(let error): throw error
    default: Issue.record("unscripted call: \(call)")
    }
  }

  package func organizations(
    for session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) -> OrganizationOptions {
    try done("organizations", &memory)
    return OrganizationOptions()
  }

  package func choose(
    _ choice: OrganizationChoice,
    for session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<Session> {
    switch choice {
    case .organization(let id): self.session("choose \(id)", &memory)
    case .personalAccount: self.session("choose personal", &memory)
    }
  }

  package func createOrganization(
    named name: String,
    slug: String?,
    for session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<Session> {
    self.session("create \(name) \(slug ?? "-")", &memory)
  }

  package func acceptInvitation(
    _ id: String,
    for session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) { try done("accept \(id)", &memory) }

  package func requestMembership(
    suggestedBy id: String,
    for session: Session,
    memory: inout ProviderMemory
  ) async throws(AuthError) { try done("ask \(id)", &memory) }

  package func beginAuthenticatorSetup(
    for session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<SessionTaskState> { task("authenticator", &memory) }

  package func submit(
    _ code: VerificationCode,
    for prompt: AuthenticatorPrompt,
    of session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<SessionTaskState> { task("app code \(code.secret)", &memory) }

  package func beginPhoneSetup(
    _ phoneNumber: String,
    for session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<SessionTaskState> { task("phone \(phoneNumber)", &memory) }

  package func submit(
    _ code: VerificationCode,
    for prompt: PhonePrompt,
    of session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<SessionTaskState> { task("phone code \(code.secret)", &memory) }

  package func resend(
    _ prompt: PhonePrompt,
    of session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<SessionTaskState> { task("resend \(prompt.reference)", &memory) }

  package func finishSecondFactorSetup(
    of session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<Session> { self.session("finish", &memory) }
}
