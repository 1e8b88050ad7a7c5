public import Foundation

/// Words for a reader: text with emphasised parts and moments in it, never markup.
public struct Prose: Hashable, Sendable, ExpressibleByStringInterpolation {
  public enum Span: Hashable, Sendable {
    case text(String)
    case strong(String)
    /// A moment in absolute words: `at 14:35 UTC`.
    case time(String, of: Date)
    /// The same moment seen from now: `in 12 minutes`; a script may refresh it.
    case relative(String, to: Date)
    /// How much time is left: `10 minutes left`.
    case remaining(String, until: Date)
    /// A document to read meanwhile; it opens beside the page, which keeps what was typed.
    case document(Link)
  }

  public var spans: [Span]

  public init(spans: [Span]) { self.spans = spans }
  public init(_ text: String) { spans = [.text(text)] }
  public init(stringLiteral text: String) { self.init(text) }
  public init(stringInterpolation: StringInterpolation) { spans = stringInterpolation.spans }

  /// The words alone.
  public var text: String { spans.map(\.words).joined() }

  /// What it links to, in its order.
  var links: [Link] {
    spans.compactMap { span in
      guard case .document(let link) = span else { return nil }
      return link
    }
  }

  public static func + (left: Prose, right: Prose) -> Prose {
    Prose(spans: left.spans + right.spans)
  }

  public struct StringInterpolation: StringInterpolationProtocol {
    var spans: [Span] = []

    public init(literalCapacity: Int, interpolationCount: Int) {
      spans.reserveCapacity(2 * interpolationCount + 1)
    }

    public mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { appendInterpolation(literal) }
    }

    public mutating func appendInterpolation(_ text: String) {
      if case .text(let before)? = spans.last {
        spans[spans.count - 1] = .text(before + text)
      } else {
        spans.append(.text(text))
      }
    }

    public mutating func appendInterpolation(_ number: Int) {
      appendInterpolation(String(number))
    }

    public mutating func appendInterpolation(_ prose: Prose) { spans += prose.spans }

    public mutating func appendInterpolation(strong text: String) { spans.append(.strong(text)) }

    public mutating func appendInterpolation(document link: Link) { spans.append(.document(link)) }
  }
}

extension Prose.Span {
  var words: String {
    switch self {
    case .text(let words), .strong(let words), .time(let words, _), .relative(let words, _),
      .remaining(let words, _):
      words
    case .document(let link): link.words
    }
  }
}
