internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// How an emulated API's pages tell that they are a demonstration: as `?present` chose it.
struct DemoPresence: Sendable {
  /// Whether there is anything to tell: only while the API is emulated here.
  let isOffered: Bool
  /// Whether the choice is kept for TLS alone.
  let isSecure: Bool

  /// What the world's pages say of the emulation to that reader; nil where they say nothing.
  func emulation(_ world: WorldContext, for request: Request) -> PageFrame.Emulation? {
    guard var emulation = world.emulation else { return nil }
    let kept = request.cookie(PresenceChoice.cookieName)
    switch kept.flatMap({ PresenceChoice(rawValue: String($0)) }) {
    case .hidden: return nil
    case .large: emulation.isEnlarged = true
    case .usual, nil: break
    }
    return emulation
  }

  /// What was chosen by the address of a page; nil where nothing was.
  ///
  /// The usual is kept, too: a way to another world, where it may be otherwise, carries it along.
  func choice(in request: Request) -> Choice? {
    let parameter = PresenceChoice.parameter
    guard isOffered, let value = Choice.value(of: parameter, in: request) else { return nil }
    let chosen = PresenceChoice(inAddress: value)
    return Choice(of: parameter, in: request) {
      SetCookie(
        name: PresenceChoice.cookieName,
        value: chosen.rawValue,
        maximumAge: chosen.cookieAge,
        isSecure: isSecure
      )
    }
  }
}
