internal import Foundation

/// A code that is asked for, and how the auth API takes one and sends another.
///
/// The rules of it are the same in every flow.
struct CodeExchange<Prompt: AsksForCode, State: MessageAwaiting> {
  /// What came of a code that was typed.
  enum Answer {
    /// It was compared with none, so that it proves nothing.
    case unproven(Advance<State>)
    /// What the auth API said of it, and where the flow stands if it was refused.
    case judged(Outcome<State>, from: State)
  }

  private let prompt: Prompt
  private let state: @Sendable (Prompt) -> State
  private let submit: @Sendable (VerificationCode, inout ProviderMemory) async -> Outcome<State>
  private let resend: @Sendable (inout ProviderMemory) async -> Outcome<State>

  /// - Parameters:
  ///   - prompt: What asks for the code.
  ///   - state: Where the flow stands while a prompt asks for one.
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

  /// Submits what was typed.
  ///
  /// What cannot be right costs no try (F8), and where no code was sent that it could be, one is. A
  /// code that was tried too often need not be waited for any more.
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

  /// Sends another code, once it is time (N4).
  func sendAgain(at now: Date, memory: inout ProviderMemory) async -> Advance<State> {
    if let error = resendRefusal(until: prompt.code.resendAvailableAt, at: now) {
      return .refused(error, at: state(prompt))
    }
    return await resend(&memory).sentAgain(telling: .codeResent, from: state(prompt))
  }
}
