import Localization
import Locking

/// Keeps what a section writes about views that say what that follows from.
///
/// Each compiled section has one of its own, so that it is gone with the template.
final class FragmentStore: Sendable {
  private struct Key: Hashable {
    var language: LanguageTag
    var fragment: String
  }

  /// How many are kept; there are as many as pages in a language, and few languages at a time.
  private static let limit = 128

  private let fragments = Locked<[Key: [UInt8]]>([:])

  /// Appends the fragment: the one that is kept, or else a new one.
  func append(
    _ fragment: String,
    to still: inout Still,
    orWrite write: (inout Still) -> Void
  ) {
    let key = Key(language: still.language, fragment: fragment)
    if let bytes = fragments.withLock({ $0[key] }) { return still.append(bytes) }
    let start = still.bytes.count
    guard still.isWithoutStamps(write) else { return }
    let bytes = Array(still.bytes[start...])
    fragments.withLock { if $0.count < Self.limit { $0[key] = bytes } }
  }
}
