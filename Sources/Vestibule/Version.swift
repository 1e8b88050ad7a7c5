internal import CBuild
internal import Emulators
internal import MicroHTTPServer

/// The program's version, and what it was built from.
public enum Version {
  public static let number = "0.1.0"

  /// The commit that was built; empty if the build did not know it.
  public static var commit: String { String(cString: vestibule_commit) }

  /// Such as `vestibule 0.1.0 (commit 0043710b7d13, libmicrohttpd 0.9.75, SQLite 3.40.1)`; without the
  /// commit if the build did not know it.
  public static var description: String {
    let parts =
      (commit.isEmpty ? [] : ["commit \(commit)"]) + [
        "libmicrohttpd \(MicroHTTPServer.libraryVersion)", "SQLite \(Worlds.libraryVersion)",
      ]
    return "vestibule \(number) (\(parts.joined(separator: ", ")))"
  }
}
