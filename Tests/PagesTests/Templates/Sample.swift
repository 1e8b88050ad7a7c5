@testable import Pages

/// The value that the tests of the template language use: it has names of every kind.
struct Sample: TemplateView {
  enum Name: String, CaseIterable {
    case word, hostile, mustache, nothing, yes, no, person, nobody, list, empty, shared
  }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .word: .text { _ in "---" }
    case .hostile: .text { _ in "& \" < > '" }
    case .mustache: .text { _ in "{{word}}" }
    case .nothing: .text { _ in nil }
    case .yes: .flag { _ in true }
    case .no: .flag { _ in false }
    case .person: .view { _ in Person(name: "Joe", friends: ["Ann", "Bo"]) }
    case .nobody: .view { _ in nil as Person? }
    case .list: .each { _ in ["1", "2", "3"].map { Person(name: $0, friends: []) } }
    case .empty: .each { _ in [] as [Person] }
    case .shared: .text { _ in "outer" }
    }
  }

  struct Person: TemplateView {
    enum Name: String, CaseIterable { case name, friends, shared }

    let name: String
    let friends: [String]

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .name: .text(\.name)
      case .friends: .each { $0.friends.map(Friend.init) }
      case .shared: .text { "\($0.name)'s" }
      }
    }
  }

  struct Friend: TemplateView {
    enum Name: String, CaseIterable { case first }

    let first: String

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .first: .text(\.first)
      }
    }
  }

  /// Renders a template with this value, beside other templates that it may include.
  static func rendering(
    _ template: String,
    with others: [String: String] = [:]
  ) throws(TemplateFault) -> String {
    var templates: [String: [Node]] = [:]
    for (name, text) in others.merging(["main": template], uniquingKeysWith: { $1 }) {
      templates[name] = try Parser.nodes(of: Array(text.utf8), file: "\(name).mustache")
    }
    let splicer = Splicer(templates: templates)
    try splicer.check()
    let program = try Program(splicer.nodes(of: "main") ?? [], in: Scope<Sample>())
    var still = Still(.html, capacity: 64)
    program.write(Sample(), to: &still)
    return String(decoding: still.bytes, as: UTF8.self)
  }
}
