internal import Localization

/// The content of a message, before it is put into words.
enum MessageContent: Sendable, Hashable {
  case code(String, lifetimeSeconds: Int)
  case signInLink(String, lifetimeSeconds: Int)
  /// A link that proves who owns an address.
  case verificationLink(String, lifetimeSeconds: Int)
  case invitation(link: String, lifetimeSeconds: Int)
  /// An invitation to join an organization of that name.
  case organizationInvitation(String)

  var code: String? {
    switch self {
    case .code(let code, _): code
    case .signInLink, .verificationLink, .invitation, .organizationInvitation: nil
    }
  }

  var link: String? {
    switch self {
    case .signInLink(let link, _), .verificationLink(let link, _), .invitation(let link, _): link
    case .code, .organizationInvitation: nil
    }
  }

  var subject: MessagePhrase {
    switch self {
    case .code: .codeSubject
    case .signInLink: .signInLinkSubject
    case .verificationLink: .verificationLinkSubject
    case .invitation: .invitationSubject
    case .organizationInvitation: .organizationInvitationSubject
    }
  }

  var text: MessagePhrase {
    switch self {
    case .code: .codeText
    case .signInLink: .signInLinkText
    case .verificationLink: .verificationLinkText
    case .invitation: .invitationText
    case .organizationInvitation: .organizationInvitationText
    }
  }

  /// The values of the sentences' placeholders.
  ///
  /// - Parameters:
  ///   - application: The name of the application.
  ///   - isolating: Isolates text that may have another direction. It is not applied to links, since
  ///     programs would take the isolating characters for a part of them; they have their own lines.
  /// - Returns: The values by the names of their placeholders.
  func values(
    in application: String,
    isolating: (String) -> String
  ) -> [String: MessageFormat.Value<String>] {
    var values = ["application": MessageFormat.Value.fragment(isolating(application))]
    switch self {
    case .code(let code, let seconds):
      values["code"] = .fragment(isolating(code))
      values["minutes"] = .count(Self.minutes(seconds))
    case .signInLink(let link, let seconds), .verificationLink(let link, let seconds):
      values["link"] = .fragment(link)
      values["minutes"] = .count(Self.minutes(seconds))
    case .invitation(let link, let seconds):
      values["link"] = .fragment(link)
      values["days"] = .count(seconds / 86_400)
    case .organizationInvitation(let name):
      values["organization"] = .fragment(isolating(name))
    }
    return values
  }

  private static func minutes(_ seconds: Int) -> Int { (seconds + 59) / 60 }
}

extension Catalogue<MessagePhrase> {
  /// The subject of an email, and the text of any message.
  func words(
    of content: MessageContent,
    in application: String
  ) -> (subject: String, text: String) {
    let values = content.values(in: application) { data in
      switch language.direction {
      case .leftToRight: data
      case .rightToLeft: data.isolated
      }
    }
    return (text(content.subject, values), text(content.text, values))
  }
}
