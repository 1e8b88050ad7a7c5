internal import Locking

/// Settings with a revision number that is unique in this process.
struct RevisedSettings: Sendable {
  private static let last = Locked(0)
  let settings: InstanceSettings
  let revision: Int

  init(_ settings: InstanceSettings) {
    self.settings = settings
    revision = Self.last.withLock { last in
      last += 1
      return last
    }
  }
}
