public import AuthFlow
public import Foundation

/// `/tasks/setup-mfa`: sets up a second factor for the account, step by step.
///
/// Rules: P-mfasetup.
public struct SecondFactorSetupPage: Page {
  /// The value of the hidden field `method` that returns to the choice.
  public static let otherMethod = "choose"

  private let setup: SecondFactorSetup
  private let methods: [SecondFactorMethod]
  private let identifier: String
  private let phoneNumber: String?
  private let endsAt: Date?
  private let showsBackupCodes: Bool

  /// Asks for the next step.
  ///
  /// - Parameters:
  ///   - setup: The current step.
  ///   - methods: The methods that can be set up; a choice is offered if there are several.
  ///   - identifier: The identifier of the person.
  ///   - phoneNumber: The phone number that was typed.
  ///   - endsAt: When the session ends.
  ///   - showsBackupCodes: Whether backup codes may be shown when they are due; if not, the page
  ///     asks nothing about them.
  public init(
    setup: SecondFactorSetup,
    methods: [SecondFactorMethod],
    identifier: String,
    phoneNumber: String? = nil,
    endsAt: Date? = nil,
    showsBackupCodes: Bool = true
  ) {
    self.setup = setup
    self.methods = methods
    self.identifier = identifier
    self.phoneNumber = phoneNumber
    self.endsAt = endsAt
    self.showsBackupCodes = showsBackupCodes
  }

  public var address: Address? { .setUpSecondFactorTask }
  public var flow: FlowName? { .task }

  public var step: String {
    switch setup {
    case .methodRequired: "method"
    case .authenticatorRequired: "authenticator"
    case .phoneNumberRequired: "phone-number"
    case .codeRequired: "code"
    case .backupCodesOffered: "backup-codes"
    }
  }

  public var fields: [Field] {
    switch setup {
    case .methodRequired, .backupCodesOffered: []
    case .authenticatorRequired, .codeRequired: [.code]
    case .phoneNumberRequired: [.phoneNumber]
    }
  }

