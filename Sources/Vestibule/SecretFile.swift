/// A file with a secret in it, by who can get at that besides us.
struct SecretFile {
  var path: String
  /// Its permission bits, be it reached through links.
  var mode: Int
  /// Whether it belongs to the user as whom this program runs.
  var isOurs: Bool
  /// Whether its group is one of those that this program is in.
  var isOfOurGroup: Bool

  /// Whether others can read it, or change it.
  ///
  /// One that belongs to somebody else may be read by a group of ours, which its owner has let in for that: so
  /// Debian keeps keys of TLS (`ssl-cert`), and so Kubernetes mounts what is secret (`fsGroup`).
  var isOpenToOthers: Bool { mode & (!isOurs && isOfOurGroup ? 0o027 : 0o077) != 0 }

  /// What keeps others from it, and lets us read it still.
  var advice: String {
    isOurs
      ? "run chmod 600 \(path)"
      : "it belongs to another user, so give it to the one that runs this program (chown) with mode 600, or to a "
        + "group of that one's (chgrp) with mode 640: \(path)"
  }
}
