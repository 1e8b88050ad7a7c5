/// Built-in files that a folder of custom files can override one by one.
///
/// A file is known by its path below the folder, such as `partials/field.mustache`.
public struct LayeredFiles: Sendable {
  private let builtIn: BuiltInFolder
  private let own: String?

  /// - Parameters:
  ///   - builtIn: The files that apply by default.
  ///   - own: A folder whose files replace those of the same name, and may add others.
  public init(_ builtIn: BuiltInFolder, under own: String? = nil) {
    self.builtIn = builtIn
    self.own = own
  }

  /// Whether there is no folder of custom files.
  public var areBuiltIn: Bool { own == nil }

  /// Every file, sorted by name.
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

  /// A version that changes whenever a custom file is changed, added or removed.
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

  /// The location to show to people: a path, or `built-in templates/page.mustache`.
  public var place: String {
    switch source {
    case .builtIn(let folder): "built-in \(folder.name)/\(name)"
    case .own(let tree): tree.path(of: name)
    }
  }

  /// Whether it is a custom file rather than a built-in one.
  public var isOwn: Bool {
    switch source {
    case .builtIn: false
    case .own: true
    }
  }

  /// The current content.
  ///
  /// - Throws: `FileFault` where it cannot be read.
  public func bytes() throws(FileFault) -> [UInt8] {
    switch source {
    case .builtIn(let folder): folder.bytes(of: name) ?? []
    case .own(let tree): try tree.bytes(of: name)
    }
  }
}
