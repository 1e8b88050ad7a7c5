internal import Emulators
internal import HTTPExchange
internal import HTTPTypes

/// A page of the workbench, from its frame to its links.
struct WorkbenchDocument {
  /// Nil for what is no tool.
  var tool: Tool?
  /// Nil where none could be opened.
  var world: String?
  /// What went wrong.
  var refusal: BackstageRefusal?
  /// Markup.
  var content: String
  /// What the content shows, for programs.
  var facts: JSON = .object([])

  /// The page in the rendering that the client prefers.
  func response(for request: Request) -> Response {
    let status = refusal?.status ?? 200
    var response =
      request.prefersJSON
      ? Response.json(json, status: status)
      : Response(
        status: .init(code: status),
        headerFields: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
        body: Array(html.utf8)
      )
    response.headerFields[.vary] = "Accept"
    response.headerFields[.allow] = refusal?.response.headerFields[.allow]
    return response
  }

  private var json: JSON {
    [
      "page": .string(name), "title": .string(title),
      "world": world.map(JSON.string) ?? .null,
      "errors": refusal.flatMap { JSON(decoding: $0.response.body)?["errors"] } ?? [],
      "facts": facts,
    ]
  }

  private var title: String { tool?.title ?? "Backstage" }

  private var html: String {
    let mark = refusal == nil ? "" : "Error: "
    return """
      <!DOCTYPE html>
      <html lang="en" dir="ltr">
      <head>
      <meta charset="utf-8">
      <title>\(mark)\(title) – Vestibule</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <link rel="icon" href="/public/favicon.svg" type="image/svg+xml">
      <link rel="stylesheet" href="/public/vestibule.css">
      </head>
      <body>
      <a class="skip-link" href="#main">Skip to main content</a>
      <header class="masthead">
      \(strip)
      <p class="application"><a href="/">Vestibule</a></p>
      <nav class="tools" aria-label="Backstage">
      <ul>
      \(links)
      </ul>
      </nav>
      </header>
      <main id="main" class="card" tabindex="-1" data-page="\(name)"\(worldMark)>
      \(banner)<h1>\(title)</h1>
      \(content)
      </main>
      </body>
      </html>
      """
  }

  private var name: String { tool.map { "backstage-\($0.rawValue)" } ?? "backstage" }

  private var worldMark: String {
    world.map { " data-world=\"\(HTMLText.escaped($0))\"" } ?? ""
  }

  private var strip: String {
    guard let world else { return "" }
    return "<p class=\"emulation\">Backstage <span aria-hidden=\"true\">·</span> world "
      + "<b>\(HTMLText.escaped(world))</b></p>"
  }

  private var banner: String {
    guard let problem = refusal?.message else { return "" }
    return """
      <section class="banner" aria-labelledby="banner-heading" tabindex="-1" autofocus>
      <div role="alert">
      <h2 id="banner-heading">There is a problem</h2>
      <p>\(HTMLText.escaped(problem))</p>
      </div>
      </section>

      """
  }

  private var links: String {
    var items = Tool.allCases.map { tool in
      let current = tool == self.tool ? " aria-current=\"page\"" : ""
      return "<li><a href=\"\(tool.path)\"\(current)>\(tool.title)</a></li>"
    }
    items.append("<li><a href=\"/backstage/atlas\">Atlas</a></li>")
    return items.joined(separator: "\n")
  }
}
