public import AuthFlow
import Foundation

/// `/sign-in/link` and `/sign-up/link`: a link is on its way; it is opened elsewhere.
///
/// Rules: P-link.
public struct LinkPage: Page {
  private let place: Address
  private let destination: String?
  private let expiresAt: Date?
  private let resendAvailableAt: Date?
  private let endsAt: Date?
  private let identifier: String?
  private let ways: Ways
  public let flow: FlowName?

  /// What there is besides the link.
  private struct Ways: Equatable {
    var links: [Link] = []
    var forms: [Form] = []
    var offersOthers: Bool { !links.isEmpty || !forms.isEmpty }
  }

  /// The link of a sign-in.
  public init(prompt: LinkPrompt) {
    place = .link
    flow = .signIn
    destination = prompt.factor.destination
    expiresAt = prompt.expiresAt
    resendAvailableAt = prompt.resendAvailableAt
    endsAt = prompt.attempt.endsAt
    identifier = prompt.attempt.identifier.text
    ways = Ways(links: prompt.otherFactors == nil ? [] : [.methods(at: .methods)])
  }

  /// The link that verifies a new address.
  public init(prompt: ContactLinkPrompt) {
    place = .signUpLink
    flow = .signUp
    destination = prompt.destination
    expiresAt = prompt.expiresAt
    resendAvailableAt = prompt.resendAvailableAt
    endsAt = prompt.attempt.endsAt
    identifier = prompt.destination
    ways = Ways(
      links: [.change(at: Address.signUp.path + "?change")],
      forms: prompt.offersCode ? [.proof(.code, at: .signUpLink)] : []
    )
  }

  public var address: Address? { place }
  public var step: String { "link" }
  public var fields: [Field] { [] }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: "Check your e-mail",
      identity: identifier,
      lead: [source(in: frame), "Open it in this browser, then come back and check again."]
        .compactMap(\.self),
      forms: [Form("check", action: place, button: "Check again")] + ways.forms + [
        .resend(
          place == .link ? .resendLink : .resendSignUpLink,
          button: "Resend link",
          availableAt: resendAvailableAt,
          now: frame.now
        )
      ] + (flow == .signUp ? [] : [.restart(.signIn)]),
      links: ways.links + (frame.emulation?.inboxPath.map { [.inbox(at: $0)] } ?? []),
      facts: [
        .init("sent_to", .string(orNull: destination)),
        .init("expires_at", .time(orNull: expiresAt)),
      ],
      endsAt: endsAt,
      needsNewMessage: expiresAt.map { $0 <= frame.now } ?? false,
      setting: Setting(
        identifier: identifier,
        offersOtherMethods: ways.offersOthers,
        sendsLink: true,
        destination: destination
      )
    )
  }

  /// Where the link went, unless a notice says so, and how long it works.
  private func source(in frame: PageFrame) -> Prose? {
    let validity = validity(in: frame)
    if frame.tellsOfMessage { return validity }
    let sent: Prose =
      destination.map { "We e-mailed a link to \(strong: $0)." } ?? "We e-mailed a link."
    return validity.map { "\(sent) \($0)" } ?? sent
  }

  private func validity(in frame: PageFrame) -> Prose? {
    guard let expiresAt else { return nil }
    let times = Times(now: frame.now, timeZone: frame.timeZone)
    return expiresAt > frame.now
      ? "It works \(times.until(expiresAt))." : "It expired \(times.past(expiresAt))."
  }
}

extension Form {
  /// Has a new address verified another way.
  static func proof(_ proof: ContactProof, at place: Address) -> Form {
    let words =
      switch proof {
      case .code: "E-mail a code instead"
      case .link: "E-mail a link instead"
      }
    return Form(
      proof.rawValue,
      action: place,
      fields: [.hidden(.factor, value: proof.rawValue)],
      button: words,
      weight: .choice,
      purpose: "alternative"
    )
  }
}
