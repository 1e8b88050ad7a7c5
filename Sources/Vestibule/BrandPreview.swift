internal import Backstage
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Pages
internal import Site

/// Pages with a brand that stands in their query, within the page where it is made.
struct BrandPreview: Sendable {
  let renderer: PageRenderer
  let folder: BrandFolder

  /// The states that are shown, by the last part of their path.
  private static let states = [
    "sign-in": "sign-in/fresh", "error": "sign-in/wrong-password",
    "code": "sign-in-code/just-sent", "locked": "locked/until",
  ]

  /// Nil where the request is for nothing of a preview.
  func answer(to request: Request) -> Response? {
    guard request.method == .get || request.method == .head,
      request.path.hasPrefix(BrandBench.previewPath)
    else { return nil }
    let look = look(of: request)
    let rest = request.path.dropFirst(BrandBench.previewPath.count)
    if rest == ".css" { return Self.shown(look.styleSheetBytes, as: "text/css; charset=utf-8") }
    guard rest.first == "/" else { return nil }
    let name = rest.dropFirst()
    return page(name, look) ?? file(name, look)
  }

  private func look(of request: Request) -> Look {
    var texts: [String: String] = [:]
    var known = FormData()
    for field in request.queryParameters.fields where texts[field.name] == nil {
      texts[field.name] = field.value
      known.append(field.name, field.value)
    }
    // Written anew: what stands in an address is safe in a style sheet, too.
    let query = "?" + String(decoding: known.encoded, as: UTF8.self)
    return Look(.sketch(typed: texts), at: .init(path: BrandBench.previewPath, query: query))
  }

  private func page(_ name: Substring, _ look: Look) -> Response? {
    guard let state = Self.states[String(name)] else { return nil }
    do {
      let page = try Atlas(renderer: renderer.wearing(look)).page(named: state)
      return page.map { Self.shown(AtlasPages.still($0), as: "text/html; charset=utf-8") }
    } catch {
      return Self.shown(PageRenderer.document(about: error), as: "text/html; charset=utf-8")
    }
  }

  private func file(_ name: Substring, _ look: Look) -> Response? {
    for asset in Brand.Asset.allCases {
      guard let (_, kind) = look.address(of: asset), name == "\(asset.rawValue).\(kind.rawValue)"
      else { continue }
      let named = look.brand.files[asset].flatMap { try? folder.bytes(of: $0, for: asset) }
      guard let bytes = named ?? (asset == .icon ? look.monogramBytes : nil) else { return nil }
      return Self.shown(bytes, as: kind.contentType)
    }
    return nil
  }

  /// Inert, and to be framed by this origin alone.
  private static func shown(_ body: [UInt8], as type: String) -> Response {
    Response(
      status: .ok,
      headerFields: [
        .contentType: type, .cacheControl: "no-store", .contentSecurityPolicy: policy,
        .xFrameOptions: "SAMEORIGIN",
      ],
      body: body
    )
  }

  private static let policy = """
    default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
    form-action 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'self'
    """
}

extension BrandBench {
  /// The brand of a running program, whose own file can be written.
  init(_ folder: BrandFolder, serving brand: Brand) {
    self.init(
      current: {
        let written = folder.file.flatMap { FileManager.default.contents(atPath: $0) }
        return written.flatMap { try? Brand(json: $0) } ?? brand
      },
      file: folder.file,
      check: { brand throws(BrandFault) in _ = try folder.files(of: brand) },
      write: { brand in
        guard let file = folder.file else { return }
        // A link stays one: what it leads to is written, and both are what others know them by.
        let place = URL(fileURLWithPath: file).resolvingSymlinksInPath()
        try brand.json.write(to: place, options: .atomic)
      }
    )
  }
}
