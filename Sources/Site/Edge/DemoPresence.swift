internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// How the pages of an emulated API show that they are a demonstration, as chosen with `?present`.
struct DemoPresence: Sendable {
  /// Whether there is a choice: only while the API is emulated here.
  let isOffered: Bool
  private let cookieName: CookieName

  /// - Parameters:
  ///   - isOffered: Whether there is a choice.
  ///   - isSecure: Whether the cookie is for TLS only.
  init(isOffered: Bool, isSecure: Bool) {
    self.isOffered = isOffered
    cookieName = CookieName(PresenceChoice.cookieName, isSecure: isSecure)
  }

  /// What the world's pages say about the emulation to this reader; nil where they say nothing.
  func emulation(_ world: WorldContext, for request: Request) -> PageFrame.Emulation? {
    guard var emulation = world.emulation else { return nil }
    let kept = request.cookie(cookieName)
    switch kept.flatMap({ PresenceChoice(rawValue: String($0)) }) {
    case .hidden: return nil
    case .large: emulation.isEnlarged = true
    case .usual, nil: break
    }
    return emulation
  }

  /// The choice in the address of a page; nil where there is none.
  ///
  /// `usual` is kept, too: links to another world, where another choice may be kept, carry it
  /// along.
  func choice(in request: Request) -> Choice? {
    let parameter = PresenceChoice.parameter
    guard isOffered, let value = Choice.value(of: parameter, in: request) else { return nil }
    let chosen = PresenceChoice(inAddress: value)
    return Choice(of: parameter, in: request) {
      SetCookie(name: cookieName, value: chosen.rawValue, maximumAge: chosen.cookieAge)
    }
  }
}
