/// Lays out pages and lines, in pixels.
struct FlowPlacing {
  static let margin = 16
  /// The distance from the row of one line to the next.
  private static let row = 18
  private static let gap = 14
  /// The width of the space between layers, where lines bend.
  private static let channel = 96
  private static let headRoom = 24

  private let layers: FlowLayers
  private(set) var boxes: [String: FlowChart.Box] = [:]
  /// The height at which a line passes through a layer, by arrow and layer.
  private var passes: [[Int]: Int] = [:]
  /// The x-coordinates at which each layer begins, and at which the straight parts of its lines
  /// end.
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
      let labelWidth = labels.map { FlowChart.Label.width(of: $0) }.max() ?? 0
      let end = x + width + labelWidth + Self.headRoom
      edges.append((x, end))
      stack(layer, number, x, width)
      x = end + Self.channel
    }
    // Centre the first layer on what it leads to.
    let first = layers.pages.filter { layers.layer(of: $0) == 0 }
    let offset = max(0, bottom(of: layers.pages) - bottom(of: first)) / 2
    for page in first { boxes[page]?.y += offset }
    let boxTops = boxes.values.map(\.y)
    let passTops = passes.values.map { $0 - Self.row / 2 }
    let top = (boxTops + passTops).min() ?? 0
    for page in layers.pages { boxes[page]?.y += Self.margin - top }
    passes = passes.mapValues { $0 + Self.margin - top }
  }

  private func bottom(of pages: [String]) -> Int {
    pages.compactMap { boxes[$0] }.map { $0.y + $0.height }.max() ?? 0
  }

  /// Stacks the elements of a layer, each level with the elements of the layer before whose lines
  /// lead to it.
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

  /// The height of an arrow's line in a layer; for a box, its middle.
  private func middle(of arrow: Int, in layer: Int) -> Int? {
    switch layers.node(of: arrow, in: layer) {
    case .page(let page): boxes[page].map { $0.y + $0.height / 2 }
    case .passing: passes[[arrow, layer]]
    }
  }

  /// The label above a line; it names the target page if the line does not reach it.
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
    // The last part, with the arrowhead, is straight.
    return points + [.init(x: target.x - 10, y: arrival), .init(x: target.x, y: arrival)]
  }

  /// The rows in which arrows leave their boxes, in the order of the pages that they lead to.
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

  /// The height at which the arrow continues in the next layer; arrows that lead back come last.
  private func target(_ number: Int, behind layer: Int) -> Int {
    guard layers.isForward(layers.arrows[number]) else { return .max }
    return middle(of: number, in: layer + 1) ?? 0
  }

  /// The heights at which forward arrows reach their boxes.
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
