public import Emulators
public import HTTPExchange
internal import Foundation
internal import HTTPTypes

/// The inbox in the browser: the mail and texts that would have been sent, newest first, and what
/// the authenticator apps of the world's accounts show.
///
/// It only shows; nothing here changes a world. Serves `/backstage` and `/backstage/inbox`; the
/// listener has checked the host already, and adds the header fields of every page.
public struct Inbox: HTTPHandler {
  private let worlds: Worlds

  public init(worlds: Worlds) {
    self.worlds = worlds
  }

  public func respond(to request: Request) async -> Response {
    guard request.method == .get || request.method == .head else {
      var refused = page(.methodNotAllowed, saying: "This page is only read.")
      refused.headerFields[.allow] = "GET, HEAD"
      return refused
    }
    guard ["/backstage", "/backstage/inbox"].contains(request.path) else {
      return page(.notFound, saying: "There is no such page backstage.")
    }
    do {
      let world = try worlds.world(WorldName(namedBy: request))
      return page(.ok, world: world.name.text, content: try await content(of: world))
    } catch is WorldName.Invalid {
      return page(.badRequest, saying: "That is not the name of a world.")
    } catch {
      return page(.serviceUnavailable, saying: "The messages cannot be read now.")
    }
  }

  private func content(of world: World) async throws -> String {
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

  private func item(of message: Message, at now: Date) -> String {
    let moment = Timestamp.text(message.createdAt)
    let sent = message.sent ? "" : " · test address, nothing is sent"
    let code = message.code.map { "<p class=\"code\">\(escaped($0))</p>" } ?? ""
    let link = message.link.map { "<p><a href=\"\(escaped($0))\">Open the link</a></p>" } ?? ""
    return """
      <li data-purpose="\(message.purpose.rawValue)" data-channel="\(message.channel.rawValue)">
      <p class="address">\(escaped(message.to))</p>
      <p class="about">\(purpose(of: message)) · \
      <time datetime="\(moment)">\(age(of: message.createdAt, at: now))</time>\(sent)</p>
      \(code)\(link)
      <details><summary>The whole message</summary><p>\(escaped(message.text))</p></details>
      </li>
      """
  }

  private func authenticatorApps(of world: World) async throws -> [String] {
    var items: [String] = []
    for account in try await world.accounts() where account.totpSecret != nil {
      guard let id = account.id, let reading = try await world.authenticatorReading(of: id)
      else { continue }
      let name = account.emailAddresses.first ?? account.username ?? id
      let until = Timestamp.text(reading.validUntil)
      items.append(
        """
        <li data-purpose="totp">
        <p class="address">\(escaped(name))</p>
        <p class="about">shows now, until <time datetime="\(until)">\
        \(until.dropFirst(11).prefix(8)) UTC</time></p>
        <p class="code">\(escaped(reading.code))</p>
        </li>
        """
      )
    }
    return items
  }

  private func purpose(of message: Message) -> String {
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

  private func age(of date: Date, at now: Date) -> String {
    let seconds = Int(now.timeIntervalSince(date))
    switch seconds {
    case ..<60: return "just now"
    case ..<3600: return "\(seconds / 60) min ago"
    case ..<86_400: return "\(seconds / 3600) h ago"
    default: return "\(seconds / 86_400) d ago"
    }
  }

  private func page(_ status: HTTPResponse.Status, saying words: String) -> Response {
    page(status, world: "", content: "<p class=\"lead\">\(words)</p>")
  }

  private func page(_ status: HTTPResponse.Status, world: String, content: String) -> Response {
    let strip =
      world.isEmpty
      ? ""
      : "<p class=\"emulation\">Backstage <span aria-hidden=\"true\">·</span> world "
        + "<b>\(escaped(world))</b></p>"
    let html = """
      <!DOCTYPE html>
      <html lang="en" dir="ltr">
      <head>
      <meta charset="utf-8">
      <title>Inbox – Vestibule</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <link rel="icon" href="/public/favicon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="/public/vestibule.css">
      </head>
      <body>
      <a class="skip-link" href="#main">Skip to main content</a>
      <header class="masthead">
      \(strip)
      <p class="application"><a href="/">Vestibule</a></p>
      </header>
      <main id="main" class="card" tabindex="-1" data-page="backstage-inbox" \
      data-world="\(escaped(world))">
      <h1>Inbox</h1>
      \(content)
      <nav class="links" aria-label="Other ways">
      <ul>
      <li><a href="/backstage/inbox">Look again</a></li>
      <li><a href="/backstage/atlas">Atlas: every page in every state</a></li>
      <li><a href="/">Back to the pages</a></li>
      </ul>
      </nav>
      </main>
      </body>
      </html>
      """
    return Response(
      status: status,
      headerFields: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
      body: Array(html.utf8)
    )
  }

  /// Byte by byte, so that no combining character hides a `<` (S17).
  private func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "\""): bytes += "&quot;".utf8
      case UInt8(ascii: "'"): bytes += "&#39;".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
