public import AuthFlow

/// `/tasks/setup-mfa`: a second factor that the account has not had yet, step by step.
///
/// Rules: P-mfasetup.
public struct SecondFactorSetupPage: Page {
  /// What the hidden field `method` says for going back to the choice.
  public static let otherMethod = "choose"

  private let setup: SecondFactorSetup
  private let methods: [SecondFactorMethod]
  private let identifier: String
  private let phoneNumber: String?

  /// Asks for the next step.
  ///
  /// - Parameters:
  ///   - setup: How far it has come.
  ///   - methods: What can be set up; the choice is offered where there are several.
  ///   - identifier: Who is signing in.
  ///   - phoneNumber: What was typed as phone number.
  public init(
    setup: SecondFactorSetup,
    methods: [SecondFactorMethod],
    identifier: String,
    phoneNumber: String? = nil
  ) {
    self.setup = setup
    self.methods = methods
    self.identifier = identifier
    self.phoneNumber = phoneNumber
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

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: heading,
      identity: identifier,
      lead: lead(in: frame),
      handover: handover,
      forms: mainForms(in: frame) + resend(in: frame) + cancel + [.signOut(weight: .quiet)],
      links: links(in: frame),
      facts: facts(in: frame),
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

  private var heading: String {
    switch setup {
    case .methodRequired: "Set up two-step verification"
    case .authenticatorRequired: "Set up your authenticator app"
    case .phoneNumberRequired: "Add your phone"
    case .codeRequired: "Confirm your phone"
    case .backupCodesOffered: "Save your backup codes"
    }
  }

  private func lead(in frame: PageFrame) -> [Prose] {
    switch setup {
    case .methodRequired:
      ["From now on, signing in takes a second step. Choose how you will confirm it is you."]
    case .authenticatorRequired:
      [
        "Scan the picture with your app, or type the setup key into it. Then enter the code it shows."
      ]
    case .phoneNumberRequired: ["We will text a code to it, now and whenever you sign in."]
    case .codeRequired(let prompt):
      frame.tellsOfMessage ? [] : ["We texted a code to \(strong: prompt.phoneNumber)."]
    case .backupCodesOffered:
      [
        """
        Each of these codes signs you in once if you lose your second factor. They are shown only \
        now: keep them somewhere safe.
        """
      ]
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
              label: "Code from your authenticator app",
              hint: "\(prompt.codeLength) digits."
            )
          ],
          button: "Continue"
        )
      ]
    case .phoneNumberRequired:
      [
        main(
          [
            FormField(
              .phoneNumber,
              kind: .tel,
              label: "Phone number",
              hint: Words.phoneHint,
              autocomplete: "tel",
              value: phoneNumber
            )
          ],
          button: "Text me a code"
        )
      ]
    case .codeRequired(let prompt):
      [
        main(
          [.code(label: "Code from your text message", hint: AskedCode(prompt, in: frame).hint)],
          button: "Continue"
        )
      ]
    case .backupCodesOffered: [main([], button: "I have saved them – continue")]
    }
  }

  private func main(_ fields: [FormField], button: String) -> Form {
    Form(
      Address.setUpSecondFactorTask.lastPart,
      action: .setUpSecondFactorTask,
      fields: fields,
      button: button
    )
  }

  private func choice(_ method: SecondFactorMethod) -> Form {
    let words =
      switch method {
      case .authenticator: "Use an authenticator app"
      case .phone: "Use a phone that takes text messages"
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
        availableAt: prompt.resendAvailableAt,
        now: frame.now
      )
    ]
  }

  /// The way back to the choice, or to another number where there is no choice.
  private var cancel: [Form] {
    let words: String? =
      switch setup {
      case .methodRequired, .backupCodesOffered: nil
      case .authenticatorRequired, .phoneNumberRequired: methods.count > 1 ? "Cancel" : nil
      case .codeRequired: methods.count > 1 ? "Cancel" : "Use another number"
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
    guard prompt != nil, let inbox = frame.emulation?.inboxPath else { return [] }
    return [.inbox(at: inbox)]
  }

  // MARK: What is shown here alone

  private var handover: Handover? {
    switch setup {
    case .authenticatorRequired(let prompt): .authenticator(prompt.secret)
    case .backupCodesOffered(let codes):
      .backupCodes(
        codes,
        download: Link(
          "download",
          href: "\(Address.setUpSecondFactorTask.path)?download",
          words: "Download"
        )
      )
    case .methodRequired, .phoneNumberRequired, .codeRequired: nil
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
      [.init("backup_codes", .array(codes.codes.map(JSONValue.string)))]
    }
  }
}

extension BackupCodes {
  /// The codes as a text file, one per line.
  ///
  /// - Parameter applicationName: What they are for.
  /// - Returns: Lines that end as those of every system can be read.
  public func file(for applicationName: String) -> String {
    (["Backup codes for \(applicationName). Each works once.", ""] + codes)
      .map { $0 + "\r\n" }.joined()
  }
}
