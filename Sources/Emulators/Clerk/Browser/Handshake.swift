internal import Crypto
internal import Foundation
internal import GRDB
internal import HTTPExchange

/// The handshake: an application's server that cannot tell who is signed in sends the browser here,
/// for a fresh session token and the cookies that belong to it.
///
/// Source: Clerk documentation, "How Clerk works", "Handshake".
extension ClerkTransaction {
  /// `GET /v1/client/handshake`: redirects to the application, with the cookies in a signed token, as
  /// development instances do.
  func handshake() throws -> ClerkOutcome {
    guard let address = call.query["redirect_url"] else {
      throw ClerkRefusal.missingQueryParameter("redirect_url")
    }
    guard call.place.mayLead(to: address) else {
      throw ClerkRefusal.redirectNotAllowed()
    }
    let lines = try handshakeCookies().flatMap { cookie in
      call.place.cookieNames(cookie.name).map { "\($0)=\(cookie.value)" }
    }
    let token = try token(["handshake": .strings(lines), "iat": .integer(now.rawValue / 1000)])
    return .handshake(to: address.addingQuery("__clerk_handshake=\(token)"))
  }

  /// The cookies that the application's server is to set.
  private func handshakeCookies() throws -> [(name: String, value: String)] {
    var cookies: [(name: String, value: String)] = []
    if developmentBrowser == nil {
      let browser = try newDevelopmentBrowser()
      cookies.append((ClerkCall.developmentBrowserCookie, "\(browser)\(Self.kept)"))
    }
    guard let client, let id = client.lastActiveSessionID, let session = try activeSession(id),
      let account = try Account.fetchOne(db, key: session.accountID)
    else {
      let gone = "; Path=/; SameSite=Lax; Max-Age=0"
      return cookies + [
        (ClerkCall.sessionCookie, gone), (ClerkCall.updatedAtCookie, "0\(Self.kept)"),
      ]
    }
    let tasks = tasks(of: session, account, try Account.contacts(of: account.id, db))
    return cookies + [
      (ClerkCall.sessionCookie, try token(of: session, account, tasks) + Self.kept),
      (ClerkCall.updatedAtCookie, "\(client.updatedAt.rawValue / 1000)\(Self.kept)"),
    ]
  }

  /// The session, if it is live, with the organization activated that the application asks for.
  private func activeSession(_ id: String) throws -> ClerkSession? {
    guard var session = try ClerkSession.fetchOne(db, key: id), session.isLive(at: now) else {
      return nil
    }
    if let reference = call.query["organization_id"] {
      do {
        try activate(reference, in: &session)
        try session.update(db)
      } catch is ClerkRefusal {
        // An organization that the person cannot activate is ignored.
      }
    }
    return session
  }

  /// Not HttpOnly, since the application's scripts read the cookies.
  private static var kept: String { "; Path=/; SameSite=Lax" }
}

extension ClerkRefusal {
  /// Refuses to redirect to another machine; `parameter` is the field that names the address, nil if
  /// the query does.
  static func redirectNotAllowed(_ parameter: String? = nil) -> Self {
    Self(
      422,
      ClerkProblem(
        "invalid_redirect_url",
        "The redirect URL must be on this machine or on an allowed host: --allow-host adds one.",
        parameter: parameter
      )
    )
  }
}

extension ClerkPlace {
  /// Whether browsers may be redirected to an address: its pages have to be among those that may call.
  func mayLead(to address: String) -> Bool {
    guard let scheme = address.range(of: "://") else { return false }
    let rest = address[scheme.upperBound...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    return origins.admits(String(address[..<end]))
      && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// A cookie's names: SDKs also look for one with a suffix of the application's, which is derived from
  /// the publishable key, and thus from the address of this API.
  func cookieNames(_ name: String) -> [String] {
    let encoded = Data("\(origin.authority)$".utf8).base64EncodedString()
    let key = "pk_test_" + encoded.filter { $0 != "=" }
    let digest = Data(Insecure.SHA1.hash(data: Data(key.utf8)))
    return [name, "\(name)_\(Base64URL.text(of: digest).prefix(8))"]
  }
}
