import AuthFlow

/// Renders pages as HTML through the templates, and as their JSON twins.
public final class PageRenderer: Sendable {
  private let folder: String
  private let reloads: Bool
  private let templates: Templates<PageView>
  private let usesOwnWords: Bool

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
  }

  /// The page as a complete HTML document in UTF-8, by its own template or the default one.
  ///
  /// - Throws: `TemplateFault` where templates are read again and one has been spoilt since.
  public func html(_ page: any Page, in frame: PageFrame) throws(TemplateFault) -> [UInt8] {
    let view = PageView(Presentation(page, in: frame, usesOwnWords: usesOwnWords))
    return try templates.render(view, by: page.name)
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
    Presentation(page, in: frame, usesOwnWords: usesOwnWords).json()
  }

  /// What someone sees who is at work on the templates.
  public static func document(about fault: TemplateFault) -> [UInt8] {
    var document = HTMLBuffer(capacity: 1024)
    document.append(
      """
      <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Template fault</title>\
      </head><body><main><h1>A template cannot be used</h1><p>
      """
    )
    document.append(escaping: fault.description)
    document.append("</p></main></body></html>")
    return document.bytes
  }
}
