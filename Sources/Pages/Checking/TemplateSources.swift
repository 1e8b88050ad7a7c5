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
    let others = try folder.others()
    let languages = Set(others.compactMap(Self.language(of:)))
    unread = others.filter(\.isOwn).compactMap { Self.unread($0, besideWordsIn: languages) }
  }

  /// Why a file that is no template is not read, where whoever put it there will have meant it to be.
  private static func unread(
    _ file: LayeredFile,
    besideWordsIn languages: Set<LanguageTag>
  ) -> String? {
    // Stories and brands lie there as they were ejected, and are named by options of their own.
    if file.name.hasPrefix("stories/") || file.name.hasPrefix("brands/") { return nil }
    if file.name.hasPrefix("messages/") {
      return isMeantAsWords(file, in: languages) && !file.name.hasSuffix(".json")
        ? "\(file.place): is not read: words stand in messages/LANGUAGE.json" : nil
    }
    if let builtIn = BuiltInFolder.templates.bytes(of: file.name) {
      return (try? file.bytes()) == builtIn
        ? nil : "\(file.place): is not read: the built-in one is, whatever stands here"
    }
    // Any other JSON may lie there, such as that of a brand, or another program's words for the same language.
    if file.name.lowercased().hasSuffix(".json"), holdsWords(file) {
      return "\(file.place): is not read: words stand in messages/LANGUAGE.json"
    }
    let ending = file.name.split(separator: "/").last?.split(separator: ".").dropFirst().last
    return ["html", "htm", "mustache"].contains(ending?.lowercased())
      ? "\(file.place): is not read: a template's name ends in .mustache" : nil
  }

  /// The language whose words a file holds; nil for any other file.
  private static func language(of file: LayeredFile) -> LanguageTag? {
    let parts = file.name.split(separator: "/")
    guard parts.count == 2, parts[0] == "messages", parts[1].hasSuffix(".json") else { return nil }
    return LanguageTag(parts[1].dropLast(".json".count))
  }

  /// Whether a file among the messages ends like one of words, or is named after a language that has words or as if it
  /// were and holds some; what an editor kept of such a file is not.
  ///
  /// Many a word can be the name of a language: `faq`, `new`, `how-to`.
  private static func isMeantAsWords(
    _ file: LayeredFile,
    in languages: Set<LanguageTag>
  ) -> Bool {
    let parts = (file.name.split(separator: "/").last ?? "").split(separator: ".")
    let ending = parts.dropFirst().last
    if ending?.lowercased() == "json" { return true }
    guard parts.count <= 2, ending?.hasSuffix("~") != true,
      let language = parts.first.flatMap({ LanguageTag($0) })
    else { return false }
    return languages.contains(language) || holdsWords(file)
  }

  /// Whether a file says what pages say: by a key that is listed, as others' keys may well begin with `error.`.
  private static func holdsWords(_ file: LayeredFile) -> Bool {
    guard
      let members = try? JSONDecoder().decode([String: JSONValue].self, from: Data(file.bytes()))
    else { return false }
    return PhraseKey.allKeys.contains { members.keys.contains($0.name) }
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
