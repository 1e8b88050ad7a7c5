import Assets
import AuthFlow
import Foundation
import Localization

/// The files that each page is rendered from.
struct TemplateSources {
  /// The locations of custom templates that no page uses.
  let unused: [String]
  /// Custom files that look as if they should be read but are not: one line each with the reason.
  let unread: [String]
  private let ownByPage: [String: [LayeredFile]]
  /// The custom files of words that differ from the built-in ones.
  private let wordsByLanguage: [LanguageTag: LayeredFile]

  /// - Throws: `TemplateFault` for templates that cannot be used.
  init(_ files: LayeredFiles) throws(TemplateFault) {
    let folder = TemplateFolder(files: files)
    let splicer = try folder.load()
    let own = try folder.all().filter(\.isOwn)
    // An ejected file that is unchanged cannot be the cause of a fault.
    let changed = own.filter { file in
      // A page's own template is ejected as a copy of `page`.
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
    // The workbench's templates belong to no page.
    used.formUnion(splicer.templates.keys.filter { $0.hasPrefix("backstage/") })
    self.ownByPage = ownByPage
    unused = changed.filter { !used.contains(TemplateFolder.name(of: $0)) }.map(\.place)
    let others = try folder.others()
    wordsByLanguage = Dictionary(
      others.filter { file in
        file.isOwn && (try? file.bytes()) != BuiltInFolder.templates.bytes(of: file.name)
      }.compactMap { file in Self.language(of: file).map { ($0, file) } },
      uniquingKeysWith: { first, _ in first }
    )
    let languages = Set(others.compactMap(Self.language(of:)))
    unread = others.filter(\.isOwn).compactMap { Self.unread($0, besideWordsIn: languages) }
  }

  /// Why a file that is not a template is not read, if its author probably expects it to be.
  private static func unread(
    _ file: LayeredFile,
    besideWordsIn languages: Set<LanguageTag>
  ) -> String? {
    // Stories and brands stay where they were ejected; options of their own name them.
    if file.name.hasPrefix("stories/") || file.name.hasPrefix("brands/") { return nil }
    if file.name.hasPrefix("messages/") {
      return isMeantAsWords(file, in: languages) && !file.name.hasSuffix(".json")
        ? "\(file.place): is not read: words are read from messages/LANGUAGE.json" : nil
    }
    if let builtIn = BuiltInFolder.templates.bytes(of: file.name) {
      return (try? file.bytes()) == builtIn
        ? nil : "\(file.place): is not read: the built-in one is always used"
    }
    // Other JSON may be here, such as a brand, or another program's words for the same language.
    if file.name.lowercased().hasSuffix(".json"), holdsWords(file) {
      return "\(file.place): is not read: words are read from messages/LANGUAGE.json"
    }
    let ending = file.name.split(separator: "/").last?.split(separator: ".").dropFirst().last
    return ["html", "htm", "mustache"].contains(ending?.lowercased())
      ? "\(file.place): is not read: a template's name must end in .mustache" : nil
  }

  /// The language whose words a file holds; nil for any other file.
  private static func language(of file: LayeredFile) -> LanguageTag? {
    let parts = file.name.split(separator: "/")
    guard parts.count == 2, parts[0] == "messages", parts[1].hasSuffix(".json") else { return nil }
    return LanguageTag(parts[1].dropLast(".json".count))
  }

  /// Whether a file among the messages seems meant to hold words; an editor's backup copy does not.
  ///
  /// It ends in `.json` in any letter case, or is named after a language that has words, or after
  /// any other language and does hold words. Many names of files could be language tags: `faq`,
  /// `new`, `how-to`.
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

  /// Whether a file has messages of pages, judged by the listed keys: other files may well have
  /// keys that begin with `error.`.
  private static func holdsWords(_ file: LayeredFile) -> Bool {
    guard
      let members = try? JSONDecoder().decode([String: JSONValue].self, from: Data(file.bytes()))
    else { return false }
    return PhraseKey.allKeys.contains { members.keys.contains($0.name) }
  }

  /// The languages, other than English, that have words of their own here.
  var translations: [LanguageTag] {
    wordsByLanguage.keys.filter { $0 != .english }.sorted { $0.text < $1.text }
  }

  /// Finds the custom file to which a page's faults are attributed.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - language: The language in which it has faults; in any but English, faults that it does not
  ///     have in English.
  /// - Returns: The page's own template, or else the only changed file that it uses; nil if there
  ///   are several, or none.
  func place(of page: String, in language: LanguageTag) -> String? {
    let words = wordsByLanguage[language]?.place
    let own = ownByPage[page] ?? []
    if language != .english || own.isEmpty { return words }
    if let template = own.first(where: { TemplateFolder.name(of: $0) == page }) {
      return template.place
    }
    return own.count == 1 ? own[0].place : nil
  }
}
