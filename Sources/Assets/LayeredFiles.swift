/// Files of one's own that lie over the built-in ones, one by one.
///
/// A file is known by its path below the folder, such as `partials/field.mustache`.
public struct LayeredFiles: Sendable {
  private let builtIn: BuiltInFolder
  private let own: String?

  /// - Parameters:
  ///   - builtIn: What is there without any other.
  ///   - own: A folder whose files take the place of those of the same name, and may be further ones.
  public init(_ builtIn: BuiltInFolder, under own: String? = nil) {
    self.builtIn = builtIn
    self.own = own
  }

  /// Whether there is no folder of one's own.
  public var areBuiltIn: Bool { own == nil }

  /// Every file that there is, by name.
  ///
  /// - Throws: `FileFault` where the folder of one's own cannot be read.
  public func all() throws(FileFault) -> [LayeredFile] {
    var files: [String: LayeredFile] = [:]
    for name in builtIn.fileNames {
      files[name] = LayeredFile(name: name, source: .builtIn(builtIn))
    }
    if let tree {
      for entry in try tree.entries() {
        files[entry.name] = LayeredFile(name: entry.name, source: .own(tree))
      }
    }
    return files.values.sorted { $0.name < $1.name }
  }

  /// Another one whenever a file of one's own has been changed, has come or has gone.
  var version: FileVersion {
    guard let tree else { return FileVersion() }
    guard let entries = try? tree.entries() else { return FileVersion().after("unreadable", []) }
    return entries.sorted { $0.name < $1.name }
      .reduce(FileVersion()) { $0.after($1.name, $1.version) }
  }

  private var tree: FileTree? { own.map(FileTree.init(root:)) }
}

/// A file, and where it comes from.
public struct LayeredFile: Sendable {
  enum Source: Sendable {
    case builtIn(BuiltInFolder)
    case own(FileTree)
  }

  public let name: String
  let source: Source

  /// Where people find it: a path, or `built-in templates/page.mustache`.
  public var place: String {
    switch source {
    case .builtIn(let folder): "built-in \(folder.name)/\(name)"
    case .own(let tree): tree.path(of: name)
    }
  }

  /// Whether it is one of one's own.
  public var isOwn: Bool {
    switch source {
    case .builtIn: false
    case .own: true
    }
  }

  /// What is in it now.
  ///
  /// - Throws: `FileFault` where it cannot be read.
  public func bytes() throws(FileFault) -> [UInt8] {
    switch source {
    case .builtIn(let folder): folder.bytes(of: name) ?? []
    case .own(let tree): try tree.bytes(of: name)
    }
  }
}
