internal import Pages

/// What `backstage/chart` asks for.
struct ChartView: TemplateView {
  enum Name: String, CaseIterable { case flow, list, width, height, boxes, arrows }

  let chart: FlowChart

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .flow: .text(\.chart.name)
    case .list: .text { FlowMap.listID(of: $0.chart.name) }
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

    /// The path: straight from each even point to the next, curved from each odd one, counting from
    /// 0.
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
