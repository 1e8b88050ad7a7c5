internal import Pages

/// Something that one press does, with a description.
struct WorkbenchTile {
  var title: String
  var words: String
  var form: WorkbenchForm
}

/// Tiles and forms under one heading.
struct WorkbenchGroup {
  var heading: String
  var words: String?
  var tiles: [WorkbenchTile] = []
  var forms: [WorkbenchForm] = []
  /// Whether a form takes the whole width.
  var isWide = false
}

/// What `backstage/group` asks for.
struct GroupView: TemplateView {
  enum Name: String, CaseIterable { case heading, words, tiles, forms, wide }

  let group: WorkbenchGroup

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .heading: .text { $0.group.heading }
    case .words: .text { $0.group.words }
    case .tiles: .each { $0.group.tiles.map(TileView.init) }
    case .wide: .flag { $0.group.isWide }
    case .forms: .each { $0.group.forms.map(\.view) }
    }
  }

  struct TileView: TemplateView {
    enum Name: String, CaseIterable { case id, title, words, form }

    let tile: WorkbenchTile

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .id: .text { $0.id }
      case .title: .text { $0.tile.title }
      case .words: .text { $0.tile.words }
      case .form: .view { $0.form.view }
      }
    }

    private var id: String { "\(tile.form.name)-tile" }

    private var form: WorkbenchForm {
      var form = tile.form
      form.describedBy = id
      return form
    }
  }
}
