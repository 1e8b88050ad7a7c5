/// A line of a source, with a caret under the place that is meant.
public struct SourceExcerpt: Hashable, Sendable {
  let line: Int
  /// The part of the line around the place, with an ellipsis where it is cut.
  let words: String
  /// How many characters stand before the place.
  let indentation: Int

  /// How many characters of a long line are shown before the position and in all, so that the caret
  /// is visible on a phone.
  private static let (lead, width) = (24, 72)

  /// Nil where the source has no such line.
  init?(of text: [UInt8], at position: TemplateFault.Position) {
    let lines = String(decoding: text, as: UTF8.self).unicodeScalars
      .split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(position.line - 1) else { return nil }
    // A tab would be as wide as it likes.
    let scalars = lines[position.line - 1].map { $0 == "\t" || $0 == "\r" ? " " : $0 }
    let skipped = max(0, position.column - 1 - Self.lead)
    let beginning = skipped > 0 ? "…" : ""
    var words = beginning.unicodeScalars
    words += scalars.dropFirst(skipped).prefix(Self.width)
    if scalars.count > skipped + Self.width { words.append("…") }
    line = position.line
    self.words = String(words)
    indentation = position.column - 1 - skipped + beginning.count
  }

  /// Two lines, in the manner of compilers.
  public var text: String {
    let margin = "\(line) | "
    return "\(margin)\(words)\n\(String(repeating: " ", count: margin.count + indentation))^"
  }
}
