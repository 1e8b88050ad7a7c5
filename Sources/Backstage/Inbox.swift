internal import HTTPExchange
internal import Emulators
internal import Foundation

/// The inbox: the mail and texts that would have been sent, newest first, and what the
/// authenticator apps of the world's accounts show.
///
/// It only shows; nothing here changes a world.
enum Inbox {
  static func content(of world: World) async throws -> String {
    let now = world.clock.now
    let messages = try await world.outbox.messages()
    let apps = try await authenticatorApps(of: world)
    var parts: [String] = []
    if messages.isEmpty {
      parts.append("<p class=\"lead\">No message has been sent yet.</p>")
    } else {
      let items = messages.map { item(of: $0, at: now) }
      parts.append("<ol class=\"messages\">\n\(items.joined(separator: "\n"))\n</ol>")
    }
    if !apps.isEmpty {
      parts.append("<h2>Authenticator apps</h2>")
      parts.append("<ul class=\"messages\">\n\(apps.joined(separator: "\n"))\n</ul>")
    }
    return parts.joined(separator: "\n")
  }

  private static func item(of message: Message, at now: Date) -> String {
    let moment = Timestamp.text(message.createdAt)
    let sent = message.sent ? "" : " · test address, nothing is sent"
    let code = message.code.map { "<p class=\"code\">\(HTMLText.escaped($0))</p>" } ?? ""
    let link =
      message.link.map { "<p><a href=\"\(HTMLText.escaped($0))\">Open the link</a></p>" } ?? ""
    return """
      <li data-purpose="\(message.purpose.rawValue)" data-channel="\(message.channel.rawValue)">
      <p class="address">\(HTMLText.escaped(message.to))</p>
      <p class="about">\(purpose(of: message)) · \
      <time datetime="\(moment)">\(age(of: message.createdAt, at: now))</time>\(sent)</p>
      \(code)\(link)
      <details><summary>The whole message</summary><p>\(HTMLText.escaped(message.text))</p></details>
      </li>
      """
  }

  private static func authenticatorApps(of world: World) async throws -> [String] {
    var items: [String] = []
    for (account, reading) in try await world.authenticatorReadings() {
      let name = account.emailAddresses.first ?? account.username ?? account.id ?? ""
      let until = Timestamp.text(reading.validUntil)
      items.append(
        """
        <li data-purpose="totp">
        <p class="address">\(HTMLText.escaped(name))</p>
        <p class="about">shows now, until <time datetime="\(until)">\
        \(until.dropFirst(11).prefix(8)) UTC</time></p>
        <p class="code">\(HTMLText.escaped(reading.code))</p>
        </li>
        """
      )
    }
    return items
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
