import Locking

/// Keeps what a section writes about views that say what that follows from.
///
/// Each compiled section has one of its own, so that it is in one language, and gone with the template.
final class FragmentStore: Sendable {
  /// How many are kept; there are as many as pages.
  private static let limit = 128

  private let fragments = Locked<[String: [UInt8]]>([:])

  /// Appends the fragment: the one that is kept, or else a new one.
  func append(
    _ fragment: String,
    to still: inout Still,
    orWrite write: (inout Still) -> Void
  ) {
    if let bytes = fragments.withLock({ $0[fragment] }) { return still.append(bytes) }
    let start = still.bytes.count
    guard still.isWithoutStamps(write) else { return }
    let bytes = Array(still.bytes[start...])
    fragments.withLock { if $0.count < Self.limit { $0[fragment] = bytes } }
  }
}
