private import Glibc

/// The files of a folder and its subfolders, as they are on disk.
///
/// Names that begin with a dot are skipped, as is anything that is neither a file nor a folder. A
/// symbolic link is followed only to a file inside the folder.
struct FileTree {
  struct Entry: Hashable {
    /// The path below the folder, with slashes.
    let name: String
    /// The modification time, size and inode, which change when the file does.
    let version: [UInt64]
  }

  let root: String

  /// Lists its files.
  ///
  /// - Parameter astray: Is called with each link that leads out or nowhere, which is left out.
  /// - Returns: All others, in no order.
  /// - Throws: `FileFault` for a folder that cannot be read, and whatever `astray` throws.
  func entries(
    besides astray: (FileFault) throws(FileFault) -> Void
  ) throws(FileFault) -> [Entry] {
    try entries(below: "", besides: astray)
  }

  /// The bytes of one of its files.
  ///
  /// - Throws: `FileFault` where it cannot be read.
  func bytes(of name: String) throws(FileFault) -> [UInt8] {
    let path = path(of: name)
    let unreadable = FileFault(path: path, reason: .unreadableFile)
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw unreadable }
    defer { close(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &part, part.count)
      guard count >= 0 else { throw unreadable }
      guard count > 0 else { return bytes }
      bytes += part[..<count]
    }
  }

  func path(of name: String) -> String { name.isEmpty ? root : "\(root)/\(name)" }

  /// The files of a subfolder, whose path ends in a slash; an empty path means the folder itself.
  private func entries(
    below prefix: String,
    besides astray: (FileFault) throws(FileFault) -> Void
  ) throws(FileFault) -> [Entry] {
    let names = try namesOfFolder(path(of: prefix))
    var entries: [Entry] = []
    for name in names where !name.hasPrefix(".") {
      let path = path(of: prefix + name)
      var status = stat()
      // The file was deleted after the folder was read.
      guard lstat(path, &status) == 0 else { continue }
      if status.isLink {
        guard leadsWithin(path), stat(path, &status) == 0, status.isFile else {
          try astray(FileFault(path: path, reason: .leadsOut))
          continue
        }
      }
      if status.isFolder {
        entries += try self.entries(below: "\(prefix)\(name)/", besides: astray)
      } else if status.isFile {
        entries.append(Entry(name: prefix + name, version: status.version))
      }
    }
    return entries
  }

  private func namesOfFolder(_ path: String) throws(FileFault) -> [String] {
    guard let folder = opendir(path) else {
      throw FileFault(path: path, reason: .unreadableFolder)
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = UnsafeRawPointer(entry).advanced(
        by: MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      )
      // A file whose name is not UTF-8 cannot be requested.
      if let name = String(validatingCString: name.assumingMemoryBound(to: CChar.self)) {
        names.append(name)
      }
    }
    return names
  }

  private func leadsWithin(_ link: String) -> Bool {
    guard let root = resolved(root), let target = resolved(link) else { return false }
    return target.hasPrefix(root.hasSuffix("/") ? root : "\(root)/")
  }

  private func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

extension FileVersion {
  /// The state of the files at these paths, in this order; a missing file counts as a state, too.
  public init(ofFiles paths: [String]) {
    self = paths.reduce(FileVersion()) { version, path in
      var status = stat()
      return version.after(path, stat(path, &status) == 0 ? status.version : [])
    }
  }
}

extension stat {
  fileprivate var isFile: Bool { st_mode & S_IFMT == S_IFREG }
  fileprivate var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
  fileprivate var isLink: Bool { st_mode & S_IFMT == S_IFLNK }

  fileprivate var version: [UInt64] {
    [
      UInt64(bitPattern: Int64(st_mtim.tv_sec)), UInt64(bitPattern: Int64(st_mtim.tv_nsec)),
      UInt64(bitPattern: Int64(st_size)), UInt64(st_ino),
    ]
  }
}
