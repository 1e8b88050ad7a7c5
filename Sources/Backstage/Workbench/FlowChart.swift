internal import Pages

/// A flow as a drawing: pages as boxes in columns, by how far they are from its beginning.
struct FlowChart {
  struct Box {
    var page: String
    var column: Int
    var row: Int
    var isHere: Bool

    var x: Int { 16 + column * 400 }
    var y: Int { 24 + row * 64 }
  }

  static let width = 250
  static let height = 40

  var name: String
  var boxes: [Box] = []
  var arrows: [FlowMap.Arrow] = []
  let way: WalkedWay

  init(
    name: String,
    pages: [String],
    standingAt places: [String],
    after way: WalkedWay = WalkedWay(pages: [])
  ) {
    self.name = name
    self.way = way
    arrows = pages.flatMap(FlowMap.arrows)
    var columns: [String: Int] = [:]
    for page in pages + arrows.map(\.target) where columns[page] == nil {
      // Whatever nothing before leads to begins something.
      columns[page] = columns[page] ?? 0
      var waiting = [page]
      while !waiting.isEmpty {
        let source = waiting.removeFirst()
        for arrow in arrows where arrow.source == source && columns[arrow.target] == nil {
          columns[arrow.target] = (columns[source] ?? 0) + 1
          waiting.append(arrow.target)
        }
      }
    }
    var rows: [Int: Int] = [:]
    for page in pages + arrows.map(\.target) where !boxes.contains(where: { $0.page == page }) {
      let column = columns[page] ?? 0
      let row = rows[column, default: 0]
      rows[column] = row + 1
      let isHere = places.contains(FlowMap.path(of: page))
      boxes.append(Box(page: page, column: column, row: row, isHere: isHere))
    }
  }

  /// Its first state in the atlas.
  static func address(of page: String) -> String? {
    Atlas.pages.first { $0.page == page }.flatMap { page, states in
      states.first.map { "\(WorkbenchTool.atlas.path)?state=\(page)%2F\($0)" }
    }
  }
}

/// What `backstage/chart` asks for.
struct ChartView: TemplateView {
  enum Name: String, CaseIterable { case flow, width, height, boxes, arrows }

  let chart: FlowChart

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .flow: .text(\.chart.name)
    case .width: .text { String(($0.chart.boxes.map(\.x).max() ?? 0) + FlowChart.width + 16) }
    case .height: .text { String(($0.chart.boxes.map(\.y).max() ?? 0) + FlowChart.height + 24) }
    case .boxes: .each { $0.chart.boxes.map(BoxView.init) }
    case .arrows: .each(\.arrows)
    }
  }

  private var arrows: [ArrowView] {
    var count: [String: Int] = [:]
    return chart.arrows.compactMap { arrow in
      guard let source = chart.boxes.first(where: { $0.page == arrow.source }),
        let target = chart.boxes.first(where: { $0.page == arrow.target })
      else { return nil }
      let number = count[arrow.target, default: 0]
      count[arrow.target] = number + 1
      return ArrowView(
        arrow: arrow,
        source: source,
        target: target,
        number: number,
        isWalked: chart.way.has(arrow)
      )
    }
  }

  struct BoxView: TemplateView {
    enum Name: String, CaseIterable { case page, address, x, y, textX, textY, here }

    let box: FlowChart.Box

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .page: .text(\.box.page)
      case .address: .text { FlowChart.address(of: $0.box.page) }
      case .x: .text { String($0.box.x) }
      case .y: .text { String($0.box.y) }
      case .textX: .text { String($0.box.x + FlowChart.width / 2) }
      case .textY: .text { String($0.box.y + FlowChart.height / 2 + 4) }
      case .here: .flag(\.box.isHere)
      }
    }
  }

  struct ArrowView: TemplateView {
    enum Name: String, CaseIterable { case line, head, reason, short, anchor, x, y, walked }

    let arrow: FlowMap.Arrow
    let source: FlowChart.Box
    let target: FlowChart.Box
    /// Among those that lead to the same box.
    let number: Int
    let isWalked: Bool

    private var isForward: Bool { target.column > source.column }
    private var startX: Int { source.x + FlowChart.width }
    private var startY: Int { source.y + FlowChart.height / 2 }
    private var endX: Int { isForward ? target.x : target.x + FlowChart.width }
    private var endY: Int { target.y + FlowChart.height / 2 }

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .line: .text(\.line)
      case .head: .text { "M\($0.endX) \($0.endY) l\($0.isForward ? -9 : 9) -4 v8 z" }
      case .walked: .flag(\.isWalked)
      case .reason: .text { "\($0.arrow.source) → \($0.arrow.target): \($0.arrow.reason)" }
      case .short: .text { String($0.arrow.reason.prefix { $0 != ":" && $0 != " " }) }
      // Beside the head, on the side from which the arrow comes, one line for each.
      case .anchor: .text { $0.isForward ? "end" : "start" }
      case .x: .text { String($0.isForward ? $0.endX - 14 : $0.endX + 14) }
      case .y: .text { String($0.endY - 6 + 13 * ($0.number % 3)) }
      }
    }

    private var line: String {
      let bend = isForward ? max(40, (endX - startX) / 2) : 60
      let second = isForward ? endX - bend : endX + bend
      return "M\(startX) \(startY) C\(startX + bend) \(startY) \(second) \(endY) \(endX) \(endY)"
    }
  }
}
