import Locking

/// The catalogues of all languages, each read on first use.
///
/// English is read at once, and so are custom files that are not reloaded, since they may have
/// faults.
public final class Catalogues<Key: MessageKey>: Sendable {
  /// Where the files are.
  public struct Files: Sendable {
    let folder: String
    /// The names of the languages that have a file.
    let names: @Sendable () throws(CatalogueFault) -> [String]
    /// The names of the languages that have a custom file.
    let ownNames: @Sendable () throws(CatalogueFault) -> [String]
    /// The files of a language, the lowest layer first; empty if it has none.
    let named: @Sendable (_ name: String) throws(CatalogueFault) -> [CatalogueFile]

    /// - Parameters:
    ///   - folder: The folder's name, for error messages.
    ///   - names: The names of the languages that have a file.
    ///   - ownNames: The names of the languages that have a custom file.
    ///   - named: The files of a language, the lowest layer first; empty if it has none.
    public init(
      in folder: String,
      names: @escaping @Sendable () throws(CatalogueFault) -> [String],
      ownNames: @escaping @Sendable () throws(CatalogueFault) -> [String],
      named: @escaping @Sendable (_ name: String) throws(CatalogueFault) -> [CatalogueFile]
    ) {
      self.folder = folder
      self.names = names
      self.ownNames = ownNames
      self.named = named
    }

    /// The fault of a file whose name is not a language tag in its usual spelling: it would never
    /// be read.
    fileprivate func misnamed(_ name: String) -> CatalogueFault {
      let path = (try? named(name))?.last?.path ?? "\(folder)/\(name).json"
      return CatalogueFault(
        .misnamed(expected: LanguageTag(name).map { "\($0.text).json" }),
        in: path
      )
    }
  }

  private struct Entry {
    var catalogue: Catalogue<Key>
    /// The files it was read from, including the English ones.
    var files: [CatalogueFile]
  }

  private let files: Files
  private let reloads: Bool
  private let entries: Locked<[LanguageTag: Entry]>
  /// English as it was at the start, to which every language falls back.
  public let english: Catalogue<Key>
  /// The languages that have files, English first, the others by their tags.
  public let languages: [LanguageTag]

  /// - Parameters:
  ///   - files: Access to the files.
  ///   - reloads: Whether files are read again once they change. Custom files are then not read at
  ///     once, and a fault in one is reported when its language is used.
  /// - Throws: `CatalogueFault` if English cannot be used, or a custom file that is not reloaded.
  public init(_ files: Files, reloads: Bool = false) throws(CatalogueFault) {
    self.files = files
    self.reloads = reloads
    let found = try Self.english(files)
    let english = try Catalogue<Key>(.english, reading: found, after: nil)
    self.english = english
    languages = try Self.languages(of: files)
    entries = Locked([.english: Entry(catalogue: english, files: found)])
    guard !reloads else { return }
    for name in try files.ownNames().sorted() {
      guard let language = LanguageTag(name), language.text == name else {
        throw files.misnamed(name)
      }
      _ = try catalogue(of: language)
    }
  }

  /// The languages that may be asked for: those with files, and the accented one.
  public var choosable: [LanguageTag] { Self.choosable(among: languages) }

  /// The languages that can be requested, by the names of the files alone.
  ///
  /// - Throws: `CatalogueFault` where they cannot be listed.
  public static func choosable(among files: Files) throws(CatalogueFault) -> [LanguageTag] {
    choosable(among: try languages(of: files))
  }

  private static func choosable(among languages: [LanguageTag]) -> [LanguageTag] {
    languages + [.accentedEnglish]
  }

  private static func languages(of files: Files) throws(CatalogueFault) -> [LanguageTag] {
    try [.english]
      + files.names().compactMap { LanguageTag($0) }.filter { $0 != .english }
      .sorted { $0.text < $1.text }
  }

  /// The catalogue of a language; English where it has no file.
  ///
  /// - Throws: `CatalogueFault` for a file that cannot be used.
  public func catalogue(of language: LanguageTag) throws(CatalogueFault) -> Catalogue<Key> {
    if let known = readCatalogue(of: language) { return known }
    let english = try currentEnglish()
    if language == .accentedEnglish {
      return try entry(of: language, from: english.files) { english.catalogue.accented }.catalogue
    }
    guard language != .english, languages.contains(language) else { return english.catalogue }
    let found = try files.named(language.text)
    return try entry(of: language, from: english.files + found) {
      () throws(CatalogueFault) in
      try Catalogue<Key>(language, reading: found, after: english.catalogue)
    }.catalogue
  }

