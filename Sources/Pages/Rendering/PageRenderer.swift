import AuthFlow
import Foundation
import Mustache
import Synchronization

/// Renders pages as HTML through the templates, and as their JSON twins.
public final class PageRenderer: Sendable {
  private let folder: TemplateFolder
  private let reloads: Bool
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
  /// - Throws: `TemplateFault`, which names the file and what is wrong with it.
  public init(templates folder: String, reloads: Bool = false) throws {
    self.folder = TemplateFolder(path: folder)
    self.reloads = reloads
    let stamp = reloads ? self.folder.stamp() : [:]
    library = try self.folder.load()
    state = Mutex(State(library: library, stamp: stamp, fault: nil))
  }

  /// The page as a complete HTML document in UTF-8.
  public func html(_ page: any Page, in frame: PageFrame) -> [UInt8] {
    let (library, fault) = reloads ? current() : (library, nil)
    if let fault { return Self.document(about: fault) }
    let view = PageView(Presentation(page, in: frame))
    guard let html = library.render(view, withTemplate: page.name) else {
      preconditionFailure("The page \(page.name) is not in the list of templates.")
    }
    return Array(html.utf8)
  }

  /// The page's JSON twin in UTF-8 (<doc:PagesAsJSON#Shape>).
  public func json(_ page: any Page, in frame: PageFrame) -> [UInt8] {
    Presentation(page, in: frame).json()
  }

  /// The templates that pages of this room need; each is named after its page.
  static let templateNames = [
    "account", "blocked", "continue", "error", "forgot-password", "forgot-password-code",
    "forgot-password-new", "forgot-password-waiting", "locked", "permissions", "sign-in",
    "sign-in-code", "sign-in-device", "sign-in-enrolment", "sign-in-link",
    "sign-in-methods", "sign-in-password", "sign-in-second-factor",
    "sign-in-second-factor-backup-code", "sign-in-second-factor-methods", "sign-out", "sign-up",
    "sign-up-continue", "sign-up-link", "sign-up-verify", "tasks-choose-organization",
    "tasks-reset-password", "tasks-setup-mfa",
  ]

  /// The library as the files have it now; a fault stays until the files are mended.
  private func current() -> (MustacheLibrary, TemplateFault?) {
    let stamp = folder.stamp()
    return state.withLock { state in
      if stamp != state.stamp {
        state.stamp = stamp
        do throws(TemplateFault) {
          state.library = try folder.load()
          state.fault = nil
        } catch {
          state.fault = error
        }
      }
      return (state.library, state.fault)
    }
  }

  /// What someone sees who is at work on the templates.
  private static func document(about fault: TemplateFault) -> [UInt8] {
    let words = EscapedText().escapeText(fault.description)
    return Array(
      """
      <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Template fault</title>\
      </head><body><main><h1>A template cannot be used</h1><p>\(words)</p></main></body></html>
      """.utf8
    )
  }
}
