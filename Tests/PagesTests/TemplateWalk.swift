import Foundation

@testable import Pages

/// Goes through templates as the renderer does, but looks whether each name is known.
///
/// The template engine renders an unknown name as nothing, and looks for a name that the innermost
/// value does not have in those around it; both are faults here.
struct TemplateWalk {
  private indirect enum Node {
    case variable(String)
    case section(String, isInverted: Bool, [Node])
    case partial(String, blocks: [String: [Node]])
    case block(String, [Node])
  }

  private let templates: [String: [Node]]
  private(set) var faults: Set<String> = []
  private var seen: Set<String> = []

  init(folder: String) throws {
    var templates: [String: [Node]] = [:]
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where file.hasSuffix(".mustache") {
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      var tags = text.components(separatedBy: "{{").dropFirst()
        .map { String($0.prefix { $0 != "}" }).trimmingCharacters(in: .whitespaces) }[...]
      templates[String(file.dropLast(".mustache".count))] = Self.nodes(&tags)
    }
    self.templates = templates
  }

  private static func nodes(_ tags: inout ArraySlice<String>) -> [Node] {
    var nodes: [Node] = []
    while let tag = tags.popFirst() {
      let name = String(tag.dropFirst())
      switch tag.first {
      case "/": return nodes
      case "!": break
      case "#": nodes.append(.section(name, isInverted: false, Self.nodes(&tags)))
      case "^": nodes.append(.section(name, isInverted: true, Self.nodes(&tags)))
      case "$": nodes.append(.block(name, Self.nodes(&tags)))
      case ">": nodes.append(.partial(name, blocks: [:]))
      case "<":
        var blocks: [String: [Node]] = [:]
        for case .block(let name, let content) in Self.nodes(&tags) { blocks[name] = content }
        nodes.append(.partial(name, blocks: blocks))
      default: nodes.append(.variable(tag))
      }
    }
    return nodes
  }

  mutating func render(_ name: String, _ view: any TemplateView) {
    walk(name, [view], blocks: [:])
  }

  /// Templates and names that nothing has led to.
  var unused: Set<String> {
    var all: Set<String> = []
    func collect(_ nodes: [Node], in template: String) {
      for node in nodes {
        switch node {
        case .variable(let name): all.insert("\(template): \(name)")
        case .section(let name, _, let content):
          all.insert("\(template): \(name)")
          collect(content, in: template)
        case .partial(_, let blocks):
          for content in blocks.values { collect(content, in: template) }
        case .block(_, let content): collect(content, in: template)
        }
      }
    }
    for (template, nodes) in templates { collect(nodes, in: template) }
    return all.subtracting(seen)
  }

  private mutating func walk(
    _ template: String,
    _ stack: [any TemplateView],
    blocks: [String: (template: String, nodes: [Node])]
  ) {
    guard let nodes = templates[template] else {
      faults.insert("there is no template \(template)")
      return
    }
    walk(nodes, in: template, stack, blocks)
  }

  private mutating func walk(
    _ nodes: [Node],
    in template: String,
    _ stack: [any TemplateView],
    _ blocks: [String: (template: String, nodes: [Node])]
  ) {
    for node in nodes {
      switch node {
      case .variable(let name):
        if case .text? = look(up: name, in: template, stack) { continue }
        faults.insert("\(template): \(name) is no text")
      case .section(let name, let isInverted, let content):
        let value = look(up: name, in: template, stack)
        switch value {
        case .flag(let flag)?:
          if flag != isInverted { walk(content, in: template, stack, blocks) }
        case .view(let view)?:
          if let view { walk(content, in: template, stack + [view], blocks) }
        case .list(let views)?:
          for view in views { walk(content, in: template, stack + [view], blocks) }
        case .text?, nil:
          faults.insert("\(template): \(name) is no section")
        }
      case .partial(let name, let inner):
        let own = inner.mapValues { (template: template, nodes: $0) }
        walk(name, stack, blocks: blocks.merging(own) { outer, _ in outer })
      case .block(let name, let content):
        let block = blocks[name] ?? (template, content)
        walk(block.nodes, in: block.template, stack, blocks)
      }
    }
  }

  private mutating func look(
    up written: String,
    in template: String,
    _ stack: [any TemplateView]
  ) -> TemplateValue? {
    seen.insert("\(template): \(written)")
    let isInnermost = written.hasPrefix(".")
    let asks = written.hasSuffix("?")
    let name = String(written.dropFirst(isInnermost ? 1 : 0).dropLast(asks ? 1 : 0))
    let knowing = (isInnermost ? stack.suffix(1) : stack).compactMap { $0.value(named: name) }
    guard let value = knowing.last else {
      faults.insert("\(template): \(written) is unknown")
      return nil
    }
    if knowing.count > 1 { faults.insert("\(template): \(written) could be meant twice") }
    return asks ? .flag(value.isPresent) : value
  }
}

extension TemplateView {
  /// The value of that name; nil where the view does not know it.
  fileprivate func value(named name: String) -> TemplateValue? {
    Name(rawValue: name).map { value(of: $0) }
  }
}