  public var soughtCode: SoughtCode? {
    switch setup {
    case .authenticatorRequired: .authenticator(of: identifier)
    case .codeRequired(let prompt):
      .sent(to: prompt.phoneNumber, worksUntil: prompt.code.expiresAt)
    case .methodRequired, .phoneNumberRequired, .backupCodesOffered: nil
    }
  }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: heading,
      identity: identifier,
      lead: lead(in: frame),
      handover: handover,
      forms: mainForms(in: frame) + resend(in: frame) + cancel + [.signOut(weight: .quiet)],
      links: links(in: frame),
      facts: facts(in: frame),
      endsAt: endsAt,
      needsNewMessage: prompt.map { AskedCode($0, in: frame).isOver } ?? false,
      setting: Setting(
        identifier: identifier,
        offersOtherMethods: methods.count > 1,
        destination: prompt?.phoneNumber
      )
    )
  }

  private var prompt: PhonePrompt? {
    if case .codeRequired(let prompt) = setup { return prompt }
    return nil
  }

  // MARK: Words

  private var heading: Phrase {
    switch setup {
    case .methodRequired: .page(.setupHeadingMethod)
    case .authenticatorRequired: .page(.setupHeadingAuthenticator)
    case .phoneNumberRequired: .page(.setupHeadingPhone)
    case .codeRequired: .page(.setupHeadingCode)
    case .backupCodesOffered: .page(.setupHeadingBackupCodes)
    }
  }

  private func lead(in frame: PageFrame) -> [Phrase] {
    switch setup {
    case .methodRequired: [.page(.setupLeadMethod)]
    case .authenticatorRequired: [.page(.setupLeadAuthenticator)]
    case .phoneNumberRequired: [.page(.setupLeadPhone)]
    case .codeRequired(let prompt):
      frame.tellsOfMessage
        ? [] : [.page(.codeSentPhone, ["destination": .strong(prompt.phoneNumber)])]
    case .backupCodesOffered: showsBackupCodes ? [.page(.setupLeadBackupCodes)] : []
    }
  }

  // MARK: Forms

  private func mainForms(in frame: PageFrame) -> [Form] {
    switch setup {
    case .methodRequired: methods.map(choice)
    case .authenticatorRequired(let prompt):
      [
        main(
          [
            .code(
              label: .field(.fieldLabelCodeApp),
              hint: .field(.fieldHintCode, ["length": .count(prompt.codeLength)])
            )
          ],
          button: .common(.actionContinue)
        )
      ]
    case .phoneNumberRequired:
      [
        main(
          [
            FormField(
              .phoneNumber,
              kind: .tel,
              label: .label(.field(.fieldNamePhoneNumber)),
              hint: Words.phoneHint,
              autocomplete: "tel",
              value: phoneNumber
            )
          ],
          button: .page(.setupTextMe)
        )
      ]
    case .codeRequired(let prompt):
      [
        main(
          [
            .code(
              label: .field(.fieldLabelCodePhone),
              hint: AskedCode(prompt, in: frame).hint
            )
          ],
          button: .common(.actionContinue)
        )
      ]
    case .backupCodesOffered:
      showsBackupCodes ? [main([], button: .page(.setupSaved))] : []
    }
  }

  private func main(_ fields: [FormField], button: Phrase) -> Form {
    Form(
      Address.setUpSecondFactorTask.lastPart,
      action: .setUpSecondFactorTask,
      fields: fields,
      button: button
    )
  }

  private func choice(_ method: SecondFactorMethod) -> Form {
    let words: Phrase =
      switch method {
      case .authenticator: .page(.setupUseAuthenticator)
      case .phone: .page(.setupUsePhone)
      }
    return Form(
      method.rawValue,
      action: .setUpSecondFactorTask,
      fields: [.hidden(.secondFactorMethod, value: method.rawValue)],
      button: words,
      weight: .choice
    )
  }

  private func resend(in frame: PageFrame) -> [Form] {
    guard let prompt else { return [] }
    return [
      .resend(
        .resendSetUpCode,
        availableAt: prompt.code.resendAvailableAt,
        now: frame.now
      )
    ]
  }

  /// The form that returns to the choice of method, or of a number if there is only one method.
  private var cancel: [Form] {
    let words: Phrase? =
      switch setup {
      case .methodRequired, .backupCodesOffered: nil
      case .authenticatorRequired, .phoneNumberRequired:
        methods.count > 1 ? .common(.actionCancel) : nil
      case .codeRequired: methods.count > 1 ? .common(.actionCancel) : .page(.setupOtherNumber)
      }
    return words.map { words in
      [
        Form(
          "cancel",
          action: .setUpSecondFactorTask,
          fields: [.hidden(.secondFactorMethod, value: Self.otherMethod)],
          button: words,
          weight: .quiet,
          purpose: "back"
        )
      ]
    } ?? []
  }

  private func links(in frame: PageFrame) -> [Link] {
    if case .backupCodesOffered = setup { return showsBackupCodes ? [] : retry(in: frame) }
    guard prompt != nil, let inbox = frame.emulation?.inboxPath else { return [] }
    return [.inbox(at: inbox)]
  }

  /// The link that tries again to show the codes; an error of the service has one of its own.
  private func retry(in frame: PageFrame) -> [Link] {
    if frame.error?.problems.contains(where: \.reason.isOfTheService) == true { return [] }
    return [
      Link(
        "try-again",
        href: Address.setUpSecondFactorTask.path,
        words: .common(.actionTryAgain),
        place: .action
      )
    ]
  }

  // MARK: What is shown here alone

  private var handover: Handover? {
    switch setup {
    case .authenticatorRequired(let prompt): .authenticator(prompt.secret)
    case .backupCodesOffered(let codes) where showsBackupCodes:
      .backupCodes(
        codes,
        download: Link(
          "download",
          href: "\(Address.setUpSecondFactorTask.path)?download",
          words: .page(.setupDownload)
        )
      )
    case .methodRequired, .phoneNumberRequired, .codeRequired, .backupCodesOffered: nil
    }
  }

  private func facts(in frame: PageFrame) -> [JSONValue.Member] {
    switch setup {
    case .methodRequired:
      [.init("methods", .array(methods.map { .string($0.rawValue) }))]
    case .authenticatorRequired(let prompt):
      [
        .init("secret", .string(prompt.secret.base32)),
        .init("uri", .string(prompt.secret.address)),
        .init("code_length", .number(prompt.codeLength)),
      ]
    case .phoneNumberRequired: []
    case .codeRequired(let prompt): AskedCode(prompt, in: frame).facts
    case .backupCodesOffered(let codes):
      showsBackupCodes
        ? [.init("backup_codes", .array(codes.codes.map(JSONValue.string)))] : []
    }
  }
}

extension BackupCodes {
  /// The codes as a text file, one per line.
  public func file(for applicationName: String) -> TextFile {
    TextFile(
      heading: .page(.setupCodesFile, ["application": .text(applicationName)]),
      lines: [""] + codes
    )
  }
}
