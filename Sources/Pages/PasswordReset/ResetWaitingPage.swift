public import AuthFlow

/// `/forgot-password/waiting`: the new password was taken and is not in force yet.
///
/// Nothing reloads by itself; each press asks once (N5).
///
/// Rules: P-newpassword.
public struct ResetWaitingPage: Page {
  private let prompt: ResetWaitPrompt

  public init(prompt: ResetWaitPrompt) { self.prompt = prompt }

  public var address: Address? { .resetWaiting }
  public var step: String { "waiting" }
  public var flow: FlowName? { .passwordReset }
  public var fields: [Field] { [] }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: .page(.resetWaitingHeading),
      identity: prompt.attempt.identifier.text,
      lead: [.page(.resetWaitingLead)],
      forms: [
        Form(
          "check",
          action: .resetWaiting,
          button: .common(.actionCheckAgain)
        ),
        .restart(.passwordReset),
      ],
      endsAt: prompt.attempt.endsAt,
      setting: Setting(identifier: prompt.attempt.identifier.text, resetsPassword: true)
    )
  }
}
