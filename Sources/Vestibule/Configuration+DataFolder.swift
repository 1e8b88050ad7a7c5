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
}

extension StartFailure {
  /// Why there is no data folder, by the system's number: to try again helps where the disk is full, as it does
  /// with what is written into it.
  init(making folder: String, _ number: CInt?) {
    let reason =
      number.map { number in
        // The system says "File exists" of a link that leads nowhere, too.
        number == EEXIST ? "it is there, and no folder" : String(cString: strerror(number))
      }
    self.init(
      number.map(NamedFile.mayPass) == true ? .unavailable : .configuration,
      "The data folder cannot be made: \(folder)\(reason.map { ": \($0)" } ?? "")"
    )
  }

  /// Why there are no worlds: to try again helps where the disk is full, or another process has them.
  init(_ error: WorldsError) {
    let isPassing = if case .unavailable = error { true } else { false }
    // SQLite names neither the file nor whose permission is missing.
    let hindrance: String? =
      if case .unusable(let folder, _) = error { Self.hindrance(in: folder) } else { nil }
    self.init(
      isPassing ? .unavailable : .configuration,
      "The emulator's data cannot be used: \(hindrance ?? error.description)"
    )
  }

  /// What of a data folder cannot be read and written, and why; nil where the system lets us.
  private static func hindrance(in folder: String) -> String? {
    // Where they cannot be listed, the folder says why.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names.sorted() where name.contains(".sqlite") {
      let path = "\(folder)/\(name)"
      if let reason = NamedFile.hindrance(to: path) { return "\(path): \(reason)" }
    }
    return NamedFile.hindrance(to: folder, isFolder: true).map { "\(folder): \($0)" }
  }
}
