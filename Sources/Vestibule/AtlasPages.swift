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
    guard request.method == .get || request.method == .head, let page = page(at: request.path)
    else { return nil }
    return Response(
      status: .ok,
      headerFields: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
      body: page
    )
  }

  private func page(at path: Substring) -> [UInt8]? {
    guard path.hasPrefix(Self.path) else { return nil }
    let rest = path.dropFirst(Self.path.count)
    if rest.isEmpty || rest == "/" {
      return atlas.index(folder: "\(Self.path)/", ending: "", assets: "/public/")
    }
    return rest.first == "/" ? atlas.page(named: String(rest.dropFirst())) : nil
  }
}
