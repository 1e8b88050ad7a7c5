internal import Foundation
internal import Glibc

/// Whether this emulator has its data folder to itself, for as long as the value lives.
///
/// Two emulators with one folder share only what is stored in it. That is reported, not prevented: a restarted
/// program may overlap with the one that it replaces.
final class FolderClaim: Sendable {
  /// False if another process had claimed the folder first.
  let isAlone: Bool
  private let descriptor: CInt

  init(_ folder: String) {
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // If the folder cannot even be opened, the database will say so.
    isAlone = descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
