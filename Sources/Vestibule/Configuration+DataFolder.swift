internal import Emulators
internal import Foundation

extension Configuration {
  func makeFolder(_ path: String) throws(StartFailure) {
    do {
      try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    } catch {
      throw StartFailure(making: path, NamedFile.number(of: error))
    }
  }

  /// Checks whether a start could use the data folder, without making, locking or changing anything in it.
  ///
  /// It does not see whether the disk has room, or whether another process holds the database.
  ///
  /// - Throws: `StartFailure`, as the start would.
  func checkDataFolder() throws(StartFailure) {
    // In front of a real API, only sealing keys are kept in it.
    guard let dataFolder, authAPI.isEmulated || keyFile == nil else { return }
    if let number = NamedFile.hindrance(toMaking: dataFolder) {
      throw StartFailure(making: dataFolder, number)
    }
    guard case .emulated(let api, _) = authAPI else { return }
    let name = api.api.databaseName
    let files = [name, "\(name)-wal", "\(name)-shm"]
    if let hindrance = StartFailure.hindrance(in: dataFolder, where: { files.contains($0) }) {
      throw StartFailure(unusable: hindrance)
    }
    if let obstacle = Worlds.obstacle(in: dataFolder, behind: api.api) {
      throw StartFailure(obstacle)
    }
  }
}

extension StartFailure {
  /// The data folder could not be made, with the system's error number: trying again may help if the disk is full,
  /// as for data written into it.
  init(making folder: String, _ number: CInt?) {
    let reason =
      number.map { number in
        // The system also says "File exists" of a symbolic link to nothing.
        number == EEXIST ? "it exists, but is not a folder" : String(cString: strerror(number))
      }
    self.init(
      number.map(NamedFile.mayPass) == true ? .unavailable : .configuration,
      "The data folder cannot be created: \(folder)\(reason.map { ": \($0)" } ?? "")"
        + ": --data names another, --in-memory keeps none"
    )
  }

  /// The worlds could not be opened: trying again may help if the disk is full, or another process holds them.
  init(_ error: WorldsError) {
    let isPassing = if case .unavailable = error { true } else { false }
    // SQLite reports neither the file nor which permission is missing.
    let hindrance: String? =
      if case .unusable(let folder, _) = error { Self.hindrance(in: folder) } else { nil }
    self.init(unusable: hindrance ?? error.description, isPassing ? .unavailable : .configuration)
  }

  fileprivate init(unusable reason: String, _ kind: Kind = .configuration) {
    self.init(kind, "The emulator's data cannot be used: \(reason)")
  }

  /// The path in a data folder that cannot be read and written, and why.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - isChecked: Whether to check the file of that name.
  /// - Returns: Nil if there is none.
  fileprivate static func hindrance(
    in folder: String,
    where isChecked: (String) -> Bool = { $0.contains(".sqlite") }
  ) -> String? {
    // If they cannot be listed, the check of the folder says why.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names.sorted() where isChecked(name) {
      let path = "\(folder)/\(name)"
      if let reason = NamedFile.hindrance(to: path) { return "\(path): \(reason)" }
    }
    return NamedFile.hindrance(to: folder, isFolder: true).map { "\(folder): \($0)" }
  }
}
