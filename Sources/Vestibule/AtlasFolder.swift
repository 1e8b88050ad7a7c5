internal import Assets
internal import Backstage
internal import Foundation
internal import Localization
internal import Pages
internal import Site

/// The atlas as a folder of files that a browser opens without a server.
public struct AtlasFolder: Sendable {
  private let templates: String?
  private let publicFolder: String?
  private let brand: InstalledBrand?
  private let language: String?

  /// - Parameters:
  ///   - templates: A folder of templates that override the built-in ones; nil if there is none.
  ///   - publicFolder: The same for static files.
  ///   - brand: The brand whose name and look the pages carry; nil for none.
  ///   - language: The tag of the pages' language; nil for English, in which the index always is.
  public init(
    templates: String? = nil,
    publicFolder: String? = nil,
    brand: InstalledBrand? = nil,
    language: String? = nil
  ) {
    self.templates = templates
    self.publicFolder = publicFolder
    self.brand = brand
    self.language = language
  }

  /// Writes the index, the pages and the static files that they need, replacing an older atlas.
  ///
  /// - Parameter folder: The folder to write to; made if it does not exist.
  /// - Returns: The path of the index, and the number of pages.
  /// - Throws: `StartFailure` for templates or static files that cannot be used, a language that has no words, and a
  ///   folder that cannot be written, or whose index or static files are not an atlas's.
  public func write(to folder: String) throws(StartFailure) -> (index: String, pageCount: Int) {
    try Self.refuseOthers(in: folder)
    let renderer = try renderer()
    var configuration = Configuration()
    configuration.language = language
    let chosen = try configuration.checkedLanguage(among: renderer.choosableLanguages)
    let files: [(path: String, content: Data)]
    do {
      files = try staticFiles() + pages(by: renderer, in: chosen ?? .english)
    } catch {
      throw StartFailure(.configuration, "\(error)")
    }
    let root = URL(fileURLWithPath: folder, isDirectory: true)
    do {
      for file in files { try Self.write(file.content, to: root.appendingPathComponent(file.path)) }
    } catch {
      throw StartFailure(
        .configuration,
        "The atlas cannot be written to \(folder)\(NamedFile.reason(of: error))"
      )
    }
    return (root.appendingPathComponent("index.html").path, Atlas.names.count)
  }

  /// Each page by its path, and the list of them.
  private func pages(
    by renderer: PageRenderer,
    in language: LanguageTag
  ) throws(TemplateFault) -> [(path: String, content: Data)] {
    let atlas = Atlas(renderer: renderer)
    let links = AtlasLinks(index: "../index.html") { "../\($0).html" }
    var files: [(path: String, content: Data)] = []
    for name in Atlas.names {
      guard let page = try atlas.page(named: name, in: language) else { continue }
      // A page is in a folder of its own with its states, one level below the index.
      let text = String(decoding: links.following(in: page), as: UTF8.self)
        .replacing("\"/public/", with: "\"../public/")
      files.append(("\(name).html", Data(text.utf8)))
    }
    let index = try AtlasIndex(renderer, statusOf: \.status).document()
    return files + [("index.html", Data(index))]
  }

  /// Refuses a folder whose index or static files would be replaced and are not an atlas's.
  private static func refuseOthers(in folder: String) throws(StartFailure) {
    let index = FileManager.default.contents(atPath: "\(folder)/index.html") ?? Data()
    guard !String(decoding: index, as: UTF8.self).contains("data-page=\"atlas\"") else { return }
    let own = ["index.html", "public"].map { "\(folder)/\($0)" }
    guard let file = own.first(where: FileManager.default.fileExists) else { return }
    throw StartFailure(
      .configuration,
      "\(file) exists and is not part of an atlas: choose another folder for --out"
    )
  }

  private func renderer() throws(StartFailure) -> PageRenderer {
    do {
      return try PageRenderer(templates: templates, looks: .fixed(brand?.look ?? .builtIn))
    } catch {
      throw StartFailure(.configuration, "\(error)")
    }
  }

  /// Static files with their paths; of two with the same path, the brand's comes last.
  private func staticFiles() throws(FileFault) -> [(path: String, content: Data)] {
    var files: [(path: String, content: Data)] = []
    for file in try LayeredFiles(.publicFiles, under: publicFolder).all() {
      files.append(("public/\(file.name)", Data(try file.bytes())))
    }
    // Icons that browsers request at the root by themselves are of no use in a folder.
    for file in brand?.served ?? [] where file.path.hasPrefix("/public/") {
      files.append((String(file.path.dropFirst()), Data(file.bytes)))
    }
    return files
  }

  private static func write(_ data: Data, to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try data.write(to: file)
  }
}
