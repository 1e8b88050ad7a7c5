public import Assets
internal import Crypto
internal import HTTPExchange

/// The static files: listed by the start, so that a request never joins paths (S3).
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
  /// What is no file of a folder, by its path.
  private var made: [String: File] = [:]
  /// The same where it may be another each time.
  private var remade: @Sendable (_ path: String) -> File? = { _ in nil }

  /// Of a file by the ending of its name; others are not served.
  private static let contentTypes = [
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "txt": "text/plain; charset=utf-8", "webmanifest": "application/manifest+json",
    "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
    "webp": "image/webp", "ico": "image/x-icon", "woff2": "font/woff2",
  ]

  /// What browsers ask for at the root, unasked.
  private static let atRoot: Set = ["favicon.ico", "apple-touch-icon.png"]

  /// Reads every file whose kind is known.
  ///
  /// - Parameters:
  ///   - folder: Files of one's own, which take the place of the built-in ones of the same name; nil where
  ///     there are none.
  ///   - reloads: Whether a file is read again whenever it is asked for.
  /// - Throws: `FileFault` when the folder or a file cannot be read.
  public init(under folder: String? = nil, reloads: Bool = false) throws(FileFault) {
    files = LayeredFiles(.publicFiles, under: folder)
    self.reloads = reloads
    byPath = try Self.byPath(files)
  }

  /// What there was to ask for at the start.
  public var paths: Set<String> { Set(byPath.keys).union(made.keys) }

  /// What is served at a path; nil for nothing.
  public func bytes(at path: String) -> [UInt8]? { file(at: path[...])?.bytes }

  func file(at path: Substring) -> File? {
    if let file = made[String(path)] ?? remade(String(path)) { return file }
    // Where they cannot be listed or read just now, they are as they were at the start.
    let now = reloads ? try? Self.byPath(files, only: path) : nil
    return (now ?? byPath)[String(path)]
  }

  /// Serves something at that path that is no file of a folder.
  public mutating func add(_ bytes: [UInt8], contentType: String, at path: String) {
    made[path] = File(bytes, contentType: contentType)
  }

  /// Serves what is found for a path whenever it is asked for, and is no file of a folder.
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
