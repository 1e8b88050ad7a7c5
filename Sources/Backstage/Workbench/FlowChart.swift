internal import Pages

/// A flow as a drawing: pages as boxes in layers, and a line for each way from one to another.
///
/// A line leaves its box in a row of its own, below its label; it bends between two layers alone, where
/// there are neither boxes nor labels, and passes a layer in a row of its own, too. What leads back ends
/// behind its label, which names the page.
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
    /// Of the line on which the letters stand.
    var y: Int

    /// As wide as the letters are at most.
    var width: Int { Self.width(of: text) }

    static func width(of text: String) -> Int { text.count * 33 / 5 }
  }

  struct Line {
    var arrow: FlowMap.Arrow
    var label: Label
    /// Ends of straight parts, two by two; in between it bends.
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
    standingAt places: [String],
    after way: WalkedWay = WalkedWay(pages: [])
  ) {
    self.name = name
    let arrows = pages.flatMap(FlowMap.arrows)
    let layers = FlowLayers(pages: pages, arrows: arrows)
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

  /// Its first state in the atlas.
  static func address(of page: String) -> String? {
    Atlas.pages.first { $0.page == page }.flatMap { page, states in
      states.first.map { "\(WorkbenchTool.atlas.path)?state=\(page)%2F\($0)" }
    }
  }
}

/// Which page stands in which layer, and in which order, so that few lines cross.
struct FlowLayers {
  /// What stands in a layer.
  enum Node: Hashable {
    case page(String)
    /// A line on its way to a layer behind, by the number of its arrow.
    case passing(Int)
  }

  /// Those of the flow, then those beyond it.
  let pages: [String]
  let arrows: [FlowMap.Arrow]
  private(set) var layers: [[Node]] = []
  private var layerOfPage: [String: Int] = [:]

  init(pages: [String], arrows: [FlowMap.Arrow]) {
    self.pages = (pages + arrows.map(\.target)).reduce(into: []) { all, page in
      if !all.contains(page) { all.append(page) }
    }
    self.arrows = arrows
    // As far behind as the longest way leads; the order of the pages says what is forward.
    for page in self.pages {
      let layer = layerOfPage[page, default: 0]
      layerOfPage[page] = layer
      for arrow in arrows where arrow.source == page && isForward(arrow) {
        layerOfPage[arrow.target] = max(layerOfPage[arrow.target, default: 0], layer + 1)
      }
    }
    layers = Array(repeating: [], count: (layerOfPage.values.max() ?? 0) + 1)
    for page in self.pages { layers[layer(of: page)].append(.page(page)) }
    for (number, arrow) in arrows.enumerated() where isForward(arrow) {
      for layer in layer(of: arrow.source) + 1..<layer(of: arrow.target) {
        layers[layer].append(.passing(number))
      }
    }
    untangle()
  }

  func layer(of page: String) -> Int { layerOfPage[page] ?? 0 }

  func isForward(_ arrow: FlowMap.Arrow) -> Bool {
    let source = pages.firstIndex(of: arrow.source) ?? 0
    return source < pages.firstIndex(of: arrow.target) ?? 0
  }

  /// Where the line of an arrow is in a layer.
  func node(of arrow: Int, in layer: Int) -> Node {
    if layer == self.layer(of: arrows[arrow].source) { return .page(arrows[arrow].source) }
    if layer == self.layer(of: arrows[arrow].target) { return .page(arrows[arrow].target) }
    return .passing(arrow)
  }

  /// The forward arrows whose lines bend behind a layer.
  func arrows(behind layer: Int) -> [Int] {
    arrows.indices.filter { number in
      isForward(arrows[number]) && self.layer(of: arrows[number].source) <= layer
        && self.layer(of: arrows[number].target) > layer
    }
  }

  /// Puts each near those to which lines lead, forth and back, and keeps the best order.
  private mutating func untangle() {
    var best = (crossings: crossings, layers: layers)
    for _ in 0..<12 {
      for layer in layers.indices.dropFirst() { sort(layer, by: layer - 1) }
      for layer in layers.indices.reversed().dropFirst() { sort(layer, by: layer + 1) }
      let found = crossings
      if found < best.crossings { best = (found, layers) }
    }
    layers = best.layers
  }

  private mutating func sort(_ layer: Int, by other: Int) {
    var places: [Node: [Int]] = [:]
    for number in arrows(behind: min(layer, other)) {
      guard let place = layers[other].firstIndex(of: node(of: number, in: other)) else { continue }
      places[node(of: number, in: layer), default: []].append(place)
    }
    let middles = layers[layer].enumerated().map { index, node -> (Node, Double) in
      let all = places[node] ?? []
      return (node, all.isEmpty ? Double(index) : Double(all.reduce(0, +)) / Double(all.count))
    }
    layers[layer] = middles.enumerated()
      .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element.0)
  }

  /// How many pairs of lines cross.
  private var crossings: Int {
    var count = 0
    for layer in layers.indices.dropLast() {
      let ends = arrows(behind: layer).map { number in
        (
          layers[layer].firstIndex(of: node(of: number, in: layer)) ?? 0,
          layers[layer + 1].firstIndex(of: node(of: number, in: layer + 1)) ?? 0
        )
      }
      for (index, one) in ends.enumerated() {
        for other in ends[(index + 1)...] where (one.0 - other.0) * (one.1 - other.1) < 0 {
          count += 1
        }
      }
    }
    return count
  }
}

