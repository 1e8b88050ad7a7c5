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
  /// - Throws: `FileFault` where the folder of one's own cannot be read, and for a link in it that
  ///   leads out or nowhere.
  public func all() throws(FileFault) -> [LayeredFile] {
    try all(besides: { fault throws(FileFault) in throw fault })
  }

  /// Lists the files without the links that lead out of the folder of one's own, or nowhere.
  ///
  /// - Parameter astray: Is called with each of those links.
  /// - Returns: Every other file, sorted by name.
  /// - Throws: `FileFault` where the folder of one's own cannot be read, and whatever `astray`
  ///   throws.
  public func all(
    besides astray: (FileFault) throws(FileFault) -> Void
  ) throws(FileFault) -> [LayeredFile] {
    var files: [String: LayeredFile] = [:]
    for name in builtIn.fileNames {
      files[name] = LayeredFile(name: name, source: .builtIn(builtIn))
    }
    if let tree {
      for entry in try tree.entries(besides: astray) {
        files[entry.name] = LayeredFile(name: entry.name, source: .own(tree))
      }
    }
    return files.values.sorted { $0.name < $1.name }
  }

  /// A version that changes whenever a custom file is changed, added or removed, and when a link
  /// leads out or no longer does.
  var version: FileVersion {
    guard let tree else { return FileVersion() }
    var astray: [String] = []
    guard let entries = try? tree.entries(besides: { astray.append($0.path) }) else {
      return FileVersion().after("unreadable", [])
    }
    let version = entries.sorted { $0.name < $1.name }
      .reduce(FileVersion()) { $0.after($1.name, $1.version) }
    return astray.sorted().reduce(version) { $0.after($1, []) }
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
