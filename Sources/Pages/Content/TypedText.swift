import AuthFlow
import Synchronization

/// What somebody typed as identifier and a page shows again: in its field, or carried along by a link.
///
/// Two are equal where a page with one in place of the other differs in nothing but what is stamped: so a page is
/// rendered once for both. It notices when it is read besides, which makes the page its visitor's alone.
public struct TypedText: Hashable, Sendable {
  private final class Reader: Sendable {
    let hasRead = Atomic(false)
  }

  /// What an equal one has as well.
  private struct Likeness: Hashable {
    let isEmpty: Bool
    let kind: Identifier.Kind?
  }

  /// For what is stamped.
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

  /// What it looks like; nil where nothing was typed but blanks.
  var kind: Identifier.Kind? { likeness.kind }

  /// For whatever else follows from it.
  var told: String {
    reader.hasRead.store(true, ordering: .relaxed)
    return text
  }

  /// Whether a page would be the same with every equal one, but for stamps.
  var isAnyones: Bool { !reader.hasRead.load(ordering: .relaxed) }

  public static func == (one: TypedText, other: TypedText) -> Bool {
    one.likeness == other.likeness
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(likeness) }
}
