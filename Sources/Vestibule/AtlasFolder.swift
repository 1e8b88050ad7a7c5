internal import Foundation
internal import Pages

/// The atlas as a folder of files that a browser opens without a server.
public struct AtlasFolder: Sendable {
  private let templates: String
  private let publicFolder: String

  /// - Parameters:
  ///   - templates: The folder of templates.
  ///   - publicFolder: The folder of static files.
  public init(templates: String, publicFolder: String) {
    self.templates = templates
    self.publicFolder = publicFolder
  }

  /// Writes the list, the pages and the static files that they ask for; what is there is replaced.
  ///
  /// - Parameter folder: Where to; made where it does not exist.
  /// - Returns: The list's path, and how many pages there are.
  /// - Throws: `StartFailure` for templates, static files or a folder that cannot be used.
  public func write(to folder: String) throws(StartFailure) -> (index: String, pageCount: Int) {
    let atlas = try atlas()
    do {
      let root = URL(fileURLWithPath: folder, isDirectory: true)
      try copyStaticFiles(to: root.appendingPathComponent("public", isDirectory: true))
      for name in Atlas.names {
        guard let page = try atlas.page(named: name) else { continue }
        // A page and its state: one folder below the list.
        let text = String(decoding: page, as: UTF8.self)
          .replacing("\"/public/", with: "\"../public/")
        try Self.write(Data(text.utf8), to: root.appendingPathComponent("\(name).html"))
      }
      let index = root.appendingPathComponent("index.html")
      let list = atlas.index(folder: "", ending: ".html", assets: "public/")
      try Self.write(Data(list), to: index)
      return (index.path, Atlas.names.count)
    } catch {
      throw StartFailure(
        .configuration,
        "The atlas cannot be written to \(folder), with the static files of \(publicFolder)"
      )
    }
  }

  private func atlas() throws(StartFailure) -> Atlas {
    do {
      return Atlas(renderer: try PageRenderer(templates: templates))
    } catch {
      throw StartFailure(.configuration, "\(error)")
    }
  }

  private func copyStaticFiles(to folder: URL) throws {
    let files = FileManager.default
    for name in try files.contentsOfDirectory(atPath: publicFolder) where !name.hasPrefix(".") {
      let source = URL(fileURLWithPath: publicFolder).appendingPathComponent(name)
      try Self.write(try Data(contentsOf: source), to: folder.appendingPathComponent(name))
    }
  }

  private static func write(_ data: Data, to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try data.write(to: file)
  }
}
