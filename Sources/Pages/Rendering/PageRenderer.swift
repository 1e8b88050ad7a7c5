import AuthFlow

/// Renders pages as HTML through the templates, and as their JSON twins.
public final class PageRenderer: Sendable {
  private let folder: String
  private let reloads: Bool
  private let templates: Templates<PageView>
  private let usesOwnWords: Bool
  let stills: StillStore

  /// How much the stills take together, in bytes.
  static let stillLimit = 4 * 1024 * 1024

  /// Reads the templates.
  ///
  /// - Parameters:
  ///   - folder: The folder that holds `layout.mustache`, the pages' templates and `partials/`.
  ///   - reloads: Whether they are read again when one of them changes.
  ///   - usesOwnWords: Whether a known refusal is told in our words rather than the auth API's.
  /// - Throws: `TemplateFault`, which names the file, the place in it and what is wrong there.
  public init(
    templates folder: String,
    reloads: Bool = false,
    usesOwnWords: Bool = true
  ) throws(TemplateFault) {
    self.folder = folder
    self.reloads = reloads
    templates = try Templates(
      folder: folder,
      required: "page",
      others: Address.pages.map(\.pageName) + [ErrorPage.templateName],
      reloads: reloads
    )
    self.usesOwnWords = usesOwnWords
    // A template that was changed would show in none of them.
    stills = StillStore(limitBytes: reloads ? 0 : Self.stillLimit)
  }

  /// The page as a complete HTML document in UTF-8, by its own template or the default one.
  ///
  /// - Throws: `TemplateFault` where templates are read again and one has been spoilt since.
  public func html(_ page: any Page, in frame: PageFrame) throws(TemplateFault) -> [UInt8] {
    let still = try stills.still(of: page, in: frame, as: .html) { () throws(TemplateFault) in
      let view = PageView(Presentation(page, in: frame, usesOwnWords: usesOwnWords))
      return try templates.still(of: view, by: page.name)
    }
    return still.bytes(for: frame.visitor)
  }

  /// A template of the same folder that is about something else than a page.
  ///
  /// - Throws: `TemplateFault` where it is not there or cannot be used.
  package func templates<View: TemplateView>(
    _ name: String,
    about view: View.Type
  ) throws(TemplateFault) -> Templates<View> {
    try Templates(folder: folder, required: name, others: [], reloads: reloads)
  }

  /// The page's JSON twin in UTF-8 (<doc:PagesAsJSON#Shape>).
  public func json(_ page: any Page, in frame: PageFrame) -> [UInt8] {
    let still = stills.still(of: page, in: frame, as: .json) {
      Presentation(page, in: frame, usesOwnWords: usesOwnWords).json()
    }
    return still.bytes(for: frame.visitor)
  }

  /// What someone sees who is at work on the templates.
  public static func document(about fault: TemplateFault) -> [UInt8] {
    var document: [UInt8] = []
    document.append(
      """
      <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Template fault</title>\
      </head><body><main><h1>A template cannot be used</h1><p>
      """
    )
    document.append(escapedForHTML: fault.description)
    document.append("</p></main></body></html>")
    return document
  }
}
