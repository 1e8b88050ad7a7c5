import Foundation
import Localization

/// Rendered text in one language, with spans for emphasis and moments; never markup.
struct Prose: Hashable, Sendable {
  enum Span: Hashable, Sendable {
    case text(String)
    /// People's data within words that run the other way.
    case isolated(String)
    /// Words that are English within others that are not.
    case english(String)
    case strong(String)
    /// A moment in absolute words: `at 14:35 UTC`.
    case time(String, of: Date)
    /// The same moment seen from now: `in 12 minutes`; a script may refresh it.
    case relative(String, to: Date)
    /// How much time is left: `10 minutes left`.
    case remaining(String, until: Date)
    /// A document to read meanwhile; it opens beside the page, which keeps what was typed.
    case document(Link, String)
  }

  var spans: [Span]

  init(spans: [Span]) { self.spans = spans }
  init(_ text: String) { spans = [.text(text)] }

  /// The words alone.
  var text: String { spans.map(\.words).joined() }

  /// The words for a place without markup, with data set apart by directional isolates.
  var isolatedText: String {
    // The common case.
    if spans.count == 1, case .text(let words) = spans[0] { return words }
    return spans.map { span in
      switch span {
      case .isolated(let words), .english(let words): words.isolated
      case .text, .strong, .time, .relative, .remaining, .document: span.words
      }
    }.joined()
  }

  /// The same words, the first letter a capital.
  var capitalized: Prose {
    var prose = self
    switch spans.first {
    case .text(let words)?: prose.spans[0] = .text(words.beginningWithCapital)
    case .english(let words)?: prose.spans[0] = .english(words.beginningWithCapital)
    case .isolated?, .strong?, .time?, .relative?, .remaining?, .document?, nil: break
    }
    return prose
  }

  mutating func append(_ span: Span) {
    if case .text(let words) = span, case .text(var before)? = spans.last {
      // Removed first, so that the string is uniquely referenced and grows in place.
      spans.removeLast()
      before += words
      spans.append(.text(before))
    } else {
      spans.append(span)
    }
  }

  mutating func append(_ prose: Prose) {
    for span in prose.spans { append(span) }
  }
}

extension Prose.Span {
  var words: String {
    switch self {
    case .text(let words), .isolated(let words), .english(let words), .strong(let words),
      .time(let words, _), .relative(let words, _), .remaining(let words, _),
      .document(_, let words):
      words
    }
  }
}

extension String {
  /// The same, the first letter a capital.
  fileprivate var beginningWithCapital: String {
    // ASCII, the common case, is handled by bytes: a `Character` takes ten times as long to find.
    var bytes = utf8.makeIterator()
    guard let first = bytes.next(), first < 0x80, bytes.next() ?? 0 < 0x80 else {
      return prefix(1).uppercased() + dropFirst()
    }
    guard case UInt8(ascii: "a")...UInt8(ascii: "z") = first else { return self }
    return String(Unicode.Scalar(first - 0x20)) + self[utf8.index(after: startIndex)...]
  }
}
