internal import Localization
public import Pages

/// The list of an atlas that is a folder of files: every page as a picture that leads to it.
public struct AtlasIndex: Sendable {
  private let templates: Templates<AtlasIndexView>
  private let statusOf: @Sendable (PageExample) -> Int

  /// - Parameters:
  ///   - renderer: Knows the folder of templates.
  ///   - statusOf: With which status a page like that is answered.
  /// - Throws: `TemplateFault` for a template that cannot be used.
  public init(
    _ renderer: PageRenderer,
    statusOf: @escaping @Sendable (PageExample) -> Int
  ) throws(TemplateFault) {
    templates = try renderer.templates("backstage/index", about: AtlasIndexView.self)
    self.statusOf = statusOf
  }

  /// The index document in UTF-8, for a folder that has each page as `PAGE/STATE.html`.
  public func document() throws(TemplateFault) -> [UInt8] {
    try templates.render(AtlasIndexView(statusOf: statusOf), by: "backstage/index")
  }
}

/// What `backstage/index` asks for.
struct AtlasIndexView: TemplateView {
  enum Name: String, CaseIterable { case count, pages }

  let statusOf: @Sendable (PageExample) -> Int

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .count: .text { _ in String(PageExample.all.count) }
    case .pages: .each(\.pages)
    }
  }

  private var pages: [GalleryPageView] {
    Atlas.pages.map { page, states in
      let examples = states.compactMap { Atlas.example(named: "\(page)/\($0)") }
      return GalleryPageView(
        name: page,
        width: .phone,
        cards: examples.map { example in
          StateCardView(
            example,
            address: "\(example.name).html",
            picture: "\(example.name).html",
            status: statusOf(example),
            isSandboxed: true
          )
        }
      )
    }
  }
}
