import Locking

/// A cache of what a section writes about views that have a `fragment` key.
///
/// Each compiled section has its own, which therefore holds one language and is dropped with the
/// template.
final class FragmentStore: Sendable {
  /// How many fragments are kept: enough for one per page.
  private static let limit = 128

  private let fragments = Locked<[String: [UInt8]]>([:])

  /// Appends the cached fragment, or writes and caches a new one.
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
