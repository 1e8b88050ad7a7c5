internal import Foundation
internal import HTTPTypes

extension Request {
  /// What the body is, in lower case and without parameters; empty where the client does not say.
  ///
  /// Source: RFC 9110, sections 8.3 and 8.3.1.
  public var mediaType: String {
    let named = headerFields.value(of: .contentType) ?? ""
    let type = named.utf8.prefix { $0 != UInt8(ascii: ";") }
    guard let first = type.firstIndex(where: isNoBlank), let last = type.lastIndex(where: isNoBlank)
    else { return "" }
    return String(Substring(type[first...last])).lowercased()
  }

  /// Whether the body is a form, as browsers send it where it has no files.
  ///
  /// Source: WHATWG URL, "application/x-www-form-urlencoded".
  public var isForm: Bool { mediaType == "application/x-www-form-urlencoded" }

  private func isNoBlank(_ byte: UInt8) -> Bool {
    byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t")
  }

  /// Whether the client wants JSON rather than HTML; browsers, `*/*` and silence want HTML.
  ///
  /// Of two that are liked alike it is the one that is named first; `*/*` beside JSON names nothing.
  ///
  /// Source: RFC 9110, section 12.5.1.
  public var prefersJSON: Bool {
    var json = 0.0
    var html = 0.0
    for header in headerFields[values: .accept] {
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
    return json > 0 && (json > html || (json == html && namesJSONFirst))
  }

  private var namesJSONFirst: Bool {
    let text = headerFields[.accept]?.lowercased() ?? ""
    guard let json = text.range(of: "application/json") else { return false }
    guard let html = text.range(of: "text/html") else { return true }
    return json.lowerBound < html.lowerBound
  }
}
