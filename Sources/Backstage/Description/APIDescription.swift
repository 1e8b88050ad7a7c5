internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// The OpenAPI 3.1 description of backstage's calls and of the JSON twin.
///
/// It repeats nothing: calls are derived from their routes, pages from their addresses and
/// examples.
enum APIDescription {
  /// The description on the pages' port; built on first use.
  static let whole = document(withPages: true).encoded
  /// The description on an emulator's own port, which has no pages.
  static let withoutPages = document(withPages: false).encoded

  private static func document(withPages: Bool) -> JSON {
    let routes = BackstageRouter.routes.filter { withPages || !$0.description.needsPages }
    let schemas = NamedSchema.allCases.map { JSON.Member($0.rawValue, $0.schema.json) }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "Vestibule", "version": "1",
        "description": .string(
          withPages
            ? "Every page as JSON (`Accept: application/json`), and backstage, which drives a world."
            : "Backstage, which drives a world."
        ),
      ],
      "servers": [["url": "/"]],
      "tags": .array(
        (withPages ? [tag("pages", "Read a form, fill it in, post it; a 303 leads on.")] : [])
          + [tag("backstage", "Drives a world: messages, clock, faults, accounts.")]
      ),
      "paths": .object((withPages ? TwinDescription.paths : []) + paths(of: routes)),
      "components": [
        "schemas": .object(schemas + (withPages ? TwinDescription.schemas : [])),
        "parameters": parameters,
        "responses": .object(refusals(of: routes) + (withPages ? [leadsOn] : [])),
        "securitySchemes": [
          "backstage": ["type": "apiKey", "in": "header", "name": "X-Vestibule-Backstage"]
        ],
      ],
    ]
  }

  private static func tag(_ name: String, _ words: String) -> JSON {
    ["name": .string(name), "description": .string(words)]
  }

  private static func paths(of routes: [BackstageRouter.Route]) -> [JSON.Member] {
    var paths = JSON.object([])
    for route in routes {
      let path = BackstageCall.prefix + route.path.joined(separator: "/")
      let method = route.method.rawValue.lowercased()
      let words = route.path.map { $0.filter { $0 != "{" && $0 != "}" && $0 != "." } }
      var operations = paths[path] ?? .object([])
      operations[method] = route.description.operation(
        "\(method)-\(words.joined(separator: "-"))",
        pathParameters: route.parameters
      )
      paths[path] = operations
    }
    return paths.members ?? []
  }

  private static let parameters: JSON = [
    "World": [
      "name": "X-Vestibule-World", "in": "header",
      "schema": Schema.worldName.json,
      "description": "The world; a host `NAME.localhost` names one too.",
    ],
    "ReturnAddress": [
      "name": "redirect_url", "in": "query", "schema": Schema.text.json,
      "description":
        "Where a finished sign-in or sign-up leads, at `/sign-out` the sign-out: a path of this site, or an address of an allowed origin.",
    ],
    "Language": [
      "name": .string(LanguageMenu.parameter), "in": "query", "schema": Schema.text.json,
      "description":
        "A language by its tag, or the closest one available: answered with 303 to the same page, with a cookie that keeps it.",
    ],
  ]

  /// Each refusal once, however many calls share it.
  private static func refusals(of routes: [BackstageRouter.Route]) -> [JSON.Member] {
    let all = routes.flatMap { route in
      route.description.refusals(hasPathParameters: !route.parameters.isEmpty)
        .map { RefusalResponse(codes: $0.codes) }
    }
    return Set(all).map { .init($0.name, $0.json) }.sorted { $0.name < $1.name }
  }

  private static let leadsOn = JSON.Member(
    "LeadsOn",
    [
      "description": "Redirects to the page that is due, with cookies.",
      "headers": ["Location": ["required": true, "schema": Schema.text.json]],
      "content": ["text/plain": ["schema": Schema.text.json]],
    ]
  )
}

extension BackstageContext {
  /// `GET openapi.json`.
  func description() -> Response {
    .json(encoded: stories == nil ? APIDescription.withoutPages : APIDescription.whole)
  }
}
