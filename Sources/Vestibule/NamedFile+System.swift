// When the whole module is compiled together, `stat` counts as part of Foundation's C module.
internal import CoreFoundation
internal import Glibc

extension NamedFile {
  /// Why a file cannot be read.
  struct Unreadable: Error {
    var reason: String

    fileprivate init(_ reason: String) { self.reason = reason }

    fileprivate init(number: CInt) { reason = String(cString: strerror(number)) }
  }

  /// How much is read from anything but a regular file, which may have no end.
  private static let pipeLimitBytes = 64 * 1024 * 1024

  /// Reads a file, waiting up to the given time for the end of a pipe.
  static func content(
    of path: String,
    again: Bool,
    patienceMilliseconds: CInt
  ) throws(Unreadable) -> [UInt8] {
    // Non-blocking: opening a pipe that nobody writes to would never return.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Unreadable(number: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Unreadable(number: errno) }
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    guard isRegular || !again else {
      throw Unreadable("only a regular file can be read again")
    }
    var content: [UInt8] = []
    let start = ContinuousClock.now
    var part = [UInt8](repeating: 0, count: 65_536)
    while isRegular || content.count <= pipeLimitBytes {
      var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = Duration.milliseconds(patienceMilliseconds) - (ContinuousClock.now - start)
      guard poll(&watched, 1, max(0, CInt(left / .milliseconds(1)))) != 0 else {
        throw Unreadable("it did not end within \(patienceMilliseconds / 1000) seconds")
      }
      let count = Glibc.read(descriptor, &part, part.count)
      let number = count < 0 ? errno : 0
      switch number {
      case 0 where count == 0: return content
      case 0: content += part[..<count]
      case EINTR, EAGAIN: continue
      default: throw Unreadable(number: number)
      }
    }
    throw Unreadable(
      "it is not a regular file, and sends more than \(pipeLimitBytes / 1024 / 1024) MiB"
    )
  }

  /// Why a file cannot be written.
  struct Unwritable: Error {
    var number: CInt
  }

  /// Writes a file; an existing one keeps its owner, group and access rights.
  ///
  /// The new content replaces the old at once. If the file would then belong to somebody else, or if the folder does
  /// not allow it, as with a single mounted file, the old content is overwritten in place if the file allows that.
  static func write(_ bytes: [UInt8], over path: String) throws(Unwritable) {
    var status = stat()
    let isThere = stat(path, &status) == 0
    let draft = "\(path).\(UInt32.random(in: 0...UInt32.max))"
    let new = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isThere ? 0o600 : 0o666)
    if new >= 0 {
      defer {
        close(new)
        unlink(draft)
      }
      let isAlike =
        !isThere
        || fchown(new, status.st_uid, status.st_gid) == 0
          && fchmod(new, status.st_mode & 0o7777) == 0
      if isAlike || access(path, W_OK) != 0 {
        try fill(new, with: bytes)
        if rename(draft, path) == 0 { return }
      }
    }
    let old = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard old >= 0 else { throw Unwritable(number: errno) }
    defer { close(old) }
    try fill(old, with: bytes)
  }

  /// Makes these bytes the whole content of an open file.
  private static func fill(_ descriptor: CInt, with bytes: [UInt8]) throws(Unwritable) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw Unwritable(number: errno) }
      rest = rest.dropFirst(max(count, 0))
    }
    guard ftruncate(descriptor, off_t(bytes.count)) == 0, fsync(descriptor) == 0 else {
      throw Unwritable(number: errno)
    }
  }

  /// Whether a file can be read more than once; true also for a file that does not exist.
  static func canBeReadAgain(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  /// The access rights of the file or pipe at that path, following links; nil if there is none.
  static func secret(at path: String) -> SecretFile? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return SecretFile(
      path: path,
      mode: Int(status.st_mode & 0o7777),
      isOurs: status.st_uid == geteuid(),
      isOfOurGroup: ownGroups.contains(status.st_gid)
    )
  }

  private static var ownGroups: [gid_t] {
    var groups = [gid_t](repeating: 0, count: Int(max(getgroups(0, nil), 0)))
    let count = getgroups(CInt(groups.count), &groups)
    return [getegid()] + groups.prefix(Int(max(count, 0)))
  }

  /// Why a folder and its missing parents could not be made, as the system's error number; nil if they could be, or if
  /// the folder exists.
  static func hindrance(toMaking folder: String) -> CInt? {
    var status = stat()
    if stat(folder, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR ? nil : EEXIST }
    let number = errno
    guard number == ENOENT else { return number }
    // A symbolic link to nothing.
    if lstat(folder, &status) == 0 { return EEXIST }
    var path = folder[...]
    while path.last == "/" { path.removeLast() }
    path = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    let parent = path.isEmpty ? (folder.hasPrefix("/") ? "/" : ".") : String(path)
    guard stat(parent, &status) == 0 else {
      return parent == folder ? number : hindrance(toMaking: parent)
    }
    if let number = kernelRefusal(on: status.st_dev) { return number }
    return access(parent, W_OK | X_OK) == 0 ? nil : errno
  }

  /// The error number with which the system refuses to make a folder on a file system of the kernel's own, which the
  /// superuser may write to, as far as one can see; nil if it is another one.
  private static func kernelRefusal(on device: dev_t) -> CInt? {
    var top = stat()
    guard stat("/", &top) == 0, device != top.st_dev else { return nil }
    for (place, number) in [("/proc", ENOENT), ("/sys", EPERM)] {
      var status = stat()
      if stat(place, &status) == 0, status.st_dev == device { return number }
    }
    return nil
  }

  /// Why an existing file or folder cannot be read and written; nil if it can be.
  static func hindrance(to path: String, isFolder: Bool = false) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      return errno == ENOENT ? nil : String(cString: strerror(errno))
    }
    let isOfKind = (status.st_mode & S_IFMT == S_IFDIR) == isFolder
    guard isOfKind else { return String(cString: strerror(isFolder ? ENOTDIR : EISDIR)) }
    // Not by opening it: closing the descriptor would release the database's locks.
    let wanted = isFolder ? R_OK | W_OK | X_OK : R_OK | W_OK
    return access(path, wanted) == 0 ? nil : String(cString: strerror(errno))
  }
}
