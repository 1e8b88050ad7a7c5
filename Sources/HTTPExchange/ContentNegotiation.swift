internal import Foundation
internal import HTTPTypes

extension Request {
  /// What the body is, in lower case and without parameters; empty where the client does not say.
  ///
  /// Source: RFC 9110, sections 8.3 and 8.3.1.
  public var mediaType: String {
    let named = headerFields.value(of: .contentType) ?? ""
    let type = named.utf8.prefix { $0 != UInt8(ascii: ";") }
    guard let first = type.firstIndex(where: { !$0.isHTTPBlank }),
      let last = type.lastIndex(where: { !$0.isHTTPBlank })
    else { return "" }
    return String(Substring(type[first...last])).lowercased()
  }

  /// Whether the body is a form, as browsers send it where it has no files.
  ///
  /// Source: WHATWG URL, "application/x-www-form-urlencoded".
  public var isForm: Bool { mediaType == "application/x-www-form-urlencoded" }

  /// Whether the client wants JSON rather than HTML; browsers, `*/*` and silence want HTML.
  ///
  /// Of each it is the range that names it most closely that counts, and of two that are liked alike the one
  /// that is named first; `*/*` beside JSON names nothing. Who likes HTML less than a range that holds JSON as well gets
  /// that.
  ///
  /// Source: RFC 9110, section 12.5.1.
  public var prefersJSON: Bool {
    var json: AcceptedRange?
    var application: AcceptedRange?
    var html: AcceptedRange?
    var text: AcceptedRange?
    var any: AcceptedRange?
    var place = 0
    for field in headerFields[values: .accept] {
      for range in field.utf8.split(separator: UInt8(ascii: ",")) {
        if let range = AcceptedRange(range, place: place) {
          switch range.kind {
          case .json: json = range.better(than: json)
          case .application: application = range.better(than: application)
          case .html: html = range.better(than: html)
          case .text: text = range.better(than: text)
          case .any: any = range.better(than: any)
          }
        }
        place += 1
      }
    }
    let page = html ?? text
    let refusesHTML = page.map { $0.weight == 0 && !$0.isXHTML } ?? false
    guard let json else {
      // By a range that holds it and not HTML, or holds both where HTML is not taken.
      guard let range = application ?? (refusesHTML ? any : nil), range.weight > 0 else {
        return false
      }
      return range.weight > (page ?? any)?.weight ?? 0
    }
    guard json.weight > 0 else { return false }
    guard let page else { return json.weight >= any?.weight ?? 0 }
    return json.weight == page.weight ? json.place < page.place : json.weight > page.weight
  }
}

/// One of the media ranges that a client accepts, of those that say anything of JSON or HTML.
private struct AcceptedRange {
  enum Kind {
    case json, application, html, text, any
  }

  let kind: Kind
  let isXHTML: Bool
  /// How much it is liked, from 0 to 1.
  let weight: Double
  /// How many were named before.
  let place: Int

  /// Nil for a range of something else: browsers name several, and every page asks.
  init?(_ range: Substring.UTF8View, place: Int) {
    let parts = range.split(separator: UInt8(ascii: ";"))
    guard let name = parts.first.map(Self.text), let kind = Self.kinds[name] else { return nil }
    self.kind = kind
    isXHTML = name == "application/xhtml+xml"
    let weight = parts.dropFirst().lazy.map(Self.text).first { $0.hasPrefix("q=") }
    self.weight = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
    self.place = place
  }

  private static let kinds: [String: Kind] = [
    "application/json": .json, "application/*": .application, "text/html": .html,
    "application/xhtml+xml": .html,
    "text/*": .text, "*/*": .any,
  ]

  /// In lower case and without blanks.
  private static func text(of part: Substring.UTF8View) -> String {
    String(unsafeUninitializedCapacity: part.count) { text in
      var count = 0
      for byte in part where !byte.isHTTPBlank {
        let isCapital = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        text.initializeElement(at: count, to: isCapital ? byte | 0x20 : byte)
        count += 1
      }
      return count
    }
  }

  /// The one that is liked more, else the one that was named before.
  func better(than other: AcceptedRange?) -> AcceptedRange {
    guard let other, other.weight >= weight else { return self }
    return other
  }
}
