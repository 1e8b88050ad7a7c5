/// A line of a source, with a caret under the place that is meant.
public struct SourceExcerpt: Hashable, Sendable {
  let line: Int
  /// The part of the line around the place.
  let words: String
  /// How many characters stand before the place.
  let indentation: Int

  /// How much of a long line is shown, before the place and in all.
  private static let (lead, width) = (60, 100)

  /// Nil where the source has no such line.
  init?(of text: [UInt8], at position: TemplateFault.Position) {
    let lines = String(decoding: text, as: UTF8.self).unicodeScalars
      .split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(position.line - 1) else { return nil }
    // A tab would be as wide as it likes.
    let scalars = lines[position.line - 1].map { $0 == "\t" || $0 == "\r" ? " " : $0 }
    let skipped = max(0, position.column - 1 - Self.lead)
    var words = String.UnicodeScalarView()
    words += scalars.dropFirst(skipped).prefix(Self.width)
    line = position.line
    self.words = String(words)
    indentation = position.column - 1 - skipped
  }

  /// Two lines, in the manner of compilers.
  public var text: String {
    let margin = "\(line) | "
    return "\(margin)\(words)\n\(String(repeating: " ", count: margin.count + indentation))^"
  }
}
