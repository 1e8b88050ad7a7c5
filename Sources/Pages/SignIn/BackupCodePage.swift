public import AuthFlow

/// `/sign-in/second-factor/backup-code`: one of the codes that were saved for a bad day.
///
/// Rules: P-backup.
public struct BackupCodePage: Page {
  private let prompt: CodePrompt
  private let back: Address?
  private let offersOtherMethods: Bool
  public let flow: FlowName?

  /// Asks for a backup code.
  ///
  /// - Parameters:
  ///   - prompt: The prompt for the code.
  ///   - flow: The flow that the code belongs to.
  ///   - back: The step that it replaces; nil if it was chosen from a list.
  ///   - offersOtherMethods: Whether there are methods besides this one and that step's.
  public init(
    prompt: CodePrompt,
    flow: FlowName,
    back: Address? = nil,
    offersOtherMethods: Bool
  ) {
    self.prompt = prompt
    self.flow = flow
    self.back = back
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
      links: links,
      endsAt: prompt.attempt.endsAt,
      setting: Setting(
        identifier: prompt.attempt.identifier.text,
        asksForBackupCode: true,
        offersOtherMethods: offersOtherMethods
      )
    )
  }

  private var links: [Link] {
    var links: [Link] = []
    if offersOtherMethods { links.append(.methods(at: .secondFactorMethods)) }
    if let back { links.append(.back(to: back)) }
    return links
  }
}
