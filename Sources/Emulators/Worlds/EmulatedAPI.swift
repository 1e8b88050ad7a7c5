/// Which auth API stands before the worlds of one process; a world belongs to one of them.
public enum EmulatedAPI: String, Sendable, Hashable, CaseIterable {
  case clerk, entra

  /// The one that is emulated where none is named.
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

  /// The database of `main` in the data folder: the two APIs keep separate accounts.
  var databaseName: String {
    switch self {
    case .clerk: "main.sqlite"
    case .entra: "main-entra.sqlite"
    }
  }
}