/// Gives pages and lines their places, in pixels.
struct FlowPlacing {
  static let margin = 16
  /// From the row of one line to the next.
  private static let row = 18
  private static let gap = 14
  /// Where lines bend.
  private static let channel = 96
  private static let headRoom = 24

  private let layers: FlowLayers
  private(set) var boxes: [String: FlowChart.Box] = [:]
  /// Where lines pass a layer, by arrow and layer.
  private var passes: [[Int]: Int] = [:]
  /// Where each layer begins, and where the straight parts of its lines end.
  private var edges: [(start: Int, end: Int)] = []

  init(_ layers: FlowLayers) { self.layers = layers }

  mutating func place() {
    var x = Self.margin
    for (number, layer) in layers.layers.enumerated() {
      let pages = layer.compactMap { node in
        if case .page(let page) = node { page } else { nil }
      }
      let width = (pages.map { $0.count * 15 / 2 + 28 }.max() ?? 0)
      let labels = layers.arrows.filter { pages.contains($0.source) }.map(label)
      let end =
        x + width + (labels.map { FlowChart.Label.width(of: $0) }.max() ?? 0) + Self.headRoom
      edges.append((x, end))
      stack(layer, number, x, width)
      x = end + Self.channel
    }
    // The beginning stands in the middle of what it leads to.
    let first = layers.pages.filter { layers.layer(of: $0) == 0 }
    let offset = max(0, bottom(of: layers.pages) - bottom(of: first)) / 2
    for page in first { boxes[page]?.y += offset }
    let top = (boxes.values.map(\.y) + passes.values.map { $0 - Self.row / 2 }).min() ?? 0
    for page in layers.pages { boxes[page]?.y += Self.margin - top }
    passes = passes.mapValues { $0 + Self.margin - top }
  }

  private func bottom(of pages: [String]) -> Int {
    pages.compactMap { boxes[$0] }.map { $0.y + $0.height }.max() ?? 0
  }

  /// One below the other, each as high as those before it whose lines lead there.
  private mutating func stack(_ layer: [FlowLayers.Node], _ number: Int, _ x: Int, _ width: Int) {
    var y = Self.margin
    for node in layer {
      let height = height(of: node)
      let sources =
        number == 0
        ? []
        : layers.arrows(behind: number - 1)
          .filter { layers.node(of: $0, in: number) == node }
          .compactMap { middle(of: $0, in: number - 1) }
      if !sources.isEmpty {
        y = max(y, sources.reduce(0, +) / sources.count - height / 2)
      }
      switch node {
      case .page(let page):
        boxes[page] = FlowChart.Box(
          page: page,
          isHere: false,
          x: x,
          y: y,
          width: width,
          height: height
        )
      case .passing(let arrow): passes[[arrow, number]] = y + height / 2
      }
      y += height + (height > Self.row ? Self.gap : 0)
    }
  }

  private func height(of node: FlowLayers.Node) -> Int {
    guard case .page(let page) = node else { return Self.row }
    let leaving = layers.arrows.count { $0.source == page }
    let coming = layers.arrows.count { $0.target == page && layers.isForward($0) }
    return max(40, leaving * Self.row + 6, coming * 8 + 8)
  }

  /// How high the line of an arrow is in a layer, roughly where it leaves a box.
  private func middle(of arrow: Int, in layer: Int) -> Int? {
    switch layers.node(of: arrow, in: layer) {
    case .page(let page): boxes[page].map { $0.y + $0.height / 2 }
    case .passing: passes[[arrow, layer]]
    }
  }

  /// What stands above a line; it names the page where the line does not lead to it.
  private func label(of arrow: FlowMap.Arrow) -> String {
    layers.isForward(arrow) ? String(arrow.shortReason) : "\(arrow.shortReason) → \(arrow.target)"
  }

  func lines(walked: (FlowMap.Arrow) -> Bool) -> [FlowChart.Line] {
    let leaving = rows { layers.arrows[$0].source }
    let coming = arrivals
    return layers.arrows.indices.compactMap { number in
      let arrow = layers.arrows[number]
      guard let box = boxes[arrow.source], let y = leaving[number] else { return nil }
      let start = FlowChart.Point(x: box.x + box.width, y: y)
      let label = FlowChart.Label(text: label(of: arrow), x: start.x + 8, y: y - 4)
      return FlowChart.Line(
        arrow: arrow,
        label: label,
        points: [start] + way(of: number, from: start, label, to: coming[number]),
        isWalked: walked(arrow)
      )
    }
  }

