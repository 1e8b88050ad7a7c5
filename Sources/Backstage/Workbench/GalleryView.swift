internal import Pages

/// What `backstage/gallery` asks for.
struct GalleryView: TemplateView {
  enum Name: String, CaseIterable {
    case controls, narrowed, all, sheet, printing, count, pages, opened
  }

  let gallery: Gallery

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .controls: .view { $0.gallery.controls }
    case .narrowed: .flag { $0.gallery.query.isNarrowed }
    case .all: .text { _ in WorkbenchTool.atlas.path }
    case .sheet: .text { $0.gallery.query.address(isSheet: true) }
    case .printing: .flag { $0.gallery.query.isSheet }
    case .count:
      .text { view in
        let count = "\(view.gallery.found.count) of \(PageExample.all.count) states"
        return view.gallery.remark.map { "\(count). \($0)" } ?? count
      }
    case .pages: .each { view in view.gallery.opened == nil ? view.pages : [] }
    case .opened: .view { view in view.gallery.opened.map { OpenedStateView($0, view.gallery) } }
    }
  }

  private var pages: [GalleryPageView] {
    let found = Dictionary(grouping: gallery.found, by: \.pageName)
    return Atlas.pages.compactMap { page, _ in
      found[page].map { examples in
        GalleryPageView(name: page, width: gallery.query.width, cards: examples.map(card))
      }
    }
  }

  private func card(of example: PageExample) -> StateCardView {
    StateCardView(
      example,
      address: gallery.query.address(state: example.name),
      alone: gallery.query.address(of: example),
      picture: gallery.query.address(of: example, isStill: true),
      status: gallery.statusOf(example),
      width: gallery.query.width,
      isWaitedFor: gallery.query.isSheet
    )
  }
}

/// What `backstage/states` asks for: the states of a page, as cards.
struct GalleryPageView: TemplateView {
  enum Name: String, CaseIterable { case page, width, cards }

  let name: String
  let width: GalleryQuery.Width
  var cards: [StateCardView]

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .page: .text(\.name)
    case .width: .text { String($0.width.rawValue) }
    case .cards: .each(\.cards)
    }
  }
}

struct StateCardView: TemplateView {
  enum Name: String, CaseIterable {
    case state, address, alone, picture, about, waitedFor, sandboxed
  }

  private let example: PageExample
  private let address: String
  private let alone: String?
  private let picture: String
  private let status: Int
  private let width: GalleryQuery.Width
  private let isWaitedFor: Bool
  /// Whether the page's own scripts are blocked in the picture.
  private let isSandboxed: Bool

  /// - Parameters:
  ///   - example: The state.
  ///   - address: The address that shows more of it.
  ///   - alone: The address that shows only it; nil if `address` does.
  ///   - picture: The address of the picture in the card.
  ///   - status: The status with which a page like that is answered.
  ///   - width: The width of the picture.
  ///   - isWaitedFor: Whether the picture loads before it comes into view.
  ///   - isSandboxed: Whether the page's own scripts are blocked in it.
  init(
    _ example: PageExample,
    address: String,
    alone: String? = nil,
    picture: String,
    status: Int,
    width: GalleryQuery.Width = .phone,
    isWaitedFor: Bool = false,
    isSandboxed: Bool = false
  ) {
    self.example = example
    self.address = address
    self.alone = alone
    self.picture = picture
    self.status = status
    self.width = width
    self.isWaitedFor = isWaitedFor
    self.isSandboxed = isSandboxed
  }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .state: .text(\.example.state)
    case .address: .text(\.address)
    case .alone: .text(\.alone)
    case .picture: .text(\.picture)
    case .about: .text { "\($0.status) · \($0.width.rawValue) px" }
    case .waitedFor: .flag(\.isWaitedFor)
    case .sandboxed: .flag(\.isSandboxed)
    }
  }
}

/// What `backstage/state` asks for: one state with its neighbours.
struct OpenedStateView: TemplateView {
  enum Name: String, CaseIterable {
    case name, about, picture, width, alone, twin, gallery, previous, next, standing, obstacle
  }

  let example: PageExample
  let owner: Gallery

  init(_ example: PageExample, _ gallery: Gallery) {
    self.example = example
    owner = gallery
  }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .name: .text(\.example.name)
    case .about: .text(\.about)
    case .picture: .text { $0.owner.query.address(of: $0.example, isStill: true) }
    case .width: .text { String($0.owner.query.width.rawValue) }
    case .alone: .text { $0.owner.query.address(of: $0.example) }
    case .twin: .text(\.twin)
    case .gallery: .text { $0.owner.query.address() }
    case .previous: .view { $0.neighbour(-1) }
    case .next: .view { $0.neighbour(1) }
    case .standing: .view { $0.owner.standing?.view }
    case .obstacle: .text { $0.owner.obstacle }
    }
  }

  private var about: String {
    let flow = example.page.flow.map { ", flow \($0.rawValue)" } ?? ""
    let path = example.page.address.map { " at \($0.path)" } ?? ""
    return "Page \(example.pageName)\(path), step \(example.page.step)\(flow), "
      + "status \(owner.statusOf(example))"
  }

  private var twin: String {
    var query = owner.query
    query.setting.format = .json
    return query.address(of: example)
  }

  private func neighbour(_ distance: Int) -> NeighbourView? {
    owner.neighbour(distance).map { other in
      NeighbourView(words: other.name, address: owner.query.address(state: other.name))
    }
  }

  struct NeighbourView: TemplateView {
    enum Name: String, CaseIterable { case words, address }

    let words: String
    let address: String

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .words: .text(\.words)
      case .address: .text(\.address)
      }
    }
  }
}
