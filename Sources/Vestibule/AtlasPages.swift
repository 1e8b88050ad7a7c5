internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// The atlas in the browser: a list at `/backstage/atlas`, and each page below it.
///
/// The pages are pictures: their forms hold no token that any visit knows.
struct AtlasPages: Sendable {
  static let path = "/backstage/atlas"

  private let atlas: Atlas

  init(_ atlas: Atlas) { self.atlas = atlas }

  /// Nil where the request is for no such page.
  func answer(to request: Request) -> Response? {
    guard request.method == .get || request.method == .head, request.path.hasPrefix(Self.path)
    else { return nil }
    let rest = request.path.dropFirst(Self.path.count)
    do {
      if rest.isEmpty || rest == "/" {
        return request.prefersJSON ? .json(names) : .html(list)
      }
      guard rest.first == "/" else { return nil }
      let name = String(rest.dropFirst())
      return request.prefersJSON
        ? atlas.twin(named: name).map(Response.json) : try atlas.page(named: name).map { .html($0) }
    } catch {
      return .html(PageRenderer.document(about: error), status: .internalServerError)
    }
  }

  private var list: [UInt8] {
    atlas.index(folder: "\(Self.path)/", ending: "", assets: "/public/")
  }

  private var names: [UInt8] {
    Array("[\(Atlas.names.map { "\"\($0)\"" }.joined(separator: ","))]".utf8)
  }
}

extension Response {
  fileprivate static func html(_ body: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status,
      headerFields: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .vary: "Accept",
      ],
      body: body
    )
  }

  fileprivate static func json(_ body: [UInt8]) -> Response {
    Response(
      status: .ok,
      headerFields: [
        .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
        .vary: "Accept",
      ],
      body: body
    )
  }
}
