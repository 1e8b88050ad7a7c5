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
  /// Of each it is the range that names it most closely that counts, and of two that are liked alike the one
  /// that is named first; `*/*` beside JSON names nothing.
  ///
  /// Source: RFC 9110, section 12.5.1.
  public var prefersJSON: Bool {
    var json: AcceptedRange?
    var html: AcceptedRange?
    var text: AcceptedRange?
    var any: AcceptedRange?
    let ranges = headerFields[values: .accept]
      .flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
    for (place, range) in ranges.enumerated() {
      let range = AcceptedRange(range, place: place)
      switch range.name {
      case "application/json": json = range.better(than: json)
      case "text/html", "application/xhtml+xml": html = range.better(than: html)
      case "text/*": text = range.better(than: text)
      case "*/*": any = range.better(than: any)
      default: continue
      }
    }
    guard let json, json.weight > 0 else { return false }
    guard let page = html ?? text else { return json.weight >= any?.weight ?? 0 }
    return json.weight == page.weight ? json.place < page.place : json.weight > page.weight
  }
}

/// One of the media ranges that a client accepts.
private struct AcceptedRange {
  /// In lower case.
  let name: String
  /// How much it is liked, from 0 to 1.
  let weight: Double
  /// How many were named before.
  let place: Int

  init(_ range: Substring.UTF8View, place: Int) {
    let parts = range.split(separator: UInt8(ascii: ";")).map { part in
      String(decoding: part.filter { $0 != UInt8(ascii: " ") && $0 != 0x09 }, as: UTF8.self)
        .lowercased()
    }
    name = parts.first ?? ""
    let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
    self.weight = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
    self.place = place
  }

  /// The one that is liked more, else the one that was named before.
  func better(than other: AcceptedRange?) -> AcceptedRange {
    guard let other, other.weight >= weight else { return self }
    return other
  }
}
