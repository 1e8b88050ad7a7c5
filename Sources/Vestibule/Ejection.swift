internal import Assets
internal import Foundation
internal import Pages

/// Built-in files, written to a folder to start one's own from.
public struct Ejection: Sendable {
  public enum Outcome: Hashable, Sendable {
    /// The files that are there now.
    case written([String])
    /// Nothing was written: these files are there already, and differ.
    case differing([String])
  }

  fileprivate struct File: Sendable {
    /// Below the folder that is written to: `templates/page.mustache`, `public/vestibule.css`.
    var path: String
    var bytes: [UInt8]
  }

  private let files: [File]

  /// The line that says how what is written to a folder is used.
  public func usage(in folder: String) -> String {
    let paths = files.map(\.path)
    // They come along to be read, and no folder of templates is asked for them.
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

  /// What files can be asked for by, for whoever types one: pages, folders, and files without their folder.
  public static var names: [String] {
    let paths = folders.flatMap { $0.files.fileNames }
    let around = paths.filter { $0.contains("/") }.map { String($0.prefix { $0 != "/" }) }
    let tops = folders.map { String($0.path.dropLast()) }
    return Set(PageRenderer.pageNames + tops + around + paths).sorted()
  }

  /// - Parameter names: Paths, with or without folder and ending, folders, or pages; all files where there
  ///   are none. A page without a template of its own gets the one that writes it.
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
        "There is no built-in file and no page of this name: \(name). "
          + "Pages are \(PageRenderer.pageNames.sorted().joined(separator: ", ")); files and folders "
          + "are named as they are written: partials, messages, vestibule.css"
      )
    }
    return File(path: "templates/\(name).mustache", bytes: template)
  }

  /// Writes them; where one of their folders cannot be made, none.
  ///
  /// - Parameters:
  ///   - folder: Where to; made where it does not exist.
  ///   - overwrites: Whether files that are there and differ are replaced.
  /// - Returns: What was done.
  /// - Throws: `StartFailure` where the folder cannot be written to.
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
  /// Whether that is its path or a folder around it, with or without the first folder and the ending.
  fileprivate func isCalled(_ name: String) -> Bool {
    let inner = String(path.drop { $0 != "/" }.dropFirst())
    return [path, inner].contains { path in
      let ending = path.drop { $0 != "." }
      return path == name || path.hasPrefix("\(name)/") || path == "\(name)\(ending)"
    }
  }
}
