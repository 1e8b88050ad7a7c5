internal import Emulators
internal import HTTPExchange

extension BackstageContext {
  /// `POST invitations`: `{"email_address", "redirect_url"?}`; the mail is in the outbox then.
  func invite(_ call: BackstageCall) async throws -> Response {
    switch worlds.api {
    case .clerk: break
    case .entra:
      throw BackstageRefusal.invalid("Entra's native authentication has no invitations.")
    }
    let body = try call.requiredBody()
    try body.refuseKeys(besides: ["email_address", "redirect_url"])
    guard let address = try body.text("email_address") else {
      throw BackstageRefusal.invalid("'email_address' is missing.")
    }
    let page =
      try body.text("redirect_url") ?? "\(scheme)://\(call.host ?? "localhost:8080")/sign-up"
    guard Self.isWebAddress(page) else {
      throw BackstageRefusal.invalid("'redirect_url' must be a complete http or https address.")
    }
    let sent = try await ClerkInvitation.send(
      to: address,
      signingUpAt: page,
      readBy: call.acceptLanguage,
      in: world
    )
    guard let sent else {
      throw BackstageRefusal.invalid("'email_address' is not an email address.")
    }
    return .json([
      "id": .string(sent.id), "email_address": .string(sent.emailAddress),
      "link": .string(sent.link), "expires_at": .string(Timestamp.text(sent.expiresAt)),
    ])
  }

  private static func isWebAddress(_ text: String) -> Bool {
    let scheme = ["http://", "https://"].first { text.lowercased().hasPrefix($0) }
    return scheme.map { text.utf8.count > $0.utf8.count } ?? false
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
