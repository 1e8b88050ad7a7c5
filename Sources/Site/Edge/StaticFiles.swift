public import Assets
internal import Crypto
internal import HTTPExchange
internal import Locking

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
  private let report: @Sendable (FileFault) -> Void
  /// The reported faults that are still there.
  private let reported = Locked<Set<FileFault>>([])
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
  ///   - report: Is called once for each fault found in files that are read again.
  /// - Throws: `FileFault` when the folder or a file cannot be read.
  public init(
    under folder: String? = nil,
    reloads: Bool = false,
    report: @escaping @Sendable (FileFault) -> Void = { _ in }
  ) throws(FileFault) {
    files = LayeredFiles(.publicFiles, under: folder)
    self.reloads = reloads
    self.report = report
    byPath = try Self.byPath(files.all())
  }

  /// The paths that were served at the start.
  public var paths: Set<String> { Set(byPath.keys).union(made.keys) }

  /// What is served at a path; nil where there is nothing.
  public func bytes(at path: String) -> [UInt8]? { file(at: path[...])?.bytes }

  func file(at path: Substring) -> File? {
    if let file = made[String(path)] ?? remade(String(path)) { return file }
    return reloads ? current(at: path) : byPath[String(path)]
  }

  /// The file as it is now, whatever links beside it lead out; as it was at the start if the folder
  /// or the file cannot be read now.
  private func current(at path: Substring) -> File? {
    var faults: Set<FileFault> = []
    do throws(FileFault) {
      let all = try files.all(besides: { faults.insert($0) })
      let byPath = try Self.byPath(all, only: path)
      tell(faults)
      return byPath[String(path)]
    } catch {
      tell(faults.union([error]))
      return byPath[String(path)]
    }
  }

  /// Reports those that were not there before.
  private func tell(_ faults: Set<FileFault>) {
    let new = reported.withLock { reported in
      let new = faults.subtracting(reported)
      // A file that cannot be read is noticed only when it is requested.
      reported = faults.union(reported.filter { $0.reason == .unreadableFile })
      return new
    }
    for fault in new.sorted(by: { $0.path < $1.path }) { report(fault) }
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
    _ files: [LayeredFile],
    only wanted: Substring? = nil
  ) throws(FileFault) -> [String: File] {
    var byPath: [String: File] = [:]
    for file in files {
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
