import Foundation

/// Every page in every state, to look at without walking there.
///
/// The pages are the examples that the tests check, through the templates that are served.
public struct Atlas: Sendable {
  private let renderer: PageRenderer

  public init(renderer: PageRenderer) { self.renderer = renderer }

  /// The names of the pages: `sign-in-code/wrong-code`, a page and its state.
  public static var names: [String] { examples.map(\.name) }

  private static let examples = PageExample.all
  private static let byName = Dictionary(
    uniqueKeysWithValues: examples.map { ($0.name, $0) }
  )

  /// The page of that name as a complete document in UTF-8; nil where there is none.
  ///
  /// - Throws: `TemplateFault` where a template was spoilt after the start.
  public func page(named name: String) throws(TemplateFault) -> [UInt8]? {
    guard let example = Self.byName[name] else { return nil }
    return try renderer.html(example.page, in: example.frame)
  }

  /// The JSON twin of that page; nil where there is none.
  public func twin(named name: String) -> [UInt8]? {
    Self.byName[name].map { renderer.json($0.page, in: $0.frame) }
  }

  /// The list of all pages as a complete document in UTF-8.
  ///
  /// - Parameters:
  ///   - folder: Where the pages are, as the list sees it: empty, or with a slash at its end.
  ///   - ending: What a page's address has behind its name.
  ///   - assets: Where the style sheet is, with a slash at its end.
  /// - Returns: The document, without any script.
  public func index(folder: String, ending: String, assets: String) -> [UInt8] {
    let pages = Self.pages.map { page, states in
      let items = states.map { state in
        "<li><a href=\"\(folder)\(page)/\(state)\(ending)\">\(state)</a></li>"
      }
      return """
        <h2>\(page)</h2>
        <ul>
        \(items.joined(separator: "\n"))
        </ul>
        """
    }
    return Array(
      """
      <!DOCTYPE html>
      <html lang="en" dir="ltr">
      <head>
      <meta charset="utf-8">
      <title>Atlas – Vestibule</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <link rel="icon" href="\(assets)favicon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="\(assets)vestibule.css">
      </head>
      <body>
      <a class="skip-link" href="#main">Skip to main content</a>
      <header class="masthead">
      <p class="application">Vestibule</p>
      </header>
      <main id="main" class="card" tabindex="-1" data-page="atlas">
      <h1>Atlas</h1>
      <p class="lead">Every page in every state: \(Self.examples.count) of them.</p>
      \(pages.joined(separator: "\n"))
      </main>
      </body>
      </html>

      """.utf8
    )
  }

  /// The states of each page, in the order of the examples; both are plain words.
  private static var pages: [(page: String, states: [String])] {
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
