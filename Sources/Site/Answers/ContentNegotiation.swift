internal import Foundation
internal import HTTPExchange
internal import HTTPTypes

/// The two renderings of a page.
enum Rendering: Hashable, Sendable {
  case html, json

  /// JSON only where the client prefers it; browsers, `*/*` and silence get HTML.
  ///
  /// Source: RFC 9110, section 12.5.1.
  init(preferredBy request: Request) {
    var json = 0.0
    var html = 0.0
    for header in request.headerFields[values: .accept] {
      for item in header.lowercased().split(separator: ",") {
        let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
        guard let type = parts.first else { continue }
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map {
          Double($0.dropFirst(2)) ?? 0
        }
        switch type {
        case "application/json": json = max(json, weight ?? 1)
        case "text/html", "application/xhtml+xml", "text/*", "*/*": html = max(html, weight ?? 1)
        default: continue
        }
      }
    }
    self =
      json > 0 && json > html ? .json : html == json && json > 0 ? Self.first(in: request) : .html
  }

  /// Of two that are liked alike, the one that is named first; `*/*` beside JSON names nothing.
  private static func first(in request: Request) -> Rendering {
    let text = request.headerFields[.accept]?.lowercased() ?? ""
    guard let json = text.range(of: "application/json") else { return .html }
    guard let html = text.range(of: "text/html") else { return .json }
    return json.lowerBound < html.lowerBound ? .json : .html
  }
}
