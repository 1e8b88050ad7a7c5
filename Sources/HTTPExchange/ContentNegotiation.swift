internal import Foundation
internal import HTTPTypes

extension Request {
  /// What the body is, in lower case and without parameters; empty where the client does not say.
  ///
  /// Source: RFC 9110, sections 8.3 and 8.3.1.
  public var mediaType: String { reading?.mediaType ?? headerFields.mediaType }

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
  public var prefersJSON: Bool { reading?.prefersJSON ?? headerFields.prefersJSON }
}

extension HTTPFields {
  var mediaType: String {
    var named = value(of: .contentType) ?? ""
    // Most are written so, and every form has one.
    let isPlain = named.withUTF8 { bytes in
      bytes.allSatisfy { $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: ";") && !$0.isASCIICapital }
    }
    guard !isPlain else { return named }
    let type = named.utf8.prefix { $0 != UInt8(ascii: ";") }
    guard let first = type.firstIndex(where: { !$0.isHTTPBlank }),
      let last = type.lastIndex(where: { !$0.isHTTPBlank })
    else { return "" }
    return String(Substring(type[first...last])).lowercased()
  }

  var prefersJSON: Bool {
    var json: AcceptedRange?
    var application: AcceptedRange?
    var html: AcceptedRange?
    var text: AcceptedRange?
    var any: AcceptedRange?
    var place = 0
    for field in values(of: .accept) {
      for range in Array(field.utf8).split(separator: UInt8(ascii: ",")) {
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
  init?(_ range: ArraySlice<UInt8>, place: Int) {
    let range = range.drop { $0 == UInt8(ascii: ";") || $0.isHTTPBlank }
    let end = range.firstIndex(of: UInt8(ascii: ";")) ?? range.endIndex
    guard let named = Self.names.first(where: { range[..<end].isWritten($0.name) }) else {
      return nil
    }
    kind = named.kind
    isXHTML = named.isXHTML
    weight = Self.weight(among: range[end...])
    self.place = place
  }

  private static let names: [(name: StaticString, kind: Kind, isXHTML: Bool)] = [
    ("text/html", .html, false), ("application/xhtml+xml", .html, true), ("*/*", .any, false),
    ("application/json", .json, false), ("application/*", .application, false),
    ("text/*", .text, false),
  ]

  private static func weight(among parameters: ArraySlice<UInt8>) -> Double {
    for parameter in parameters.split(separator: UInt8(ascii: ";")) {
      let text = String(decoding: parameter.filter { !$0.isHTTPBlank }, as: UTF8.self)
      if text.lowercased().hasPrefix("q=") { return Double(text.dropFirst(2)) ?? 0 }
    }
    return 1
  }

  /// The one that is liked more, else the one that was named before.
  func better(than other: AcceptedRange?) -> AcceptedRange {
    guard let other, other.weight >= weight else { return self }
    return other
  }
}

extension ArraySlice<UInt8> {
  /// Whether that is what is written, in letters of any case and with blanks anywhere.
  fileprivate func isWritten(_ name: StaticString) -> Bool {
    var place = 0
    for byte in self where !byte.isHTTPBlank {
      guard place < name.utf8CodeUnitCount, name.utf8Start[place] == byte.lowercasedInASCII else {
        return false
      }
      place += 1
    }
    return place == name.utf8CodeUnitCount
  }
}
