/// Some lines to keep, under a heading in the reader's language.
public struct TextFile: Hashable, Sendable {
  var heading: Phrase
  var lines: [String]

  /// Lines that end as those of every system can be read.
  func text(in wording: Wording) -> String {
    ([wording.plainText(heading)] + lines).map { $0 + "\r\n" }.joined()
  }
}
