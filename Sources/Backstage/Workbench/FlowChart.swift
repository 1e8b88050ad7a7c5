internal import Pages

/// A flow as a drawing: pages as boxes in layers, and a line for each way from one to another.
///
/// A line leaves its box in a row of its own, below its label. It bends only between two layers,
/// where there are neither boxes nor labels, and passes through a layer in a row of its own. A line
/// that leads back ends right after its label, which names the page.
struct FlowChart {
  struct Box {
    var page: String
    var isHere: Bool
    var x = 0
    var y = 0
    var width = 0
    var height = 0
  }

  struct Point: Hashable {
    var x: Int
    var y: Int
  }

  struct Label {
    var text: String
    var x: Int
    /// The baseline of the text.
    var y: Int

    /// The largest width that the text can have.
    var width: Int { Self.width(of: text) }

    static func width(of text: String) -> Int { text.count * 33 / 5 }
  }

  struct Line {
    var arrow: FlowMap.Arrow
    var label: Label
    /// The ends of the straight parts, in pairs; the line bends between pairs.
    var points: [Point]
    var isWalked: Bool
  }

  private(set) var boxes: [Box] = []
  private(set) var lines: [Line] = []
  private(set) var width = 0
  private(set) var height = 0
  let name: String

  init(
    name: String,
    pages: [String],
    arrows: [FlowMap.Arrow],
    standingAt places: [String],
    after way: WalkedWay = WalkedWay(pages: [])
  ) {
    self.name = name
    let leaving = pages.flatMap { page in arrows.filter { $0.source == page } }
    let layers = FlowLayers(pages: pages, arrows: leaving)
    var placing = FlowPlacing(layers)
    placing.place()
    boxes = layers.pages.compactMap { page in
      placing.boxes[page].map { box in
        var box = box
        box.isHere = places.contains(FlowMap.path(of: page))
        return box
      }
    }
    lines = placing.lines(walked: way.has)
    let ends =
      boxes.map { $0.x + $0.width } + lines.map { $0.label.x + $0.label.width }
      + lines.flatMap { $0.points.map(\.x) }
    width = (ends.max() ?? 0) + FlowPlacing.margin
    height = (boxes.map { $0.y + $0.height }.max() ?? 0) + FlowPlacing.margin
    height = max(height, (lines.flatMap { $0.points.map(\.y) }.max() ?? 0) + FlowPlacing.margin)
  }

  /// The address of the page's first state in the atlas.
  static func address(of page: String) -> String? {
    Atlas.pages.first { $0.page == page }.flatMap { page, states in
      states.first.map { "\(WorkbenchTool.atlas.path)?state=\(page)%2F\($0)" }
    }
  }
}
