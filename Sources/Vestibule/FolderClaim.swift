internal import Foundation
internal import Glibc

/// Whether this emulator has its data folder to itself, for as long as the value lives.
///
/// Two over one folder share what is stored in it, and nothing else. They are told of each other, not stopped:
/// a program that is restarted may meet the one that it replaces.
final class FolderClaim: Sendable {
  /// False where another one had the folder first.
  let isAlone: Bool
  private let descriptor: CInt

  init(_ folder: String) {
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // Where the folder cannot even be read, the database says so.
    isAlone = descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
