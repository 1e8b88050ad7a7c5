import AuthFlow
import Foundation
import Mustache
import Synchronization

/// Renders pages as HTML through the templates, and as their JSON twins.
public final class PageRenderer: Sendable {
  private let folder: TemplateFolder
  private let reloads: Bool
  private let usesOwnWords: Bool
  private let state: Mutex<State>
  /// What is used while nothing is reloaded: no lock stands before it.
  private let library: MustacheLibrary

  private struct State: Sendable {
    var library: MustacheLibrary
    var stamp: [String: Date]
    var fault: TemplateFault?
  }

  /// Reads the templates.
  ///
  /// - Parameters:
  ///   - folder: The folder that holds `layout.mustache`, the pages' templates and `partials/`.
  ///   - reloads: Whether they are read again when one of them changes.
  ///   - usesOwnWords: Whether a known refusal is told in our words rather than the auth API's.
  /// - Throws: `TemplateFault`, which names the file and what is wrong with it.
  public init(
    templates folder: String,
    reloads: Bool = false,
    usesOwnWords: Bool = true
  ) throws {
    self.folder = TemplateFolder(path: folder)
    self.reloads = reloads
    self.usesOwnWords = usesOwnWords
    let stamp = reloads ? self.folder.stamp() : [:]
    library = try self.folder.load()
    state = Mutex(State(library: library, stamp: stamp, fault: nil))
  }

  /// The page as a complete HTML document in UTF-8, by its own template or the default one.
  ///
  /// - Throws: `TemplateFault` where templates are read again and one has been spoilt since.
  public func html(_ page: any Page, in frame: PageFrame) throws(TemplateFault) -> [UInt8] {
    let library = reloads ? try current() : library
    let name = library.getTemplate(named: page.name) == nil ? Self.defaultTemplate : page.name
    let view = PageView(Presentation(page, in: frame, usesOwnWords: usesOwnWords))
    guard let html = library.render(view, withTemplate: name) else {
      throw TemplateFault(file: name, fault: "the template is missing")
    }
    return Array(html.utf8)
  }

  /// The page's JSON twin in UTF-8 (<doc:PagesAsJSON#Shape>).
  public func json(_ page: any Page, in frame: PageFrame) -> [UInt8] {
    Presentation(page, in: frame, usesOwnWords: usesOwnWords).json()
  }

  /// What every page is written by that has no template of its own.
  static let defaultTemplate = "page"

  /// The library as the files have it now; a fault stays until the files are mended.
  private func current() throws(TemplateFault) -> MustacheLibrary {
    let stamp = folder.stamp()
    return try state.withLock { state throws(TemplateFault) in
      if stamp != state.stamp {
        state.stamp = stamp
        do throws(TemplateFault) {
          state.library = try folder.load()
          state.fault = nil
        } catch {
          state.fault = error
        }
      }
      if let fault = state.fault { throw fault }
      return state.library
    }
  }

  /// What someone sees who is at work on the templates.
  public static func document(about fault: TemplateFault) -> [UInt8] {
    let words = EscapedText().escapeText(fault.description)
    return Array(
      """
      <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Template fault</title>\
      </head><body><main><h1>A template cannot be used</h1><p>\(words)</p></main></body></html>
      """.utf8
    )
  }
}
