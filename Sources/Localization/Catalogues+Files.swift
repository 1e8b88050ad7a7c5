public import Assets

extension Catalogues.Files {
  private static var folder: String { "messages" }
  private static var ending: String { ".json" }

  /// The message files `messages/TAG.json` among the templates: a custom one overrides the built-in
  /// one, and may leave out any message that is to stay as it is.
  public init(among files: LayeredFiles) {
    self.init(
      in: Self.folder,
      names: { () throws(CatalogueFault) in try Self.all(files).map(Self.language) },
      ownNames: { () throws(CatalogueFault) in
        try Self.all(files).filter(\.isOwn).map(Self.language)
      },
      named: { language throws(CatalogueFault) in
        let name = "\(Self.folder)/\(language)\(Self.ending)"
        let builtIn = BuiltInFolder.templates.bytes(of: name).map {
          CatalogueFile(path: "built-in \(BuiltInFolder.templates.name)/\(name)", bytes: $0)
        }
        let own = try Self.all(files).first { $0.name == name && $0.isOwn }
        return try [builtIn, own.map(Self.read)].compactMap(\.self)
      }
    )
  }

  /// The message files under a folder of custom templates; nil for the built-in ones alone.
  public init(under own: String?) { self.init(among: LayeredFiles(.templates, under: own)) }

  private static func language(of file: LayeredFile) -> String {
    String(file.name.dropFirst(folder.utf8.count + 1).dropLast(ending.utf8.count))
  }

  private static func all(_ files: LayeredFiles) throws(CatalogueFault) -> [LayeredFile] {
    do {
      return try files.all().filter { $0.name.hasPrefix("\(folder)/") && $0.name.hasSuffix(ending) }
    } catch {
      throw CatalogueFault(.file(error.reason), in: error.path)
    }
  }

  private static func read(_ file: LayeredFile) throws(CatalogueFault) -> CatalogueFile {
    do {
      return CatalogueFile(path: file.place, bytes: try file.bytes())
    } catch {
      throw CatalogueFault(.file(error.reason), in: error.path)
    }
  }
}
