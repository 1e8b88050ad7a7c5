internal import Assets
internal import Foundation
internal import Pages

/// Built-in files to be written to a folder, as a start for custom ones.
public struct Ejection: Sendable {
  public enum Outcome: Hashable, Sendable {
    /// The files that are there now.
    case written([String])
    /// Nothing was written: these files exist already and differ.
    case differing([String])
  }

  fileprivate struct File: Sendable {
    /// The path below the target folder: `templates/page.mustache`, `public/vestibule.css`.
    var path: String
    var bytes: [UInt8]
  }

  private let files: [File]

  /// A line that says how to use the files once they are written to a folder.
  public func usage(in folder: String) -> String {
    let paths = files.map(\.path)
    // Stories are only read: they need no folder of templates.
    if paths.allSatisfy({ $0.hasPrefix("templates/stories/") }) {
      return "Play one: vestibule story \(folder)/\(paths[0])"
    }
    if paths.allSatisfy({ $0.hasPrefix("templates/brands/") }),
      let brand = paths.first(where: { $0.hasSuffix(".json") })
    {
      return "Serve: vestibule --brand \(folder)/\(brand) --reload-templates"
    }
    let options = Self.folders.map(\.path).filter { part in paths.contains { $0.hasPrefix(part) } }
      .map { "--\($0.dropLast()) \(folder)/\($0.dropLast())" }
    return "Serve: vestibule \(options.joined(separator: " ")) --reload-templates"
  }

  private static let folders = [
    (path: "templates/", files: BuiltInFolder.templates),
    (path: "public/", files: BuiltInFolder.publicFiles),
  ]

  /// The names that files can be asked for by, for completion: pages, folders, and files without their top folder.
  public static var names: [String] {
    let paths = folders.flatMap { $0.files.fileNames }
    let around = paths.filter { $0.contains("/") }.map { String($0.prefix { $0 != "/" }) }
    let tops = folders.map { String($0.path.dropLast()) }
    return Set(PageRenderer.pageNames + tops + around + paths).sorted()
  }

  /// - Parameter names: Folders, pages, or paths of files with or without top folder and extension; all files if
  ///   empty. A page without a template of its own gets the template that renders it.
  /// - Throws: `StartFailure` for a name that is none of these.
  public init(_ names: [String]) throws(StartFailure) {
    let all = Self.folders.flatMap { folder in
      folder.files.fileNames.sorted().map { name in
        File(path: folder.path + name, bytes: folder.files.bytes(of: name) ?? [])
      }
    }
    guard !names.isEmpty else {
      files = all
      return
    }
    var chosen: [File] = []
    for name in names {
      let found = all.filter { $0.isCalled(name) }
      chosen += found.isEmpty ? [try Self.page(name)] : found
    }
    var seen: Set<String> = []
    files = chosen.filter { seen.insert($0.path).inserted }
  }

  private static func page(_ name: String) throws(StartFailure) -> File {
    guard PageRenderer.pageNames.contains(name),
      let template = BuiltInFolder.templates.bytes(of: "page.mustache")
    else {
      throw StartFailure(
        .usage,
        "There is no built-in file or page of this name: \(name). "
          + "Pages are \(PageRenderer.pageNames.sorted().joined(separator: ", ")); name files and "
          + "folders as they are called: partials, messages, vestibule.css"
      )
    }
    return File(path: "templates/\(name).mustache", bytes: template)
  }

  /// Writes the files; if one of their folders cannot be made, none.
  ///
  /// - Parameters:
  ///   - folder: The folder to write to; made if it does not exist.
  ///   - overwrites: Whether to replace files that exist and differ.
  /// - Returns: What was done.
  /// - Throws: `StartFailure` if the folder cannot be written to.
  public func write(
    to folder: String,
    overwrites: Bool
  ) throws(StartFailure) -> Outcome {
    let targets = files.map { (path: "\(folder)/\($0.path)", bytes: Data($0.bytes)) }
    let differing = targets.filter { target in
      FileManager.default.fileExists(atPath: target.path)
        && FileManager.default.contents(atPath: target.path) != target.bytes
    }
    guard overwrites || differing.isEmpty else { return .differing(differing.map(\.path)) }
    let files = targets.map { (url: URL(fileURLWithPath: $0.path), bytes: $0.bytes) }
    do {
      for folder in Set(files.map { $0.url.deletingLastPathComponent() }) {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }
      for file in files { try file.bytes.write(to: file.url, options: .atomic) }
    } catch {
      throw StartFailure(
        .configuration,
        "The files cannot be written to \(folder)\(NamedFile.reason(of: error))"
      )
    }
    return .written(targets.map(\.path))
  }
}

extension Ejection.File {
  /// Whether the name is the file's path or a folder around it, with or without the top folder and the extension.
  fileprivate func isCalled(_ name: String) -> Bool {
    let inner = String(path.drop { $0 != "/" }.dropFirst())
    return [path, inner].contains { path in
      let ending = path.drop { $0 != "." }
      return path == name || path.hasPrefix("\(name)/") || path == "\(name)\(ending)"
    }
  }
}
