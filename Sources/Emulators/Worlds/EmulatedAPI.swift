/// The auth API that a process emulates; each of its worlds belongs to that one.
public enum EmulatedAPI: String, Sendable, Hashable, CaseIterable {
  case clerk, entra

  /// The one that is emulated if none is named.
  public static let usual = EmulatedAPI.clerk

  /// The accounts of a fresh world, where no others are given.
  ///
  /// Source: README, "Run it", and of Entra <doc:EmulatedEntra#Demo-users>.
  public var demoUsers: [AccountDescription] {
    switch self {
    case .clerk: AccountDescription.demoUsers
    case .entra: AccountDescription.entraDemoUsers
    }
  }

  /// The file name of `main`'s database in the data folder: the two APIs keep separate accounts.
  public var databaseName: String {
    switch self {
    case .clerk: "main.sqlite"
    case .entra: "main-entra.sqlite"
    }
  }
}
