internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Localization

/// The browser pages of the emulated API, below `/backstage/browser` on the pages' own port; the API's
/// calls are not served there.
struct EmulatedBrowserPages: Sendable {
  static let prefix = "/backstage/browser"
  private let api: EmulatedAuthAPI
  private let worlds: Worlds
  private let emulator: any HTTPHandler
  private let language: @Sendable (Request) -> LanguageTag

  /// - Parameters:
  ///   - emulation: The emulated API and its worlds.
  ///   - language: The language of a request's reader, as for the other pages.
  init(_ emulation: Emulation, language: @escaping @Sendable (Request) -> LanguageTag) {
    api = emulation.api
    worlds = emulation.worlds
    emulator = emulation.emulator
    self.language = language
  }

  /// Nil if the request is not for such a page.
  func answer(to request: Request) async -> Response? {
    guard request.path.hasPrefix(Self.prefix + "/"),
      api.isBrowserPage(request.path.dropFirst(Self.prefix.count))
    else { return nil }
    var inner = request
    if let world = request.queryParameters["world"] { inner.headerFields[.vestibuleWorld] = world }
    inner.headerFields[.acceptLanguage] = language(request).text
    inner.target = String(request.target.dropFirst(Self.prefix.count))
    if let name = inner.namedWorld, worlds.opened(name) == nil {
      inner = inner.ofNobody
    }
    return await emulator.respond(to: inner)
  }
}

extension Request {
  /// A request for the same page without data, in the world that always exists.
  ///
  /// It stands in for a request that names a world which does not exist: that world is not made for it, and
  /// could not know the request's token anyway.
  fileprivate var ofNobody: Request {
    var request = self
    request.headerFields[.vestibuleWorld] = WorldName.main.text
    request.target = String(path)
    request.body = []
    request.headerFields[.origin] = nil
    request.headerFields[.contentType] = nil
    if method == .post { request.method = .get }
    return request
  }
}
