import Assets

/// From which files each page is written.
struct TemplateSources {
  /// The templates of one's own from which no page is written, by where they are.
  let unused: [String]
  private let ownByPage: [String: [LayeredFile]]

  /// - Throws: `TemplateFault` for templates that cannot be used.
  init(_ files: LayeredFiles) throws(TemplateFault) {
    let folder = TemplateFolder(files: files)
    let splicer = try folder.load()
    let own = try folder.all().filter(\.isOwn)
    // A file that is as it was ejected is not what went wrong.
    let changed = own.filter { (try? $0.bytes()) != BuiltInFolder.templates.bytes(of: $0.name) }
    var ownByPage: [String: [LayeredFile]] = [:]
    var used: Set<String> = []
    for page in PageRenderer.pageNames {
      let names = splicer.names(usedBy: splicer.templates[page] == nil ? "page" : page)
      used.formUnion(names)
      ownByPage[page] = changed.filter { names.contains(TemplateFolder.name(of: $0)) }
    }
    used.formUnion(splicer.names(usedBy: "page"))
    // The workbench's own are about no page.
    used.formUnion(splicer.templates.keys.filter { $0.hasPrefix("backstage/") })
    self.ownByPage = ownByPage
    unused = changed.filter { !used.contains(TemplateFolder.name(of: $0)) }.map(\.place)
  }

  /// The one file of one's own in which a page can have gone wrong; nil where several were changed, or none.
  ///
  /// A page's own template is looked at first.
  func place(of page: String) -> String? {
    let own = ownByPage[page] ?? []
    if let template = own.first(where: { TemplateFolder.name(of: $0) == page }) {
      return template.place
    }
    return own.count == 1 ? own[0].place : nil
  }
}
