public import Assets
internal import Crypto
internal import HTTPExchange

/// The static files, listed at the start so that no request becomes part of a path (S3).
public struct StaticFiles: Sendable {
  struct File: Sendable {
    var bytes: [UInt8]
    var contentType: String
    var entityTag: String

    init(_ bytes: [UInt8], contentType: String) {
      self.bytes = bytes
      self.contentType = contentType
      entityTag = "\"\(Base64URL.text(of: SHA256.hash(data: bytes)).prefix(22))\""
    }
  }

  private let files: LayeredFiles
  private let reloads: Bool
  private let byPath: [String: File]
  /// What is not a file of a folder, by its path.
  private var made: [String: File] = [:]
  /// The same for what may change with each request.
  private var remade: @Sendable (_ path: String) -> File? = { _ in nil }

  /// Content types by file extension; other files are not served.
  private static let contentTypes = [
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "txt": "text/plain; charset=utf-8", "webmanifest": "application/manifest+json",
    "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
    "webp": "image/webp", "ico": "image/x-icon", "woff2": "font/woff2",
  ]

  /// Files that browsers request at the root by themselves.
  private static let atRoot: Set = ["favicon.ico", "apple-touch-icon.png"]

  /// Reads every file of a known type.
  ///
  /// - Parameters:
  ///   - folder: A folder of files that replace the built-in ones of the same name; nil for none.
  ///   - reloads: Whether a file is read again at each request.
  /// - Throws: `FileFault` when the folder or a file cannot be read.
  public init(under folder: String? = nil, reloads: Bool = false) throws(FileFault) {
    files = LayeredFiles(.publicFiles, under: folder)
    self.reloads = reloads
    byPath = try Self.byPath(files)
  }

  /// The paths that were served at the start.
  public var paths: Set<String> { Set(byPath.keys).union(made.keys) }

  /// What is served at a path; nil where there is nothing.
  public func bytes(at path: String) -> [UInt8]? { file(at: path[...])?.bytes }

  func file(at path: Substring) -> File? {
    if let file = made[String(path)] ?? remade(String(path)) { return file }
    // If they cannot be listed or read now, serve them as they were at the start.
    let now = reloads ? try? Self.byPath(files, only: path) : nil
    return (now ?? byPath)[String(path)]
  }

  /// Serves something at that path that is not a file of a folder.
  public mutating func add(_ bytes: [UInt8], contentType: String, at path: String) {
    made[path] = File(bytes, contentType: contentType)
  }

  /// Serves, before any file of a folder, what the function returns for a path at each request.
  public mutating func add(
    _ found: @escaping @Sendable (_ path: String) -> (bytes: [UInt8], contentType: String)?
  ) {
    remade = { path in found(path).map { File($0.bytes, contentType: $0.contentType) } }
  }

  /// The files by their paths: all of them, or one that is wanted.
  private static func byPath(
    _ files: LayeredFiles,
    only wanted: Substring? = nil
  ) throws(FileFault) -> [String: File] {
    var byPath: [String: File] = [:]
    for file in try files.all() {
      let paths = ["/public/\(file.name)"] + (atRoot.contains(file.name) ? ["/\(file.name)"] : [])
      guard wanted.map({ paths.contains(String($0)) }) ?? true,
        let dot = file.name.lastIndex(of: "."),
        let contentType = contentTypes[file.name[dot...].dropFirst().lowercased()]
      else { continue }
      let bytes = try file.bytes()
      let served = File(bytes, contentType: contentType)
      for path in paths { byPath[path] = served }
    }
    return byPath
  }
}
