/// The languages that a reader can read, the best first.
///
/// Source: RFC 9110, section 12.5.4; RFC 4647, section 3.4 (lookup).
public struct LanguagePriorities: Hashable, Sendable {
  /// A language range with what it is worth, in thousandths.
  private struct Range: Hashable {
    var text: String
    var quality: Int
  }

  private let ranges: [Range]
  private let unwanted: [String]

  /// More than any browser sends; further ranges are ignored, and so is a longer header field as a
  /// whole.
  private static let rangeLimit = 32
  private static let lengthLimitBytes = 1_024

  /// Parses the header field `Accept-Language`; malformed elements are skipped.
  public init(acceptLanguage field: String) {
    guard field.utf8.count <= Self.lengthLimitBytes else {
      (ranges, unwanted) = ([], [])
      return
    }
    let all = field.split(separator: ",").prefix(Self.rangeLimit).compactMap { Self.range($0) }
    unwanted = all.filter { $0.quality == 0 }.map(\.text)
    // A stable sort: of equals the first is meant.
    ranges = all.enumerated().filter { $0.element.quality > 0 }
      .sorted { ($1.element.quality, $0.offset) < ($0.element.quality, $1.offset) }
      .map(\.element)
  }

  private static func range(_ element: Substring) -> Range? {
    let parts = element.split(separator: ";").map(\.withoutBlankEnds)
    guard let text = parts.first, text == "*" || LanguageTag(text) != nil else { return nil }
    guard parts.count > 1 else { return Range(text: text.lowercased(), quality: 1_000) }
    guard parts.count == 2, let quality = quality(parts[1]) else { return nil }
    return Range(text: text.lowercased(), quality: quality)
  }

  /// `q=0.8` in thousandths (RFC 9110, section 12.4.2); nil for more than 1.
  private static func quality(_ parameter: Substring) -> Int? {
    let value = parameter.dropFirst(2)
    guard parameter.lowercased().hasPrefix("q="), let whole = value.first,
      whole == "0" || whole == "1"
    else { return nil }
    let point = value.dropFirst().prefix(1)
    let digits = value.dropFirst(2)
    guard point.isEmpty || point == ".", digits.utf8.count <= 3,
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let padding = String(repeating: "0", count: 3 - digits.utf8.count)
    guard let thousandths = Int(digits + padding) else { return nil }
    guard whole == "1" else { return thousandths }
    return thousandths == 0 ? 1_000 : nil
  }

  /// The best match among some languages; nil if none of them is wanted.
  public func choice(among languages: [LanguageTag]) -> LanguageTag? {
    let wanted = languages.filter { !isUnwanted($0) }
    for range in ranges {
      if range.text == "*" {
        if let first = wanted.first { return first }
        continue
      }
      var text = Substring(range.text)
      while !text.isEmpty {
        if let found = wanted.first(where: { $0.text.lowercased() == text }) { return found }
        text = Self.shortened(text)
      }
    }
    return nil
  }

  /// Whether the language was refused by `q=0`, by itself or by a range that is a prefix of it.
  private func isUnwanted(_ language: LanguageTag) -> Bool {
    let text = language.text.lowercased()
    guard !ranges.contains(where: { $0.text == text }) else { return false }
    return unwanted.contains { $0 == "*" ? false : text == $0 || text.hasPrefix("\($0)-") }
  }

  /// The range without its last subtag, and without a single-letter subtag that would then be last.
  private static func shortened(_ range: Substring) -> Substring {
    guard let dash = range.lastIndex(of: "-") else { return "" }
    var rest = range[..<dash]
    if let before = rest.lastIndex(of: "-"), rest[before...].utf8.count == 2 {
      rest = rest[..<before]
    }
    return rest
  }
}

extension Substring {
  /// Without the optional white space at both ends (RFC 9110, section 5.6.3).
  fileprivate var withoutBlankEnds: Substring {
    let isBlank = { (sign: Character) in sign == " " || sign == "\t" }
    var rest = drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}
