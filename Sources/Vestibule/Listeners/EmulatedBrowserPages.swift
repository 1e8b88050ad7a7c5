internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Localization

/// The pages of the emulated API that people meet in a browser, below `/backstage/browser` on the
/// pages' own port; its calls are not to be had there.
struct EmulatedBrowserPages: Sendable {
  static let prefix = "/backstage/browser"
  private let api: EmulatedAuthAPI
  private let worlds: Worlds
  private let emulator: any HTTPHandler
  private let language: @Sendable (Request) -> LanguageTag

  /// - Parameters:
  ///   - emulation: Whose pages they are.
  ///   - language: That of a request's reader, as the other pages know it.
  init(_ emulation: Emulation, language: @escaping @Sendable (Request) -> LanguageTag) {
    api = emulation.api
    worlds = emulation.worlds
    emulator = emulation.emulator
    self.language = language
  }

  /// Nil where the request is for no such page.
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
  /// The same page, opened by who brings nothing, in the world that is always there.
  ///
  /// So one is answered who names a world that is not: it is not made for that, and could not know the
  /// token either.
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
