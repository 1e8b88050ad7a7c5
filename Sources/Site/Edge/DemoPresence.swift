internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// How an emulated API's pages tell that they are a demonstration: usually, large for a projector, or
/// not at all; what `?present` chose.
struct DemoPresence: Sendable {
  private enum Size: String {
    case large = "on"
    case hidden = "off"
  }

  private static let parameter = "present"
  private static let cookieName = "vestibule_present"

  /// Whether there is anything to tell: only while the API is emulated here.
  let isOffered: Bool
  /// Whether the choice is kept for TLS alone.
  let isSecure: Bool

  /// What the world's pages say of the emulation to that reader; nil where they say nothing.
  func emulation(_ world: WorldContext, for request: Request) -> PageFrame.Emulation? {
    guard var emulation = world.emulation else { return nil }
    switch request.cookie(Self.cookieName).flatMap({ Size(rawValue: String($0)) }) {
    case .hidden: return nil
    case .large: emulation.isEnlarged = true
    case nil: break
    }
    return emulation
  }

  /// What was chosen by the address of a page: `?present`, `?present=off`, and with any other value
  /// that it is as usual again; nil where nothing was.
  func choice(in request: Request) -> Choice? {
    guard isOffered, let value = Choice.value(of: Self.parameter, in: request) else { return nil }
    let size = value.isEmpty ? .large : Size(rawValue: String(value))
    return Choice(of: Self.parameter, in: request) {
      SetCookie(
        name: Self.cookieName,
        value: size?.rawValue ?? "",
        maximumAge: size == nil ? .zero : Choice.cookieAge,
        isSecure: isSecure
      )
    }
  }
}
