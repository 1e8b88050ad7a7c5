public import Localization
internal import Locking

/// The words of emails and text messages in every language.
///
/// The built-in ones are read when the first message is sent; custom ones at once, so that their
/// faults show at the start.
public final class MessageWords: Sendable {
  public static let builtIn = MessageWords()

  private let files: Catalogues<MessagePhrase>.Files
  private let reloads: Bool
  private let usualLanguage: LanguageTag
  private let report: @Sendable (CatalogueFault) -> Void
  private let catalogues: Locked<Catalogues<MessagePhrase>?>
  /// The reported fault of each language whose words cannot be used at present.
  private let reportedFaults = Locked<[LanguageTag: CatalogueFault]>([:])

  private init() {
    files = .init(under: nil)
    reloads = false
    usualLanguage = .english
    report = { _ in }
    catalogues = Locked(nil)
  }

  /// - Parameters:
  ///   - own: A folder of templates whose messages override the built-in ones; nil for none.
  ///   - reloads: Whether changed files are read again.
  ///   - language: The language for readers who ask for none of ours; a tag without words of its own,
  ///     such as `de-AT`, stands for the language that it is a variant of.
  ///   - report: Receives the faults of files that are read later, each once until it is repaired.
  /// - Throws: `CatalogueFault` if the messages of the folder cannot be used.
  public init(
    under own: String?,
    reloads: Bool = false,
    usually language: LanguageTag = .english,
    report: @escaping @Sendable (CatalogueFault) -> Void = { _ in }
  ) throws(CatalogueFault) {
    files = .init(under: own)
    self.reloads = reloads
    usualLanguage = language
    self.report = report
    catalogues = Locked(own == nil ? nil : try Catalogues(files, reloads: reloads))
  }

  /// The catalogue of the best language for a reader; its last good version if its file has become
  /// unusable.
  ///
  /// - Parameter wishes: The reader's language preferences, each in the form of an `Accept-Language`
  ///   field; the first that names one of our languages counts.
  /// - Returns: The words; only keys if not even English can be read.
  func catalogue(for wishes: [String]) -> Catalogue<MessagePhrase> {
    do throws(CatalogueFault) {
      let catalogues = try opened()
      let language = language(wishes, among: catalogues)
      do throws(CatalogueFault) {
        let catalogue = try catalogues.catalogue(of: language)
        reportedFaults.withLock { $0[language] = nil }
        return catalogue
      } catch {
        tell(error, of: language)
        return catalogues.lastGoodCatalogue(of: language)
      }
    } catch {
      tell(error, of: .english)
      return Catalogue(empty: .english)
    }
  }

  /// The same without reading any file, for use in a transaction; nil if one has to be read first.
  func readCatalogue(for wishes: [String]) -> Catalogue<MessagePhrase>? {
    guard let opened = catalogues.withLock({ $0 }) else { return nil }
    return opened.readCatalogue(of: language(wishes, among: opened))
  }

  private func language(
    _ wishes: [String],
    among catalogues: Catalogues<MessagePhrase>
  ) -> LanguageTag {
    (wishes + [usualLanguage.text]).lazy.compactMap {
      LanguagePriorities(acceptLanguage: $0).choice(among: catalogues.choosable)
    }.first ?? .english
  }

  private func opened() throws(CatalogueFault) -> Catalogues<MessagePhrase> {
    if let opened = catalogues.withLock({ $0 }) { return opened }
    let opened = try Catalogues<MessagePhrase>(files, reloads: reloads)
    catalogues.withLock { $0 = opened }
    return opened
  }

  /// Takes over the words of another instance, whose faults are then reported again.
  public func replace(by other: MessageWords) {
    let newer = other.catalogues.withLock { $0 }
    catalogues.withLock { $0 = newer }
    reportedFaults.withLock { $0 = [:] }
  }

  /// Reports a fault, unless it has already been reported and not been repaired since.
  ///
  /// A fault in English is reported once too, although it affects every language.
  private func tell(_ fault: CatalogueFault, of language: LanguageTag) {
    let isNew = reportedFaults.withLock { faults in
      defer { faults[language] = fault }
      return !faults.values.contains(fault)
    }
    if isNew { report(fault) }
  }

  /// All faults in the messages of a folder of templates.
  public static func faults(under own: String?) -> [CatalogueFault] {
    Catalogues<MessagePhrase>.faults(in: .init(under: own))
  }

  /// Notes on the files of a custom folder, one line each: sentences left in English, unknown plurals.
  public static func notes(under own: String?) -> [String] {
    Catalogues<MessagePhrase>.notes(in: .init(under: own), of: "sentences of messages")
  }
}
