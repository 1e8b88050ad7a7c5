internal import Locking

/// Settings with a revision number that is unique in this process.
struct RevisedSettings: Sendable {
  private static let last = Locked(0)
  let settings: InstanceSettings
  let revision: Int
  /// The revision of the application that the instance describes along with them.
  let application: Int

  init(_ settings: InstanceSettings, of application: Int) {
    self.settings = settings
    self.application = application
    revision = Self.last.withLock { last in
      last += 1
      return last
    }
  }
}
