/// The layer of each page, and an order within layers that lets few lines cross.
struct FlowLayers {
  /// An element of a layer.
  enum Node: Hashable {
    case page(String)
    /// A line that passes through to a later layer, by the number of its arrow.
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
    // A page's layer is the length of the longest way to it; the order of the pages defines
    // forward.
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

  /// The element through which an arrow's line passes in a layer.
  func node(of arrow: Int, in layer: Int) -> Node {
    if layer == self.layer(of: arrows[arrow].source) { return .page(arrows[arrow].source) }
    if layer == self.layer(of: arrows[arrow].target) { return .page(arrows[arrow].target) }
    return .passing(arrow)
  }

  /// The forward arrows whose lines bend right after a layer.
  func arrows(behind layer: Int) -> [Int] {
    arrows.indices.filter { number in
      isForward(arrows[number]) && self.layer(of: arrows[number].source) <= layer
        && self.layer(of: arrows[number].target) > layer
    }
  }

  /// Moves each element near those that it is connected to, forward and backward, and keeps the
  /// best order.
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