  private func way(
    of number: Int,
    from start: FlowChart.Point,
    _ label: FlowChart.Label,
    to arrival: Int?
  ) -> [FlowChart.Point] {
    let arrow = layers.arrows[number]
    guard let arrival, let target = boxes[arrow.target] else {
      return [FlowChart.Point(x: label.x + label.width + 12, y: start.y)]
    }
    let first = layers.layer(of: arrow.source)
    var points = [FlowChart.Point(x: edges[first].end, y: start.y)]
    for layer in first + 1..<layers.layer(of: arrow.target) {
      let y = passes[[number, layer]] ?? start.y
      points += [.init(x: edges[layer].start - 10, y: y), .init(x: edges[layer].end, y: y)]
    }
    // The head is straight.
    return points + [.init(x: target.x - 10, y: arrival), .init(x: target.x, y: arrival)]
  }

  /// The rows in which the arrows leave their boxes: above each other as the pages are to which they lead.
  private func rows(_ page: (Int) -> String) -> [Int: Int] {
    var rows: [Int: Int] = [:]
    for (source, numbers) in Dictionary(grouping: layers.arrows.indices, by: page) {
      guard let box = boxes[source] else { continue }
      let layer = layers.layer(of: source)
      let sorted = numbers.sorted {
        (target($0, behind: layer), $0) < (target($1, behind: layer), $1)
      }
      let top = box.y + (box.height - sorted.count * Self.row) / 2
      for (index, number) in sorted.enumerated() {
        rows[number] = top + (index + 1) * Self.row - 3
      }
    }
    return rows
  }

  /// How high it goes on; what leads back is below the others.
  private func target(_ number: Int, behind layer: Int) -> Int {
    guard layers.isForward(layers.arrows[number]) else { return .max }
    return middle(of: number, in: layer + 1) ?? 0
  }

  /// Where forward arrows reach their boxes.
  private var arrivals: [Int: Int] {
    var arrivals: [Int: Int] = [:]
    let forward = layers.arrows.indices.filter { layers.isForward(layers.arrows[$0]) }
    for (page, numbers) in Dictionary(grouping: forward, by: { layers.arrows[$0].target }) {
      guard let box = boxes[page] else { continue }
      let layer = layers.layer(of: page)
      let sorted = numbers.sorted {
        (middle(of: $0, in: layer - 1) ?? 0, $0) < (middle(of: $1, in: layer - 1) ?? 0, $1)
      }
      for (index, number) in sorted.enumerated() {
        arrivals[number] = box.y + box.height * (index + 1) / (sorted.count + 1)
      }
    }
    return arrivals
  }
}

/// What `backstage/chart` asks for.
struct ChartView: TemplateView {
  enum Name: String, CaseIterable { case flow, width, height, boxes, arrows }

  let chart: FlowChart

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .flow: .text(\.chart.name)
    case .width: .text { String($0.chart.width) }
    case .height: .text { String($0.chart.height) }
    case .boxes: .each { $0.chart.boxes.map(BoxView.init) }
    case .arrows: .each { $0.chart.lines.map(ArrowView.init) }
    }
  }

  struct BoxView: TemplateView {
    enum Name: String, CaseIterable { case page, address, x, y, width, height, textX, textY, here }

    let box: FlowChart.Box

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .page: .text(\.box.page)
      case .address: .text { FlowChart.address(of: $0.box.page) }
      case .x: .text { String($0.box.x) }
      case .y: .text { String($0.box.y) }
      case .width: .text { String($0.box.width) }
      case .height: .text { String($0.box.height) }
      case .textX: .text { String($0.box.x + $0.box.width / 2) }
      case .textY: .text { String($0.box.y + $0.box.height / 2 + 4) }
      case .here: .flag(\.box.isHere)
      }
    }
  }

  struct ArrowView: TemplateView {
    enum Name: String, CaseIterable { case line, head, reason, short, x, y, walked }

    let line: FlowChart.Line

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .line: .text(\.path)
      case .head: .text { "M\($0.end.x) \($0.end.y) l-9 -4 v8 z" }
      case .walked: .flag(\.line.isWalked)
      case .reason:
        .text { "\($0.line.arrow.source) → \($0.line.arrow.target): \($0.line.arrow.reason)" }
      case .short: .text(\.line.label.text)
      case .x: .text { String($0.line.label.x) }
      case .y: .text { String($0.line.label.y) }
      }
    }

    private var end: FlowChart.Point { line.points[line.points.count - 1] }

    /// Straight from each odd point to the next, bent from each even one.
    private var path: String {
      var path = "M\(line.points[0].x) \(line.points[0].y)"
      for (index, point) in line.points.enumerated().dropFirst() {
        let last = line.points[index - 1]
        if index.isMultiple(of: 2) {
          let middle = (last.x + point.x) / 2
          path += " C\(middle) \(last.y) \(middle) \(point.y) \(point.x) \(point.y)"
        } else {
          path += " H\(point.x)"
        }
      }
      return path
    }
  }
}
