public import AuthFlow
import Foundation

/// A page that asks for a code that was sent or that an app shows; its path goes by the stage.
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
          button: "Continue"
        )
      ] + resend(in: frame) + [
        .restart(prompt.stage == .passwordReset ? .passwordReset : .signIn)
      ],
      links: links(in: frame),
      facts: asked.facts,
      endsAt: prompt.attempt.endsAt,
      needsNewMessage: asked.isExpired,
      setting: Setting(
        identifier: prompt.attempt.identifier.text,
        offersOtherMethods: offersOtherMethods,
        destination: prompt.factor.destination
      )
    )
  }

  private var heading: String {
    switch prompt.stage {
    case .firstFactor: "Enter the code"
    case .secondFactor: "Confirm it is you"
    case .deviceTrust: "Confirm this device"
    case .enrolment: "Confirm your contact"
    case .passwordReset: "Enter the reset code"
    }
  }

  private func lead(in frame: PageFrame) -> [Prose] {
    let first: [Prose] =
      prompt.stage == .secondFactor && flow == .passwordReset ? ["First confirm it is you."] : []
    return first + (frame.tellsOfMessage ? [] : [source])
  }

  private var source: Prose {
    let place = prompt.factor.destination.map { " to \(strong: $0)" as Prose } ?? ""
    return switch prompt.factor.kind {
    case .emailCode, .resetPasswordEmailCode: "We e-mailed a code\(place)."
    case .phoneCode, .resetPasswordPhoneCode: "We texted a code\(place)."
    case .emailLink: "We e-mailed a link\(place)."
    case .authenticatorCode: "Open your authenticator app and enter the code it shows."
    case .backupCode: "Enter one of your backup codes."
    case .password, .enterprise: "Enter the code you were given."
    }
  }

  private func resend(in frame: PageFrame) -> [Form] {
    guard prompt.factor.sendsMessage else { return [] }
    return [
      .resend(
        prompt.stage.resendAddress,
        availableAt: prompt.resendAvailableAt,
        now: frame.now
      )
    ]
  }

  private func links(in frame: PageFrame) -> [Link] {
    var links: [Link] = []
    if offersOtherMethods { links.append(.methods(at: prompt.stage.methodsAddress)) }
    if prompt.withBackupCode != nil { links.append(.backupCode) }
    if prompt.factor.sendsMessage, let inbox = frame.emulation?.inboxPath {
      links.append(.inbox(at: inbox))
    }
    return links
  }
}

extension PageFrame {
  /// Whether a notice says already where the code or link went.
  var tellsOfMessage: Bool { notices.contains(where: \.tellsOfMessage) }
}

extension Notice {
  /// Whether it says where a code or link went.
  var tellsOfMessage: Bool { self == .codeSent || self == .codeResent }
}

/// What code pages tell of the code.
struct AskedCode {
  let destination: String?
  let length: Int
  let expiresAt: Date?
  let times: Times

  init(_ prompt: CodePrompt, in frame: PageFrame) {
    destination = prompt.factor.destination
    length = prompt.codeLength
    expiresAt = prompt.expiresAt
    times = Times(now: frame.now, timeZone: frame.timeZone)
  }

  init(_ prompt: ContactPrompt, in frame: PageFrame) {
    destination = prompt.destination
    length = prompt.codeLength
    expiresAt = prompt.expiresAt
    times = Times(now: frame.now, timeZone: frame.timeZone)
  }

  init(_ prompt: PhonePrompt, in frame: PageFrame) {
    destination = prompt.phoneNumber
    length = prompt.codeLength
    expiresAt = prompt.expiresAt
    times = Times(now: frame.now, timeZone: frame.timeZone)
  }

  /// Whether it is too late for the code.
  var isExpired: Bool { expiresAt.map { $0 <= times.now } ?? false }

  /// How long the code is, and how long it works.
  var hint: Prose {
    guard let expiresAt else { return "\(length) digits." }
    return expiresAt > times.now
      ? "\(length) digits. It works \(times.until(expiresAt))."
      : "\(length) digits. It expired \(times.past(expiresAt))."
  }

  var facts: [JSONValue.Member] {
    [
      .init("sent_to", .string(orNull: destination)),
      .init("expires_at", .time(orNull: expiresAt)),
      .init("code_length", .number(length)),
    ]
  }
}
