@_spi(Provider) public import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

extension ClerkProvider: SignUpProvider {
  /// The problems that can be found without a call, under the API's codes (<doc:ClerkErrorCodes>).
  public func foreseenProblems(with details: SignUpDetails) -> [Problem] {
    var problems: [Problem] = []
    if let address = details.values[.emailAddress], !address.contains("@") {
      problems.append(.malformed(.emailAddress))
    }
    if let number = details.values[.phoneNumber], PhoneNumber.cleaned(number) == nil {
      problems.append(.malformed(.phoneNumber))
    }
    if let password = details.password, let rules = lastKnownInstance?.passwordRules,
      password.secret.unicodeScalars.count < rules.minimumLength
    {
      problems.append(
        Problem(
          .passwordTooShort(minimum: rules.minimumLength),
          at: .password,
          code: "form_password_length_too_short"
        )
      )
    }
    return problems
  }

  public func beginSignUp(
    _ details: SignUpDetails,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    let call = Call(.post, "client", "sign_ups", form: details.form, purpose: .signUp)
    return await signUpStep(call, memory: &memory)
  }

  public func submit(
    _ details: SignUpDetails,
    for prompt: MissingDetailsPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    let id = prompt.attempt.continuation.token
    let call = Call(.patch, "client", "sign_ups", id, form: details.form, purpose: .signUp)
    return await signUpStep(call, of: prompt.attempt, memory: &memory)
  }

  public func submit(
    _ code: VerificationCode,
    for prompt: ContactPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    let call = prompt.attempt.step(
      "attempt_verification",
      ["strategy": prompt.contact.strategy, "code": code.secret]
    )
    return await signUpStep(call, of: prompt.attempt, proving: prompt.contact, memory: &memory)
  }

  public func resend(
    _ prompt: ContactPrompt,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    do {
      let sent = try await send(prompt.contact, of: prompt.attempt, memory: &memory)
      return .moved(to: .codeRequired(sent))
    } catch {
      let standing = error.standing(of: prompt)
      return .refused(error.error, at: standing.map(SignUpState.codeRequired))
    }
  }

  /// Makes a call that answers with the sign-up, and continues until a person is needed.
  ///
  /// If the API has carried out the call before and its answer was lost, it refuses the second one:
  /// then the attempt is read, and continues from there (<doc:ClerkSigningUp#Decisions>).
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - attempt: The attempt that it advances; nil if it begins one.
  ///   - contact: The contact that it verifies.
  ///   - memory: What is known of this browser.
  /// - Returns: The state of the attempt.
  func signUpStep(
    _ call: Call,
    of attempt: SignUpAttempt? = nil,
    proving contact: Contact? = nil,
    memory: inout ProviderMemory
  ) async -> Outcome<SignUpState> {
    // A sign-up that the API has accepted has replaced the one under way, even if it is refused
    // later.
    var standing: SignUpState?
    do throws(RefusedCall) {
      let answer: (resource: SignUpResource, client: ClientResource?)
      do throws(RefusedCall) {
        answer = try await ask(call, for: SignUpResource.self, memory: &memory)
      } catch {
        guard error.mayBeDoneAlready, let attempt else { throw error }
        answer = try await ask(.read(attempt), for: SignUpResource.self, memory: &memory)
        if answer.resource.stillLacks(contact) { throw error }
      }
      if attempt == nil { standing = .detailsRequired }
      return .moved(to: try await state(after: answer, memory: &memory))
    } catch {
      let refusal = attempt == nil ? error.error : error.error.endingAttemptIfClaimed
      return .refused(refusal, at: standing)
    }
  }

  /// The state of the attempt after an answer; a message that is due next is sent.
  func state(
    after answer: (resource: SignUpResource, client: ClientResource?),
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> SignUpState {
    switch SignUpAnswer(answer.resource) {
    case .detailsMissing(let prompt):
      return .detailsMissing(prompt)
    case .contactUnverified(.emailAddress, let attempt, let verification)
    where verification?.prefersLink ?? false && linkAddresses != nil:
      return try await sendLink(of: attempt, memory: &memory)
    case .contactUnverified(let contact, let attempt, let verification):
      guard verification?.allows(contact.strategy) ?? true else {
        throw RefusedCall(.methodUnavailable())
      }
      if let verification, verification.awaitsCode(at: api.clock.now) {
        return .codeRequired(
          ContactPrompt(
            contact,
            of: attempt,
            verification: verification,
            resendAvailableAt: nextResend
          )
        )
      }
      return .codeRequired(try await send(contact, of: attempt, memory: &memory))
    case .complete(let sessionID):
      let session = try await newSession(sessionID, in: answer.client, memory: &memory)
      return .continuing(.complete(session))
    case .stuck(let error):
      throw RefusedCall(error)
    }
  }

  func send(
    _ contact: Contact,
    of attempt: SignUpAttempt,
    memory: inout ProviderMemory
  ) async throws(RefusedCall) -> ContactPrompt {
    let call = attempt.step("prepare_verification", ["strategy": contact.strategy])
    let answer = try await ask(call, for: SignUpResource.self, memory: &memory)
    return ContactPrompt(
      contact,
      of: attempt,
      verification: answer.resource.verifications[contact.rawValue],
      resendAvailableAt: nextResend
    )
  }
}

extension Call {
  static func read(_ attempt: SignUpAttempt) -> Call {
    Call(.get, "client", "sign_ups", attempt.continuation.token, purpose: .signUp)
  }
}

extension SignUpResource {
  /// Whether the sign-up is incomplete, and that contact, if there is one, not verified.
  fileprivate func stillLacks(_ contact: Contact?) -> Bool {
    guard status.known == .missingRequirements else { return false }
    return contact.map { unverifiedFields.contains($0.rawValue) } ?? true
  }
}

extension SignUpAttempt {
  func step(_ name: String, _ form: FormData) -> Call {
    Call(.post, "client", "sign_ups", continuation.token, name, form: form, purpose: .signUp)
  }
}

extension SignUpDetails {
  /// The details as parameters; fields that the API does not know are left out.
  ///
  /// Source: <doc:ClerkSigningUp#Calls>.
  fileprivate var form: FormData {
    var form = FormData()
    for field in Field.pageOrder {
      switch field {
      case .password:
        if let password { form.append(field.name, password.secret) }
      case .legalAccepted:
        if let acceptsTerms { form.append(field.name, acceptsTerms.wireWord) }
      default:
        if let value = values[field] { form.append(field.name, value) }
      }
    }
    return form
  }
}

extension ContactPrompt {
  fileprivate init(
    _ contact: Contact,
    of attempt: SignUpAttempt,
    verification: VerificationResource?,
    resendAvailableAt: Date?
  ) {
    self.init(
      attempt: attempt,
      contact: contact,
      destination: attempt.values[contact.field] ?? "",
      expiresAt: verification?.expiresAt,
      resendAvailableAt: resendAvailableAt,
      offersLink: contact == .emailAddress && verification?.offersLink ?? false
    )
  }
}

extension RefusedCall {
  fileprivate func standing(of prompt: ContactPrompt) -> ContactPrompt? {
    resendAllowedAt.map(prompt.waiting(until:))
  }
}

extension Problem {
  fileprivate static func malformed(_ field: Field) -> Problem {
    Problem(.formatInvalid, at: field, code: "form_param_format_invalid")
  }
}
