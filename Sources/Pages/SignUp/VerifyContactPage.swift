public import AuthFlow

/// `/sign-up/verify`: the code that was sent to a new address or number.
///
/// Rules: P-verify.
public struct VerifyContactPage: Page {
  private let prompt: ContactPrompt

  public init(prompt: ContactPrompt) { self.prompt = prompt }

  public var address: Address? { .verifyContact }
  public var step: String { "code" }
  public var flow: FlowName? { .signUp }
  public var fields: [Field] { [.code] }
  public var soughtCode: SoughtCode? {
    .sent(to: prompt.destination, worksUntil: prompt.code.expiresAt)
  }

  public func content(in frame: PageFrame) -> PageContent {
    let asked = AskedCode(prompt, in: frame)
    return PageContent(
      heading: .page(isPhone ? .verifyHeadingPhone : .verifyHeadingEmail),
      identity: prompt.destination,
      lead: frame.tellsOfMessage ? [] : [source],
      forms: [
        Form(
          Address.verifyContact.lastPart,
          action: .verifyContact,
          fields: [
            .code(
              label: Words.codeLabel(for: isPhone ? .phoneCode : .emailCode),
              hint: asked.hint
            )
          ],
          button: .common(.actionContinue)
        )
      ] + (prompt.offersLink ? [.proof(.link, at: .verifyContact)] : []) + [
        .resend(
          .resendContactCode,
          availableAt: prompt.code.resendAvailableAt,
          now: frame.now
        )
      ],
      links: [.change(at: Address.signUp.path + "?change")]
        + (frame.emulation?.inboxPath.map { [.inbox(at: $0)] } ?? []),
      facts: asked.facts,
      endsAt: prompt.attempt.endsAt,
      needsNewMessage: asked.isOver,
      setting: Setting(values: prompt.attempt.values, destination: prompt.destination)
    )
  }

  private var source: Phrase {
    .page(
      isPhone ? .codeSentPhone : .codeSentEmail,
      ["destination": .strong(prompt.destination)]
    )
  }

  private var isPhone: Bool { prompt.contact == .phoneNumber }
}
