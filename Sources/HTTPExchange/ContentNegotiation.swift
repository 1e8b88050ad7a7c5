internal import Foundation
internal import HTTPTypes

extension Request {
  /// The media type of the body, in lower case and without parameters; empty if the client does not say.
  ///
  /// Source: RFC 9110, sections 8.3 and 8.3.1.
  public var mediaType: String { reading?.mediaType ?? headerFields.mediaType }

  /// Whether the body is a form, as browsers encode it when it has no files.
  ///
  /// Source: WHATWG URL, "application/x-www-form-urlencoded".
  public var isForm: Bool { mediaType == "application/x-www-form-urlencoded" }

  /// Whether the client wants JSON rather than HTML; browsers, `*/*` and silence want HTML.
  ///
  /// For each of the two, the most specific range counts; of two with equal weight, the one named first wins, except
  /// that JSON always wins over an equal `*/*`. If JSON is not named, a client that gives `application/*` more weight
  /// than HTML gets JSON, and so does one that refuses HTML and accepts `*/*`.
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
      // JSON is accepted only as part of a range: `application/*`, or `*/*` if HTML is refused.
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

/// One of the media ranges that a client accepts, if it concerns JSON or HTML.
private struct AcceptedRange {
  enum Kind {
    case json, application, html, text, any
  }

  let kind: Kind
  let isXHTML: Bool
  /// The quality value, from 0 to 1.
  let weight: Double
  /// How many were named before.
  let place: Int

  /// Nil for any other range: browsers name several, and every page is negotiated.
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

  /// The range with more weight; of equal ones, the one that was named first.
  func better(than other: AcceptedRange?) -> AcceptedRange {
    guard let other, other.weight >= weight else { return self }
    return other
  }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes are this name, ignoring case and blanks.
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
