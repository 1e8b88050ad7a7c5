public import AuthFlow
import Foundation

/// A page that asks for a code that was sent or that an app shows; its path depends on the stage.
///
/// `/sign-in/code`, `/sign-in/second-factor`, `/sign-in/device` and `/forgot-password/code`.
///
/// Rules: P-code and P-resetcode.
public struct CodePage: Page {
  private let prompt: CodePrompt
  private let offersOtherMethods: Bool
  public let flow: FlowName?

  public init(prompt: CodePrompt, flow: FlowName, offersOtherMethods: Bool) {
    self.prompt = prompt
    self.flow = flow
    self.offersOtherMethods = offersOtherMethods
  }

  public var address: Address? { prompt.stage.codeAddress }
  public var step: String { "code" }
  public var fields: [Field] { [.code] }

  public var soughtCode: SoughtCode? {
    switch prompt.factor.kind {
    case .authenticatorCode: .authenticator(of: prompt.attempt.identifier.text)
    case .emailCode, .phoneCode, .resetPasswordEmailCode, .resetPasswordPhoneCode:
      .sent(to: prompt.factor.destination, worksUntil: prompt.code.expiresAt)
    case .emailLink, .backupCode, .password, .enterprise: nil
    }
  }

  public func content(in frame: PageFrame) -> PageContent {
    let place = prompt.stage.codeAddress
    let asked = AskedCode(prompt, in: frame)
    return PageContent(
      heading: heading,
      identity: prompt.attempt.identifier.text,
      lead: lead(in: frame),
      forms: [
        Form(
          place.lastPart,
          action: place,
          fields: [.code(label: Words.codeLabel(for: prompt.factor.kind), hint: asked.hint)],
          button: .common(.actionContinue)
        )
      ] + resend(in: frame) + [
        .restart(prompt.stage == .passwordReset ? .passwordReset : .signIn)
      ],
      links: links(in: frame),
      facts: asked.facts,
      endsAt: prompt.attempt.endsAt,
      needsNewMessage: asked.isOver,
      setting: Setting(
        identifier: prompt.attempt.identifier.text,
        offersOtherMethods: offersOtherMethods,
        destination: prompt.factor.destination
      )
    )
  }

  private var heading: Phrase {
    switch prompt.stage {
    case .firstFactor: .page(.codeHeadingSignIn)
    case .secondFactor: .page(.codeHeadingSecondFactor)
    case .deviceTrust: .page(.codeHeadingDevice)
    case .enrolment: .page(.codeHeadingEnrolment)
    case .passwordReset: .page(.codeHeadingReset)
    }
  }

  private func lead(in frame: PageFrame) -> [Phrase] {
    // The password has already been changed; what remains is to sign in with it.
    let isOfReset = prompt.stage == .secondFactor && flow == .passwordReset
    return (isOfReset ? [.page(.codeStillNeeded)] : []) + (frame.tellsOfMessage ? [] : [source])
  }

  private var source: Phrase {
    switch prompt.factor.kind {
    case .emailCode, .resetPasswordEmailCode:
      sent(.codeSentEmail, orElse: .codeSentEmailSomewhere)
    case .phoneCode, .resetPasswordPhoneCode:
      sent(.codeSentPhone, orElse: .codeSentPhoneSomewhere)
    case .emailLink: sent(.linkSent, orElse: .linkSentSomewhere)
    case .authenticatorCode: .page(.codeSourceApp)
    case .backupCode: .page(.codeSourceBackup)
    case .password, .enterprise: .page(.codeSourceGiven)
    }
  }

  private func sent(_ key: PagePhrase, orElse somewhere: PagePhrase) -> Phrase {
    .sent(key, to: prompt.factor.destination, orElse: somewhere)
  }

  private func resend(in frame: PageFrame) -> [Form] {
    guard prompt.factor.sendsMessage else { return [] }
    return [
      .resend(
        prompt.stage.resendAddress,
        availableAt: prompt.code.resendAvailableAt,
        now: frame.now
      )
    ]
  }

  private var hasMethodsBesidesBackupCode: Bool {
    prompt.stageFactors.contains { $0 != prompt.factor && $0.kind != .backupCode }
  }

  private func links(in frame: PageFrame) -> [Link] {
    var links: [Link] = []
    // Backup codes have their own link, and are not a choice by themselves.
    if offersOtherMethods, hasMethodsBesidesBackupCode {
      links.append(.methods(at: prompt.stage.methodsAddress))
    }
    if prompt.withBackupCode != nil { links.append(.backupCode) }
    if prompt.factor.sendsMessage, let inbox = frame.emulation?.inboxPath {
      links.append(.inbox(at: inbox))
    }
    return links
  }
}

extension Phrase {
  /// How long a code or a link works, or since when it does not.
  static func validity(until end: Date, at now: Date) -> Phrase {
    end > now
      ? .field(.fieldHintCodeWorks, ["until": .moment(end, .lasting)])
      : .field(.fieldHintCodeExpired, ["when": .moment(end, .past)])
  }

  /// Where something was sent, if known.
  static func sent(
    _ key: PagePhrase,
    to destination: String?,
    orElse somewhere: PagePhrase
  ) -> Phrase {
    destination.map { .page(key, ["destination": .strong($0)]) } ?? .page(somewhere)
  }
}

extension PageFrame {
  /// Whether a notice says already where the code or link went.
  var tellsOfMessage: Bool { notices.contains(where: \.tellsOfMessage) }
}

extension Notice {
  /// Whether it says where a code or link went.
  var tellsOfMessage: Bool { self == .codeSent || self == .codeResent }

  /// Whether it takes the place of the page's lead.
  var isLead: Bool { tellsOfMessage || self == .waitlistJoined }
}

/// What code pages tell of the code.
struct AskedCode {
  let destination: String?
  let code: ExpectedCode
  let now: Date

  init(_ prompt: CodePrompt, in frame: PageFrame) {
    self.init(prompt.code, sentTo: prompt.factor.destination, in: frame)
  }

  init(_ prompt: ContactPrompt, in frame: PageFrame) {
    self.init(prompt.code, sentTo: prompt.destination, in: frame)
  }

  init(_ prompt: PhonePrompt, in frame: PageFrame) {
    self.init(prompt.code, sentTo: prompt.phoneNumber, in: frame)
  }

  private init(_ code: ExpectedCode, sentTo destination: String?, in frame: PageFrame) {
    self.code = code
    self.destination = destination
    now = frame.now
  }

  /// Whether the code no longer works, so that only a new one helps.
  var isOver: Bool { code.isVoid || isExpired }

  private var isExpired: Bool { code.expiresAt.map { $0 <= now } ?? false }

  /// How long the code is, and how long it works.
  var hint: Phrase {
    let digits: Phrase = .field(.fieldHintCode, ["length": .count(code.length)])
    if code.isVoid { return .sentences(digits, .field(.fieldHintCodeVoid)) }
    return code.expiresAt.map { .sentences(digits, .validity(until: $0, at: now)) } ?? digits
  }

  var facts: [JSONValue.Member] {
    [
      .init("sent_to", .string(orNull: destination)),
      .init("expires_at", .time(orNull: code.isVoid ? nil : code.expiresAt)),
      .init("code_length", .number(code.length)),
    ]
  }
}
