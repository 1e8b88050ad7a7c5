internal import Emulators
internal import HTTPExchange

extension BackstageContext {
  /// `POST invitations`: `{"email_address", "redirect_url"?}`; the mail is in the outbox then.
  func invite(_ call: BackstageCall) async throws -> Response {
    guard worlds.api == .clerk else {
      throw BackstageRefusal.invalid("Entra's native authentication knows no invitations.")
    }
    let body = try call.requiredBody()
    try body.refuseKeys(besides: ["email_address", "redirect_url"])
    guard let address = body["email_address"]?.string else {
      throw BackstageRefusal.invalid("'email_address' is missing.")
    }
    let page = body["redirect_url"]?.string ?? "http://\(call.host ?? "localhost:8080")/sign-up"
    let sent = try await ClerkInvitation.send(
      to: address,
      signingUpAt: page,
      readBy: call.acceptLanguage,
      in: world
    )
    guard let sent else { throw BackstageRefusal.invalid("'email_address' is no email address.") }
    return .json([
      "id": .string(sent.id), "email_address": .string(sent.emailAddress),
      "link": .string(sent.link), "expires_at": .string(Timestamp.text(sent.expiresAt)),
    ])
  }
}
