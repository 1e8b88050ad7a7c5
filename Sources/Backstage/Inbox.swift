internal import Emulators
internal import Foundation

/// The inbox: the mail and texts that would have been sent, newest first, and what the
/// authenticator apps of the world's accounts show.
///
/// It only shows; nothing here changes a world.
enum Inbox {
  static func content(of world: World) async throws -> WorkbenchContent {
    let now = world.clock.now
    let messages = try await world.outbox.messages()
    let apps = try await authenticatorApps(of: world)
    var content = WorkbenchContent()
    if messages.isEmpty {
      content.lead = ["No message has been sent yet."]
    } else {
      content.lists.append(.init(items: messages.map { item(of: $0, at: now) }))
    }
    if !apps.isEmpty {
      content.lists.append(.init(heading: "Authenticator apps", items: apps))
    }
    return content
  }

  private static func item(of message: Message, at now: Date) -> WorkbenchContent.Item {
    WorkbenchContent.Item(
      purpose: message.purpose.rawValue,
      channel: message.channel.rawValue,
      heading: message.to,
      about: .init(
        words: "\(purpose(of: message)) · ",
        moment: Timestamp.text(message.createdAt),
        time: age(of: message.createdAt, at: now),
        rest: message.sent ? nil : " · test address, nothing is sent"
      ),
      code: message.code,
      link: message.link,
      details: .init(summary: "The whole message", text: message.text, isProse: true)
    )
  }

  private static func authenticatorApps(
    of world: World
  ) async throws -> [WorkbenchContent.Item] {
    try await world.authenticatorReadings().map { account, reading in
      let until = Timestamp.text(reading.validUntil)
      return WorkbenchContent.Item(
        purpose: "totp",
        heading: account.emailAddresses.first ?? account.username ?? account.id ?? "",
        about: .init(
          words: "shows now, until ",
          moment: until,
          time: "\(until.dropFirst(11).prefix(8)) UTC"
        ),
        code: reading.code
      )
    }
  }

  private static func purpose(of message: Message) -> String {
    let channel =
      switch message.channel {
      case .email: "E-mail"
      case .sms: "Text"
      }
    let purpose =
      switch message.purpose {
      case .signIn: "sign in"
      case .secondFactor: "second factor"
      case .clientTrust: "new device"
      case .signUp: "sign up"
      case .resetPassword: "reset the password"
      case .phoneNumber: "phone number"
      case .invitation: "invitation"
      }
    return "\(channel) · \(purpose)"
  }

  private static func age(of date: Date, at now: Date) -> String {
    let seconds = Int(now.timeIntervalSince(date))
    switch seconds {
    case ..<60: return "just now"
    case ..<3600: return "\(seconds / 60) min ago"
    case ..<86_400: return "\(seconds / 3600) h ago"
    default: return "\(seconds / 86_400) d ago"
    }
  }
}
