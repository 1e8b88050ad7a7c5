public import Assets
import AuthFlow
public import Localization
import Locking

/// Renders pages as HTML through the templates, and as their JSON twins.
public final class PageRenderer: Sendable {
  private let files: LayeredFiles
  private let watch: FileWatch?
  private let report: @Sendable (TemplateFault) -> Void
  private let templates: Templates<PageView>
  private let catalogues: Catalogues<PhraseKey>
  private let usesOwnWords: Bool
  private let looks: LookSource
  let stills: StillStore

  /// The names of all pages, which are also the names of templates of their own.
  public static var pageNames: [String] {
    Address.pages.map(\.pageName) + [ErrorPage.templateName]
  }

  /// How much the stills take together, in bytes.
  static let stillLimit = 4 * 1024 * 1024

  /// Reads the templates and the English messages.
  ///
  /// - Parameters:
  ///   - folder: Custom templates and messages, which override the built-in ones of the same name;
  ///     nil if there are none.
  ///   - watch: Detects changes, after which files are read again; nil if they are read only once.
  ///   - report: Is called once for each state of the files in which a fault is found.
  ///   - usesOwnWords: Whether known refusals are reported in our words rather than the auth API's.
  ///   - looks: The source of the brand that the pages carry.
  /// - Throws: `TemplateFault`, which names the file, the place in it and what is wrong there.
  public init(
    templates folder: String? = nil,
    watch: FileWatch? = nil,
    report: @escaping @Sendable (TemplateFault) -> Void = { _ in },
    usesOwnWords: Bool = true,
    looks: LookSource = .fixed(.builtIn)
  ) throws(TemplateFault) {
    files = LayeredFiles(.templates, under: folder)
    self.watch = watch
    self.report = Self.once(report)
    do throws(FileFault) {
      // Report an unreadable folder as such, whichever of its files would be read first.
      _ = try files.all()
    } catch {
      throw TemplateFault(error)
    }
    do throws(CatalogueFault) {
      catalogues = try Catalogues(.init(among: files), reloads: watch != nil)
    } catch {
      throw TemplateFault(error)
    }
    templates = try Templates(
      files: files,
      required: "page",
      others: Self.pageNames,
      english: Self.english(of: catalogues),
      watch: watch,
      report: self.report
    )
    self.usesOwnWords = usesOwnWords
    self.looks = looks
    // A template that was changed would show in none of them.
    stills = StillStore(limitBytes: watch == nil ? Self.stillLimit : 0)
  }

  /// The page as a complete HTML document in UTF-8, by its own template or the default one.
  ///
  /// - Throws: `TemplateFault` where templates are read again and one has been spoilt since.
  public func html(_ page: any Page, in frame: PageFrame) throws(TemplateFault) -> [UInt8] {
    let still = try stills.still(of: page, in: frame, as: .html) { () throws(TemplateFault) in
      do throws(TemplateFault) {
        let words = try catalogue(of: frame.language)
        let view = PageView(presentation(of: page, in: frame, words, try looks.current()))
        return try templates.still(of: view, by: page.name, in: words)
      } catch {
        throw told(error)
      }
    }
    return still.bytes(for: frame.visitor, typed: page.typedText, telling: frame.error)
  }

  /// Checks that the page could be rendered as HTML now, so that its twin can have the same status.
  ///
  /// - Throws: `TemplateFault` as ``html(_:in:)`` does.
  public func checkTemplates(of page: any Page, in frame: PageFrame) throws(TemplateFault) {
    if watch != nil { _ = try html(page, in: frame) }
  }

  /// Adds a source line and version to a fault, for the people working on the files, and logs it
  /// once.
  private func told(_ fault: TemplateFault) -> TemplateFault {
    guard let watch, fault.version == nil else { return fault }
    var fault = TemplateFolder(files: files).excerpted(fault)
    fault.version = watch.version
    report(fault)
    return fault
  }

  /// The brand that every page carries.
  public var look: Look { looks.lastGood() }

