internal import Foundation

/// A prompt for a code, with the calls by which the auth API judges a code and sends another.
///
/// The rules for codes are the same in every flow.
struct CodeExchange<Prompt: AsksForCode, State: MessageAwaiting> {
  /// The result of a typed code.
  enum Answer {
    /// The code was not compared with any, so it proves nothing.
    case unproven(Advance<State>)
    /// The auth API's answer, and the state of the flow if the code was refused.
    case judged(Outcome<State>, from: State)
  }

  private let prompt: Prompt
  private let state: @Sendable (Prompt) -> State
  private let submit: @Sendable (VerificationCode, inout ProviderMemory) async -> Outcome<State>
  private let resend: @Sendable (inout ProviderMemory) async -> Outcome<State>

  /// - Parameters:
  ///   - prompt: The prompt that asks for the code.
  ///   - state: Returns the state of the flow while a prompt asks for a code.
  ///   - submit: Has the auth API judge a code.
  ///   - resend: Has it send another one.
  init(
    _ prompt: Prompt,
    at state: @escaping @Sendable (Prompt) -> State,
    submit: @escaping @Sendable (VerificationCode, inout ProviderMemory) async -> Outcome<State>,
    resend: @escaping @Sendable (inout ProviderMemory) async -> Outcome<State>
  ) {
    self.prompt = prompt
    self.state = state
    self.submit = submit
    self.resend = resend
  }

  /// Submits a typed code.
  ///
  /// A code that cannot be right is refused without a call, so that no try is spent on it (F8).
  /// Where the auth API says that it has not sent a code, one is sent. Where it says that a new
  /// code is needed, the prompt's code becomes void, and another one can be requested at once.
  func answer(_ typed: VerificationCode, memory: inout ProviderMemory) async -> Answer {
    if let error = prompt.refusal(of: typed) {
      return .unproven(.refused(error, at: state(prompt)))
    }
    let outcome = await submit(typed, &memory)
    if outcome.tellsThatNoCodeWasSent {
      let sent = await resend(&memory)
      return .unproven(sent.sentAgain(telling: .codeSent, from: state(prompt)))
    }
    return .judged(outcome, from: state(outcome.asksForNewCode ? prompt.voided : prompt))
  }

  /// Sends another code, if it is time for one (N4).
  func sendAgain(at now: Date, memory: inout ProviderMemory) async -> Advance<State> {
    if let error = resendRefusal(until: prompt.code.resendAvailableAt, at: now) {
      return .refused(error, at: state(prompt))
    }
    return await resend(&memory).sentAgain(telling: .codeResent, from: state(prompt))
  }
}
