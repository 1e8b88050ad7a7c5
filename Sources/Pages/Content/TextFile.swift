/// Some lines to keep, under a heading in the reader's language.
public struct TextFile: Hashable, Sendable {
  var heading: Phrase
  var lines: [String]

  /// The text with CRLF line ends, which every system reads.
  func text(in wording: Wording) -> String {
    ([wording.plainText(heading)] + lines).map { $0 + "\r\n" }.joined()
  }
}