  /// The catalogue of a language if it can be returned without looking at files; nil otherwise.
  public func readCatalogue(of language: LanguageTag) -> Catalogue<Key>? {
    guard !reloads else { return nil }
    return entries.withLock { $0[language]?.catalogue }
  }

  /// The last catalogue of a language that could be used; English if there was none.
  public func lastGoodCatalogue(of language: LanguageTag) -> Catalogue<Key> {
    entries.withLock { $0[language]?.catalogue ?? $0[.english]?.catalogue } ?? english
  }

  private func currentEnglish() throws(CatalogueFault) -> Entry {
    if !reloads, let kept = entries.withLock({ $0[.english] }) { return kept }
    let found = try Self.english(files)
    return try entry(of: .english, from: found) { () throws(CatalogueFault) in
      try Catalogue<Key>(.english, reading: found, after: nil)
    }
  }

  /// The catalogue kept for exactly these files, or a new one made from them.
  private func entry(
    of language: LanguageTag,
    from files: [CatalogueFile],
    make: () throws(CatalogueFault) -> Catalogue<Key>
  ) throws(CatalogueFault) -> Entry {
    if let kept = entries.withLock({ $0[language] }), kept.files == files { return kept }
    let entry = Entry(catalogue: try make(), files: files)
    entries.withLock { $0[language] = entry }
    return entry
  }

  private static func english(_ files: Files) throws(CatalogueFault) -> [CatalogueFile] {
    let found = try files.named(LanguageTag.english.text)
    guard !found.isEmpty else {
      throw CatalogueFault(.missing, in: "\(files.folder)/\(LanguageTag.english.text).json")
    }
    return found
  }

  /// Everything that is wrong with the files of messages, by file; nothing where all is well.
  public static func faults(in files: Files) -> [CatalogueFault] {
    var faults: [CatalogueFault] = []
    do throws(CatalogueFault) {
      let english = Catalogue<Key>(
        .english,
        reading: try Self.english(files),
        after: nil,
        checking: .completeness,
        telling: &faults
      )
      for name in try files.names().sorted() where name != LanguageTag.english.text {
        guard let language = LanguageTag(name), language.text == name else {
          faults.append(files.misnamed(name))
          continue
        }
        _ = Catalogue<Key>(
          language,
          reading: try files.named(name),
          after: english,
          checking: .completeness,
          telling: &faults
        )
      }
    } catch {
      faults.append(error)
    }
    return faults
  }

  /// Remarks about custom files: messages left in English, and plurals of a language whose rule is
  /// unknown.
  ///
  /// Each is one line, such as `templates/messages/he.json: says 2 of 590 sentences in English:
  /// sign-in.heading, page.skip`.
  ///
  /// Variants of English are skipped, as are files with faults, which ``faults(in:)`` reports.
  ///
  /// - Parameters:
  ///   - files: Access to the files.
  ///   - sentences: What the note calls the messages of these keys.
  /// - Returns: The notes; empty if there are no custom files, or nothing to remark about them.
  public static func notes(in files: Files, of sentences: String = "sentences") -> [String] {
    var notes: [String] = []
    do throws(CatalogueFault) {
      let english = try Catalogue<Key>(.english, reading: Self.english(files), after: nil)
      for name in try files.ownNames().sorted() {
        guard let language = LanguageTag(name), language.text == name, !language.isEnglish else {
          continue
        }
        let found = try files.named(name)
        var faults: [CatalogueFault] = []
        let catalogue = Catalogue<Key>(
          language,
          reading: found,
          after: english,
          checking: .use,
          telling: &faults
        )
        guard faults.isEmpty, let path = found.last?.path else { continue }
        let borrowed = catalogue.borrowedNames
        if !borrowed.isEmpty {
          notes.append(
            "\(path): \(borrowed.count) of \(catalogue.count) \(sentences) are in English: "
              + examples(of: borrowed)
          )
        }
        let counting = catalogue.countingNames
        if catalogue.pluralRule == .unknown, !counting.isEmpty {
          notes.append(
            "\(path): the plurals of this language are not known here: 1 takes the branch one, "
              + "every other number other: \(examples(of: counting))"
          )
        }
      }
    } catch {
      // `faults(in:)` reports it.
      return notes
    }
    return notes
  }

  /// Up to five of the keys that a note is about.
  private static func examples(of names: [String]) -> String {
    names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
  }
}
