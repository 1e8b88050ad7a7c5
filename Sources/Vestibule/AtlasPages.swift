internal import Backstage
internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Localization
internal import Pages
internal import Site

/// The atlas in the browser: each page below `/backstage/atlas`, and for programs the list of their names.
///
/// People see it through a page of the workbench, which shows these pages in frames.
///
/// The pages are for viewing only: no visit knows the tokens in their forms.
struct AtlasPages: Sendable {
  static let path = "/backstage/atlas"
  /// The path of style sheets in a single colour scheme.
  private static let sheets = "\(path)/public/"

  private let atlas: Atlas
  /// The same without the installed brand.
  private let plain: Atlas
  /// The names of the APIs on pages and for `--api`; the first is the emulated one.
  private let apis: [(option: String, name: String)]
  private let publicFile: @Sendable (_ path: String) -> [UInt8]?

  /// - Parameters:
  ///   - renderer: Renders the pages as they are served.
  ///   - api: The emulated API.
  ///   - publicFile: Returns the static file that is served at a path.
  init(
    _ renderer: PageRenderer,
    over api: EmulatedAuthAPI = .clerk,
    publicFile: @escaping @Sendable (_ path: String) -> [UInt8]? = { _ in nil }
  ) {
    atlas = Atlas(renderer: renderer)
    plain = Atlas(renderer: renderer.wearing(.builtIn))
    apis = ([api] + EmulatedAuthAPI.all).map { ($0.option, $0.name) }
    self.publicFile = publicFile
  }

  /// Nil if the request is not for a page of the atlas.
  func answer(to request: Request) -> Response? {
    guard request.method == .get || request.method == .head, request.path.hasPrefix(Self.path)
    else { return nil }
    let rest = request.path.dropFirst(Self.path.count)
    let query = request.queryParameters
    let setting = AtlasSetting { query[$0] }
    do {
      if rest.isEmpty || rest == "/" {
        return request.prefersJSON ? Self.shown(names, as: .json) : nil
      }
      if request.path.hasPrefix(Self.sheets) {
        return sheet(request.path.dropFirst(Self.sheets.count), setting.scheme)
      }
      guard rest.first == "/" else { return nil }
      let name = String(rest.dropFirst())
      return request.prefersJSON || setting.format == .json
        ? twin(name, setting) : try page(name, setting, of: request.worldText)
    } catch {
      var response = Self.shown(PageRenderer.document(about: error), as: .html)
      response.status = .internalServerError
      return response
    }
  }

  private func page(
    _ name: String,
    _ setting: AtlasSetting,
    of world: String?
  ) throws(TemplateFault) -> Response? {
    let atlas = setting.isBranded ? atlas : plain
    let api = apis.first { $0.option == setting.api } ?? apis.first
    guard
      var page = try atlas.page(
        named: name,
        in: setting.language ?? .english,
        over: api?.name,
        of: world
      )
    else { return nil }
    if setting.isStill { page = links(setting).following(in: Self.still(page)) }
    if let scheme = setting.scheme { page = Self.page(page, in: scheme) }
    return Self.shown(page, as: .html)
  }

  private func twin(_ name: String, _ setting: AtlasSetting) -> Response? {
    atlas.twin(named: name, in: setting.language ?? .english).map { twin in
      let readable = setting.isStill ? (try? JSON(document: twin))?.indented() : nil
      return Self.shown(readable.map { Array($0.utf8) } ?? twin, as: .json)
    }
  }

  private var names: [UInt8] {
    Array("[\(Atlas.names.map { "\"\($0)\"" }.joined(separator: ","))]".utf8)
  }

  // MARK: In one scheme

  /// The page in that colour scheme, whatever the reader's preference.
  private static func page(_ page: [UInt8], in scheme: AtlasSetting.Scheme) -> [UInt8] {
    let text = settled(String(decoding: page, as: UTF8.self), on: scheme)
      .replacing("content=\"light dark\"", with: "content=\"\(scheme.rawValue)\"")
      .replacing(#/href="\/public\/([^"?]*\.css)"/#) { match in
        "href=\"\(sheets)\(match.output.1)?scheme=\(scheme.rawValue)\""
      }
    return Array(text.utf8)
  }

  private func sheet(_ name: Substring, _ scheme: AtlasSetting.Scheme?) -> Response? {
    guard let scheme, name.hasSuffix(".css"), let bytes = publicFile("/public/\(name)") else {
      return nil
    }
    let text = Self.settled(String(decoding: bytes, as: UTF8.self), on: scheme)
      .replacing("color-scheme: light dark", with: "color-scheme: \(scheme.rawValue)")
      .replacing(#/url\("(?!data:|\/|https?:)/#, with: "url(\"/public/")
    return Self.shown(Array(text.utf8), as: .css)
  }

  /// The text with every media query about the colour scheme decided.
  private static func settled(_ text: String, on scheme: AtlasSetting.Scheme) -> String {
    AtlasSetting.Scheme.allCases.reduce(text) { text, asked in
      text.replacing(
        "(prefers-color-scheme: \(asked.rawValue))",
        with: asked == scheme ? "(min-width: 0)" : "(max-width: 0)"
      )
    }
  }

  // MARK: In a frame

  /// Removes what causes complaints in a frame that is only looked at: scripts and `autofocus`.
  static func still(_ page: [UInt8]) -> [UInt8] {
    let text = String(decoding: page, as: UTF8.self).replacing(" autofocus", with: "")
      .replacing(/<script src="[^"]*"[^>]*><\/script>/, with: "")
    return Array(text.utf8)
  }

  private func links(_ setting: AtlasSetting) -> AtlasLinks {
    var query = FormData()
    for (name, value) in setting.parameters { query.append(name, value) }
    let text = query.text.replacing("&", with: "&amp;")
    return AtlasLinks(index: "#main") { "\(Self.path)/\($0)?\(text)" }
  }

  /// A response that only this origin may frame.
  private static func shown(_ body: [UInt8], as kind: ContentKind) -> Response {
    Response(
      status: .ok,
      headerFields: [
        .contentType: kind.rawValue, .cacheControl: "no-store", .vary: "Accept",
        .contentSecurityPolicy: policy, .xFrameOptions: "SAMEORIGIN",
      ],
      body: body
    )
  }

  private enum ContentKind: String {
    case html = "text/html; charset=utf-8"
    case json = "application/json; charset=utf-8"
    case css = "text/css; charset=utf-8"
  }

  private static let policy = """
    default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
    font-src 'self'; manifest-src 'self'; connect-src 'self'; form-action 'self'; \
    base-uri 'none'; object-src 'none'; frame-ancestors 'self'
    """
}

extension Request {
  /// The name of the world that the request is for; nil if what it gives is not a valid name.
  var worldText: String? { namedWorld?.text }
}
