/// A file with a secret in it, and who besides us can access it.
struct SecretFile {
  var path: String
  /// Its permission bits, also when it is reached through links.
  var mode: Int
  /// Whether it belongs to the user that runs this program.
  var isOurs: Bool
  /// Whether its group is one of this program's groups.
  var isOfOurGroup: Bool

  /// Whether others can read or change it.
  ///
  /// A file of another user may be readable by one of our groups, which its owner has allowed on purpose: Debian keeps
  /// TLS keys this way (`ssl-cert`), and Kubernetes mounts secrets this way (`fsGroup`).
  var isOpenToOthers: Bool { mode & (!isOurs && isOfOurGroup ? 0o027 : 0o077) != 0 }

  /// How to keep others out and still let us read it.
  var advice: String {
    isOurs
      ? "run chmod 600 \(path)"
      : "it belongs to another user: give it to the user that runs this program (chown) with mode 600, or to "
        + "one of that user's groups (chgrp) with mode 640: \(path)"
  }
}
