internal import GRDB
internal import HTTPExchange

/// Sending and checking codes, the same in every flow.
///
/// Source: Microsoft, native authentication API reference.
extension EntraTransaction {
  static var codeLength: Int { 8 }

  /// Sends a new code to the outbox; it supersedes the previous one.
  ///
  /// - Throws: `invalid_request` 701014 once the flow has sent as many codes as it may.
  func sendCode(
    by channel: Message.Channel,
    to target: String,
    for purpose: Message.Purpose,
    in flow: inout EntraFlow
  ) throws -> SentCode {
    guard flow.state.sentCount < EntraFlow.sendLimit else { throw EntraRefusal.tooManyCodes }
    let code = random.code(digitCount: Self.codeLength)
    flow.state.sentCount += 1
    let lifetimeSeconds = settings.entraCodeLifetimeSeconds
    try send(
      .code(code, lifetimeSeconds: lifetimeSeconds),
      for: purpose,
      to: MessageRecipient(channel: channel, address: target)
    )
    return SentCode(
      id: random.guid(),
      code: code,
      expireAt: now.adding(seconds: lifetimeSeconds)
    )
  }

  /// The answer that says where a code was sent.
  func codeSent(
    by channel: Message.Channel,
    to target: String,
    continuation token: String
  ) -> EntraOutcome {
    .success([
      "continuation_token": .string(token),
      "challenge_type": "oob",
      "binding_method": "prompt",
      "challenge_channel": .string(channel.rawValue),
      "challenge_target_label": .string(channel.masked(target)),
      "code_length": .integer(Int64(Self.codeLength)),
      "interval": .integer(Int64(settings.resendCooldownSeconds)),
    ])
  }

  /// Checks the code of the call.
  ///
  /// - Parameters:
  ///   - code: The code that was sent last.
  ///   - flow: The flow that waits for the code.
  ///   - account: The account of the flow; nil before it is made.
  ///   - stage: The flow's stage with an updated code.
  /// - Returns: Nil if the code is right; otherwise the refusal, after the try is counted.
  /// - Throws: `Interruption` on the first run, which counts the try.
  func refusal(
    of code: SentCode,
    in flow: EntraFlow,
    _ account: Account?,
    stage: (SentCode) -> EntraFlow.Stage
  ) throws -> EntraRefusal? {
    let typed = try form.required("oob")
    if let account, let refusal = try standing(of: account) { return refusal }
    if try isRight(typed, code, in: flow, stage: stage) { return nil }
    guard let account else { return .wrongCode }
    return try countFailure(.wrongCode, of: account)
  }

  /// Whether a typed code is the latest one; compared only after the try is on disk (S20).
  ///
  /// A code that has expired, was superseded or had too many tries is wrong like any other.
  /// - Throws: `Interruption` on the first run, which counts the try.
  private func isRight(
    _ typed: String,
    _ code: SentCode,
    in flow: EntraFlow,
    stage: (SentCode) -> EntraFlow.Stage
  ) throws -> Bool {
    guard code.expireAt > now else { return false }
    if !hasCountedTry(of: code.id), code.tryCount >= settings.codeAttempts { return false }
    try countTry(of: code.id) {
      var counted = flow
      var code = code
      code.tryCount += 1
      counted.state.stage = stage(code)
      try counted.update(db)
    }
    return isEqualInConstantTime(code.code, typed)
  }
}

extension InstanceSettings {
  /// How long a code of the emulated Entra is valid: no longer than its flow.
  var entraCodeLifetimeSeconds: Int { min(codeLifetimeSeconds, EntraFlow.lifetimeSeconds) }
}