  private init(_ other: PageRenderer, wearing look: Look) {
    files = other.files
    watch = other.watch
    report = other.report
    templates = other.templates
    catalogues = other.catalogues
    usesOwnWords = other.usesOwnWords
    looks = .fixed(look)
    stills = StillStore(limitBytes: 0)
  }

  /// A renderer with the same templates and another brand, for a preview: it keeps no pages.
  public func wearing(_ look: Look) -> PageRenderer { PageRenderer(self, wearing: look) }

  /// A template of the same files for a view other than a page.
  ///
  /// - Throws: `TemplateFault` where it is not there or cannot be used.
  package func templates<View: TemplateView>(
    _ name: String,
    about view: View.Type
  ) throws(TemplateFault) -> Templates<View> {
    try Templates(
      files: files,
      required: name,
      others: [],
      english: Self.english(of: catalogues),
      watch: watch,
      report: report
    )
  }

  /// The page's JSON twin in UTF-8 (<doc:PagesAsJSON#Shape>).
  public func json(_ page: any Page, in frame: PageFrame) -> [UInt8] {
    let still = stills.still(of: page, in: frame, as: .json) {
      presentation(of: page, in: frame).json()
    }
    return still.bytes(for: frame.visitor, typed: page.typedText, telling: frame.error)
  }

  /// The source of both renderings.
  func presentation(of page: any Page, in frame: PageFrame) -> Presentation {
    presentation(of: page, in: frame, readableCatalogue(of: frame.language), looks.lastGood())
  }

  private func presentation(
    of page: any Page,
    in frame: PageFrame,
    _ catalogue: Catalogue<PhraseKey>,
    _ look: Look
  ) -> Presentation {
    var frame = frame
    frame.wear(look)
    frame.hasWords = { catalogue[$0] != nil }
    return Presentation(page, in: frame, catalogue, usesOwnWords: usesOwnWords)
  }

  /// A file to keep, in that language and UTF-8.
  public func text(of file: TextFile, in language: LanguageTag) -> String {
    file.text(in: Wording(readableCatalogue(of: language)))
  }

  /// The languages that have words, English first.
  public var languages: [LanguageTag] { catalogues.languages }

  /// The English messages as they were at the start.
  var english: Catalogue<PhraseKey> { catalogues.english }

  /// The languages that can be requested: those of menus and the accented pseudo-locale.
  public var choosableLanguages: [LanguageTag] { catalogues.choosable }

  /// Returns the current English messages, or the last usable ones.
  private static func english(
    of catalogues: Catalogues<PhraseKey>
  ) -> @Sendable () -> Catalogue<PhraseKey> {
    {
      do throws(CatalogueFault) {
        return try catalogues.catalogue(of: .english)
      } catch {
        return catalogues.lastGoodCatalogue(of: .english)
      }
    }
  }

  private func catalogue(of language: LanguageTag) throws(TemplateFault) -> Catalogue<PhraseKey> {
    do throws(CatalogueFault) {
      return try catalogues.catalogue(of: language)
    } catch {
      throw TemplateFault(error)
    }
  }

  /// The messages of a language, or English if its file cannot be used, which the page itself
  /// reports.
  private func readableCatalogue(of language: LanguageTag) -> Catalogue<PhraseKey> {
    do throws(CatalogueFault) {
      return try catalogues.catalogue(of: language)
    } catch {
      return catalogues.english
    }
  }

  /// Limits reports to one for each state of the files, whichever template has found the fault.
  private static func once(
    _ report: @escaping @Sendable (TemplateFault) -> Void
  ) -> @Sendable (TemplateFault) -> Void {
    let last = Reported()
    return { fault in
      let isNew = last.version.withLock { last in
        defer { last = fault.version }
        return last != fault.version
      }
      if isNew { report(fault) }
    }
  }

  private final class Reported: Sendable {
    let version = Locked<FileVersion?>(nil)
  }
}
