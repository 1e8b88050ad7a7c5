public import Localization
internal import Locking

/// The words of emails and text messages in every language.
///
/// The built-in ones are read when the first message is sent, one's own at once, so that a start
/// tells what is wrong with them.
public final class MessageWords: Sendable {
  public static let builtIn = MessageWords()

  private let files: Catalogues<MessagePhrase>.Files
  private let reloads: Bool
  private let usualLanguage: LanguageTag
  private let report: @Sendable (CatalogueFault) -> Void
  private let catalogues: Locked<Catalogues<MessagePhrase>?>
  private let lastFault = Locked<CatalogueFault?>(nil)

  private init() {
    files = .init(under: nil)
    reloads = false
    usualLanguage = .english
    report = { _ in }
    catalogues = Locked(nil)
  }

  /// - Parameters:
  ///   - own: A folder of templates whose messages lie over the built-in ones; nil for none.
  ///   - reloads: Whether they are read again once they have changed.
  ///   - language: What is written to readers of whom no language is known; of one that has no words of its own,
  ///     such as `de-AT`, what it is a kind of.
  ///   - report: Is told once of what is wrong with files that were read again.
  /// - Throws: `CatalogueFault` where those of one's own cannot be used.
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

  /// The catalogue of the best language that a reader asks for; as it last was where its file has
  /// been spoilt since.
  ///
  /// - Parameter wishes: What the reader is known to read, each like a header field
  ///   `Accept-Language`, the first that names a language of ours counting.
  /// - Returns: The words; keys alone where not even English can be read.
  func catalogue(for wishes: [String]) -> Catalogue<MessagePhrase> {
    do throws(CatalogueFault) {
      let catalogues = try opened()
      let language = language(wishes, among: catalogues)
      do throws(CatalogueFault) {
        return try catalogues.catalogue(of: language)
      } catch {
        tell(error)
        return catalogues.lastGoodCatalogue(of: language)
      }
    } catch {
      tell(error)
      return Catalogue(empty: .english)
    }
  }

  /// The same without looking at any file, as within a transaction; nil where one has to be read first.
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

  /// Says from now on what another one says.
  public func replace(by other: MessageWords) {
    let newer = other.catalogues.withLock { $0 }
    catalogues.withLock { $0 = newer }
  }

  /// What is wrong with every message is told with the first.
  private func tell(_ fault: CatalogueFault) {
    let isNew = lastFault.withLock { last in
      defer { last = fault }
      return last != fault
    }
    if isNew { report(fault) }
  }

  /// Everything that is wrong with the words of messages in a folder of templates.
  public static func faults(under own: String?) -> [CatalogueFault] {
    Catalogues<MessagePhrase>.faults(in: .init(under: own))
  }

  /// What files of one's own leave to be said in English, and plurals that are not known, a line each.
  public static func notes(under own: String?) -> [String] {
    Catalogues<MessagePhrase>.notes(in: .init(under: own), of: "sentences of messages")
  }
}
