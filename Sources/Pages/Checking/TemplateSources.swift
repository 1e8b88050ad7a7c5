import Assets
import AuthFlow
import Foundation
import Localization

/// From which files each page is written.
struct TemplateSources {
  /// The templates of one's own from which no page is written, by where they are.
  let unused: [String]
  /// Files of one's own that are named as if they were read, and are not: a line each with the reason.
  let unread: [String]
  private let ownByPage: [String: [LayeredFile]]

  /// - Throws: `TemplateFault` for templates that cannot be used.
  init(_ files: LayeredFiles) throws(TemplateFault) {
    let folder = TemplateFolder(files: files)
    let splicer = try folder.load()
    let own = try folder.all().filter(\.isOwn)
    // A file that is as it was ejected is not what went wrong.
    let changed = own.filter { file in
      // A page's own template is ejected as a copy of the one that writes it.
      let ejected =
        BuiltInFolder.templates.bytes(of: file.name)
        ?? (PageRenderer.pageNames.contains(TemplateFolder.name(of: file))
          ? BuiltInFolder.templates.bytes(of: TemplateFolder.file("page")) : nil)
      return (try? file.bytes()) != ejected
    }
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
    unread = try folder.others().filter(\.isOwn).compactMap(Self.unread)
  }

  /// Why a file that is no template is not read, where whoever put it there will have meant it to be.
  private static func unread(_ file: LayeredFile) -> String? {
    // Stories and brands lie there as they were ejected, and are named by options of their own.
    if file.name.hasPrefix("stories/") || file.name.hasPrefix("brands/") { return nil }
    if file.name.hasPrefix("messages/") {
      return isNamedLikeWords(file) && !file.name.hasSuffix(".json")
        ? "\(file.place): is not read: words stand in messages/LANGUAGE.json" : nil
    }
    if let builtIn = BuiltInFolder.templates.bytes(of: file.name) {
      return (try? file.bytes()) == builtIn
        ? nil : "\(file.place): is not read: the built-in one is, whatever stands here"
    }
    if holdsWords(file) {
      return "\(file.place): is not read: words stand in messages/LANGUAGE.json"
    }
    let ending = file.name.split(separator: "/").last?.split(separator: ".").dropFirst().last
    return ["html", "htm", "mustache"].contains(ending?.lowercased())
      ? "\(file.place): is not read: a template's name ends in .mustache" : nil
  }

  /// Whether a file among the messages is named after a language, or ends like one; what an editor kept of such a file
  /// is not.
  private static func isNamedLikeWords(_ file: LayeredFile) -> Bool {
    let parts = (file.name.split(separator: "/").last ?? "").split(separator: ".")
    let ending = parts.dropFirst().last
    if ending?.lowercased() == "json" { return true }
    return parts.count <= 2 && parts.first.flatMap { LanguageTag($0) } != nil
      && ending?.hasSuffix("~") != true
  }

  /// Whether a file elsewhere says what pages say, or is named like one that does: any other JSON may lie there, such
  /// as that of a brand.
  private static func holdsWords(_ file: LayeredFile) -> Bool {
    guard file.name.lowercased().hasSuffix(".json") else { return false }
    let name = file.name.split(separator: "/").last ?? ""
    if BuiltInFolder.templates.bytes(of: "messages/\(name.lowercased())") != nil { return true }
    let members = try? JSONDecoder().decode([String: JSONValue].self, from: Data(file.bytes()))
    return members?.keys.contains { key in
      PhraseKey(name: key) != nil || PhraseKey.unlisted(key) != nil || PhraseKey.isForeign(key)
    } ?? false
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
