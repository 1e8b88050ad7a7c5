public import AuthFlow
import Foundation

/// `/sign-in/link` and `/sign-up/link`: waits for a link that was sent and is opened elsewhere.
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

  /// The alternatives to the link.
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
      heading: .page(.linkHeading),
      identity: identifier,
      lead: [source(in: frame), .page(.linkOpen)]
        .compactMap(\.self),
      forms: [Form("check", action: place, button: .common(.actionCheckAgain))] + ways.forms + [
        .resend(
          place == .link ? .resendLink : .resendSignUpLink,
          button: .common(.actionResendLink),
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

  /// Where the link was sent, unless a notice says so, and how long it works.
  private func source(in frame: PageFrame) -> Phrase? {
    let validity = expiresAt.map { Phrase.validity(until: $0, at: frame.now) }
    if frame.tellsOfMessage { return validity }
    let sent = Phrase.sent(.linkSent, to: destination, orElse: .linkSentSomewhere)
    return validity.map { .sentences(sent, $0) } ?? sent
  }
}

extension Form {
  /// The form that verifies a new address in another way.
  static func proof(_ proof: ContactProof, at place: Address) -> Form {
    let words: Phrase =
      switch proof {
      case .code: .page(.linkCodeInstead)
      case .link: .page(.linkLinkInstead)
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
