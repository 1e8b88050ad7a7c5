@_spi(Provider) public import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// Setting up a second factor.
///
/// Source: <doc:ClerkUsers#Authenticator-apps-and-backup-codes>, <doc:ClerkSessionsAndTasks#Tasks>,
/// <doc:ClerkSessionsAndTasks#Decisions>.
extension ClerkProvider: SetUpSecondFactorTaskProvider {
  public func beginAuthenticatorSetup(
    for session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<SessionTaskState> {
    let call = Call(.post, "me", "totp", sessionID: session.id, purpose: .task)
    do throws(RefusedCall) {
      let made = try await ask(call, for: AuthenticatorResource.self, memory: &memory).resource
      guard let base32 = made.secret, let address = made.address,
        let secret = AuthenticatorSecret(base32: base32, address: address)
      else { throw RefusedCall(.nonsense("no-authenticator-secret")) }
      let prompt = AuthenticatorPrompt(secret: secret)
      return .moved(to: .setUpSecondFactorTask(session, .authenticatorRequired(prompt)))
    } catch {
      return await outcome(of: error, for: session, memory: &memory)
    }
  }

  public func submit(
    _ code: VerificationCode,
    for prompt: AuthenticatorPrompt,
    of session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<SessionTaskState> {
    let call = Call(
      .post,
      "me",
      "totp",
      "attempt_verification",
      sessionID: session.id,
      form: ["code": code.secret],
      purpose: .task
    )
    do throws(RefusedCall) {
      let proven = try await ask(call, for: AuthenticatorResource.self, memory: &memory)
      return .moved(
        to: try await state(
          of: session,
          in: proven.client,
          telling: proven.resource.backupCodes,
          memory: &memory
        )
      )
    } catch {
      return await outcome(of: error, for: session, memory: &memory)
    }
  }

  public func beginPhoneSetup(
    _ phoneNumber: String,
    for session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<SessionTaskState> {
    do throws(RefusedCall) {
      let phone = try await phone(phoneNumber, of: session, memory: &memory)
      if phone.isVerified { return .moved(to: try await reserve(phone, session, &memory)) }
      return .moved(to: try await send(to: phone, session, &memory))
    } catch {
      return await outcome(of: error, for: session, memory: &memory)
    }
  }

  public func submit(
    _ code: VerificationCode,
    for prompt: PhonePrompt,
    of session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<SessionTaskState> {
    let call = Call.phone(
      prompt.reference,
      "attempt_verification",
      ["code": code.secret],
      session
    )
    do throws(RefusedCall) {
      let phone: PhoneResource
      do throws(RefusedCall) {
        phone = try await ask(call, for: PhoneResource.self, memory: &memory).resource
      } catch {
        // The code was accepted before, but the step after it was not completed.
        guard error.has("verification_already_verified") else { throw error }
        return .moved(to: try await reserve(prompt.reference, session, &memory))
      }
      return .moved(to: try await reserve(phone, session, &memory))
    } catch {
      return await outcome(of: error, for: session, memory: &memory)
    }
  }

  public func resend(
    _ prompt: PhonePrompt,
    of session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<SessionTaskState> {
    do throws(RefusedCall) {
      let phone = try await prepare(prompt.reference, session, &memory)
      return .moved(to: .asking(session, phone, resendAvailableAt: nextResend))
    } catch {
      let waiting = error.resendAllowedAt.map { date in
        SessionTaskState.setUpSecondFactorTask(session, .codeRequired(prompt.waiting(until: date)))
      }
      return .refused(error.error, at: waiting)
    }
  }

  public func finishSecondFactorSetup(
    of session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<Session> {
    do {
      return .moved(to: try await updated(session, in: nil, memory: &memory))
    } catch {
      return .refused(error.error, at: nil)
    }
  }

  /// The account's own number, added if the account does not have it.
  private func phone(
    _ number: String,
    of session: Session,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> PhoneResource {
    let call = Call(
      .post,
      "me",
      "phone_numbers",
      sessionID: session.id,
      form: ["phone_number": number],
      purpose: .task
    )
    do throws(RefusedCall) {
      return try await ask(call, for: PhoneResource.self, memory: &memory).resource
    } catch {
      guard error.has("form_identifier_exists") else { throw error }
      let own = try await phones(of: session, memory: &memory)
      guard let phone = own.first(where: { $0.number == number }) else { throw error }
      return phone
    }
  }

  /// The account's own numbers, which the API sends as a bare array.
  private func phones(
    of session: Session,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> [PhoneResource] {
    let call = Call(.get, "me", "phone_numbers", sessionID: session.id, purpose: .task)
    return try await api.list(call, of: PhoneResource.self, memory: &memory).elements
  }

  private func prepare(
    _ id: String,
    _ session: Session,
    _ memory: inout ProviderMemory
  ) async throws(RefusedCall) -> PhoneResource {
    let call = Call.phone(id, "prepare_verification", ["strategy": "phone_code"], session)
    return try await ask(call, for: PhoneResource.self, memory: &memory).resource
  }

  /// Has a code sent; if it is too soon for another, the one that was sent before is asked for.
  private func send(
    to phone: PhoneResource,
    _ session: Session,
    _ memory: inout ProviderMemory
  ) async throws(RefusedCall) -> SessionTaskState {
    do throws(RefusedCall) {
      let sent = try await prepare(phone.id, session, &memory)
      return .asking(session, sent, resendAvailableAt: nextResend)
    } catch {
      guard let until = error.resendAllowedAt else { throw error }
      return .asking(session, phone, resendAvailableAt: until)
    }
  }

  private func reserve(
    _ phone: PhoneResource,
    _ session: Session,
    _ memory: inout ProviderMemory
  ) async throws(RefusedCall) -> SessionTaskState {
    guard !phone.isSecondFactor else {
      return try await state(of: session, in: nil, telling: phone.backupCodes, memory: &memory)
    }
    return try await reserve(phone.id, session, &memory)
  }

  /// Makes a proven number a second factor.
  private func reserve(
    _ id: String,
    _ session: Session,
    _ memory: inout ProviderMemory
  ) async throws(RefusedCall) -> SessionTaskState {
    let call = Call(
      .patch,
      "me",
      "phone_numbers",
      id,
      sessionID: session.id,
      form: ["reserved_for_second_factor": true.wireWord],
      purpose: .task
    )
    let answer = try await ask(call, for: PhoneResource.self, memory: &memory)
    return try await state(
      of: session,
      in: answer.client,
      telling: answer.resource.backupCodes,
      memory: &memory
    )
  }

  /// The state of a session whose second factor is set up: its backup codes first, if there are
  /// any.
  private func state(
    of session: Session,
    in client: ClientResource?,
    telling codes: [String],
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> SessionTaskState {
    if let codes = BackupCodes(codes) {
      return .setUpSecondFactorTask(session, .backupCodesOffered(codes))
    }
    return SessionTaskState(of: try await updated(session, in: client, memory: &memory))
  }

  /// The outcome of a refusal; if the second factor exists already, the task is done.
  private func outcome(
    of refusal: RefusedCall,
    for session: Session,
    memory: inout ProviderMemory
  ) async -> Outcome<SessionTaskState> {
    guard refusal.has("totp_already_enabled") || refusal.has("verification_already_verified") else {
      return .refused(refusal.error, at: nil)
    }
    do {
      let now = try await updated(session, in: nil, memory: &memory)
      guard now.tasks.first != .setUpSecondFactor else {
        return .refused(refusal.error, at: nil)
      }
      return .moved(to: SessionTaskState(of: now))
    } catch {
      return .refused(error.error, at: nil)
    }
  }
}

extension SessionTaskState {
  fileprivate static func asking(
    _ session: Session,
    _ phone: PhoneResource,
    resendAvailableAt: Date
  ) -> SessionTaskState {
    let prompt = PhonePrompt(
      phoneNumber: phone.number,
      reference: phone.id,
      expiresAt: phone.verification?.expiresAt,
      resendAvailableAt: resendAvailableAt
    )
    return .setUpSecondFactorTask(session, .codeRequired(prompt))
  }
}

extension Call {
  fileprivate static func phone(
    _ id: String,
    _ step: String,
    _ form: FormData,
    _ session: Session
  ) -> Call {
    Call(
      .post,
      "me",
      "phone_numbers",
      id,
      step,
      sessionID: session.id,
      form: form,
      purpose: .task
    )
  }
}
