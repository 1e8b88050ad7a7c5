import Foundation
public import Localization

/// Every page in every state, to look at without walking there.
///
/// The pages are the examples that the tests check, through the templates that are served.
public struct Atlas: Sendable {
  let renderer: PageRenderer

  public init(renderer: PageRenderer) { self.renderer = renderer }

  /// The names of the pages: `sign-in-code/wrong-code`, a page and its state.
  public static var names: [String] { examples.map(\.name) }

  /// The example of that name; nil where there is none.
  public static func example(named name: String) -> PageExample? { byName[name] }

  private static let examples = PageExample.all
  /// The examples of that page.
  static func all(of page: String) -> [PageExample] {
    examples.filter { $0.name.hasPrefix("\(page)/") }
  }

  private static let byName = Dictionary(
    uniqueKeysWithValues: examples.map { ($0.name, $0) }
  )

  /// A page as a complete document.
  ///
  /// - Parameters:
  ///   - name: A page and its state.
  ///   - language: The language of the page.
  ///   - api: The vendor that it says is emulated; nil is the example's own.
  ///   - world: The world that it says it is in; nil is the example's own.
  /// - Returns: The document in UTF-8; nil where there is no page of that name.
  /// - Throws: `TemplateFault` where a template was spoilt after the start.
  public func page(
    named name: String,
    in language: LanguageTag = .english,
    over api: String? = nil,
    of world: String? = nil
  ) throws(TemplateFault) -> [UInt8]? {
    guard let example = Self.byName[name] else { return nil }
    var frame = example.frame(in: language, over: api, of: world)
    frame.isOnShow = true
    return try renderer.html(example.page, in: frame)
  }

  /// The JSON twin of that page; nil where there is none.
  public func twin(named name: String, in language: LanguageTag = .english) -> [UInt8]? {
    Self.byName[name].map { renderer.json($0.page, in: $0.frame(in: language)) }
  }

  /// The states of each page, in the order of the examples; both are plain words.
  public static var pages: [(page: String, states: [String])] {
    var pages: [(page: String, states: [String])] = []
    for example in examples {
      let parts = example.name.split(separator: "/", maxSplits: 1).map(String.init)
      if let index = pages.firstIndex(where: { $0.page == parts[0] }) {
        pages[index].states.append(parts[1])
      } else {
        pages.append((parts[0], [parts[1]]))
      }
    }
    return pages
  }
}
