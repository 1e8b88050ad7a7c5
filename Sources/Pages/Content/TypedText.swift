import AuthFlow
import Synchronization

/// The identifier that somebody typed and a page shows again, in its field or as part of a link.
///
/// Two values are equal if pages with one or the other differ only in their stamps, so that a page
/// is rendered once for both. Any other access to the text is recorded, and makes the page this
/// visitor's alone.
public struct TypedText: Hashable, Sendable {
  private final class Reader: Sendable {
    let hasRead = Atomic(false)
  }

  /// The properties in which equal values agree.
  private struct Likeness: Hashable {
    let isEmpty: Bool
    let kind: Identifier.Kind?
  }

  /// The text, for stamps only.
  private(set) var text: String
  private let likeness: Likeness
  private let reader = Reader()

  init(_ text: String) {
    self.text = text
    likeness = Likeness(
      isEmpty: text.isEmpty,
      kind: text.ifEmailAddress == nil ? Identifier(typed: text)?.kind : .emailAddress
    )
  }

  /// Drops the text; it equals the same ones still.
  mutating func forget() { text = "" }

  var isEmpty: Bool { likeness.isEmpty }

  /// The kind of identifier it looks like; nil if only blanks were typed.
  var kind: Identifier.Kind? { likeness.kind }

  /// The text for any other use, which is recorded.
  var told: String {
    reader.hasRead.store(true, ordering: .relaxed)
    return text
  }

  /// Whether a page would be the same with every equal value, apart from its stamps.
  var isAnyones: Bool { !reader.hasRead.load(ordering: .relaxed) }

  public static func == (one: TypedText, other: TypedText) -> Bool {
    one.likeness == other.likeness
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(likeness) }
}
