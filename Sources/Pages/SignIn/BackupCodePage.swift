public import AuthFlow

/// `/sign-in/second-factor/backup-code`: one of the codes that were saved for a bad day.
///
/// Rules: P-backup.
public struct BackupCodePage: Page {
  private let prompt: CodePrompt
  private let offersOtherMethods: Bool
  public let flow: FlowName?

  public init(prompt: CodePrompt, flow: FlowName, offersOtherMethods: Bool) {
    self.prompt = prompt
    self.flow = flow
    self.offersOtherMethods = offersOtherMethods
  }

  public var address: Address? { .backupCode }
  public var step: String { "backup-code" }
  public var fields: [Field] { [.code] }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: .page(.backupCodeHeading),
      identity: prompt.attempt.identifier.text,
      forms: [
        Form(
          Address.backupCode.lastPart,
          action: .backupCode,
          fields: [.backupCode],
          button: .common(.actionContinue)
        ),
        .restart(.signIn),
      ],
      links: offersOtherMethods ? [.methods(at: .secondFactorMethods)] : [],
      endsAt: prompt.attempt.endsAt,
      setting: Setting(
        identifier: prompt.attempt.identifier.text,
        asksForBackupCode: true,
        offersOtherMethods: offersOtherMethods
      )
    )
  }
}
