public import Emulators
public import HTTPExchange
internal import Foundation
internal import HTTPTypes

/// The inbox in the browser: the mail and texts that would have been sent, newest first.
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
      var refused = page(.methodNotAllowed, world: "", rows: "<p>This page is only read.</p>")
      refused.headerFields[.allow] = "GET, HEAD"
      return refused
    }
    guard ["/backstage", "/backstage/inbox"].contains(request.path) else {
      return page(.notFound, world: "", rows: "<p>There is no such page backstage.</p>")
    }
    do {
      let name = try WorldName(namedBy: request)
      let messages = try await worlds.world(name).outbox.messages()
      let rows =
        messages.isEmpty
        ? "<p>No message has been sent yet.</p>"
        : "<ol class=\"inbox\">\n\(messages.map(item(of:)).joined(separator: "\n"))\n</ol>"
      return page(.ok, world: name.text, rows: rows)
    } catch is WorldName.Invalid {
      return page(.badRequest, world: "", rows: "<p>That is not the name of a world.</p>")
    } catch {
      return page(
        .serviceUnavailable,
        world: "",
        rows: "<p>The messages cannot be read now.</p>"
      )
    }
  }

  private func item(of message: Message) -> String {
    let code = message.code.map { "<p>Code: <b class=\"code\">\(escaped($0))</b></p>" } ?? ""
    return """
      <li><h2>\(escaped(message.subject ?? message.text))</h2>
      <p>To \(escaped(message.to)), <time datetime="\(Timestamp.text(message.createdAt))">\
      \(Timestamp.text(message.createdAt))</time></p>
      \(code)</li>
      """
  }

  private func page(_ status: HTTPResponse.Status, world: String, rows: String) -> Response {
    let html = """
      <!DOCTYPE html>
      <html lang="en" dir="ltr">
      <head>
      <meta charset="utf-8">
      <title>Inbox – Vestibule</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <link rel="stylesheet" href="/public/vestibule.css">
      </head>
      <body>
      <main class="card" data-page="backstage-inbox" data-world="\(escaped(world))">
      <h1>Inbox</h1>
      \(rows)
      <p><a href="/backstage/inbox">Look again</a> · <a href="/">Back to the pages</a></p>
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
