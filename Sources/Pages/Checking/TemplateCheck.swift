import Assets
import Localization

/// Every page in every state by some templates, and what is wrong with them.
public struct TemplateCheck: Sendable {
  /// One line each: `templates/sign-in.mustache: sign-in (wrong-password): F1: the field password has no label`.
  public private(set) var lines: [String] = []
  public let pageCount: Int
  public let stateCount: Int

  /// Renders the pages, as the atlas has them.
  ///
  /// - Parameters:
  ///   - folder: Templates that lie over the built-in ones.
  ///   - assets: The addresses of all static files.
  ///   - look: Whose brand the pages carry.
  /// - Throws: `TemplateFault` where a file or a folder cannot be read; any other fault is a line.
  public init(templates folder: String?, assets: Set<String>, look: Look = .builtIn)
    throws(TemplateFault)
  {
    let examples = PageExample.all
    pageCount = Set(examples.map(\.page.name)).count
    stateCount = examples.count
    let files = LayeredFiles(.templates, under: folder)
    let wording = Self.wordFaults(under: folder)
    do throws(TemplateFault) {
      let renderer = try PageRenderer(templates: folder, looks: .fixed(look))
      let sources = try TemplateSources(files)
      var places: [Complaint: [String]] = [:]
      var order: [Complaint] = []
      for example in examples {
        for finding in try Self.findings(on: example, renderer, assets) {
          let complaint = Complaint(page: example.page.name, finding: finding)
          if places[complaint] == nil { order.append(complaint) }
          places[complaint, default: []].append(example.state)
        }
      }
      lines = wording
      lines += sources.unused.map { "\($0): no page has this name, and no template includes it" }
      lines += sources.unread
      lines += order.map { complaint in
        let source = sources.place(of: complaint.page) ?? folder ?? "built-in templates"
        return "\(source): \(complaint.told(in: places[complaint] ?? []))"
      }
    } catch {
      if case .unreadable = error.reason { throw error }
      lines = wording + (wording.contains(error.description) ? [] : [error.description])
    }
  }

  /// What is wrong with the files of words.
  ///
  /// - Parameter folder: Templates that lie over the built-in ones.
  /// - Returns: A line each, with its place; none where all can be used.
  public static func wordFaults(under folder: String?) -> [String] {
    Catalogues<PhraseKey>.faults(in: .init(under: folder)).map(\.description)
  }

  private static func findings(
    on example: PageExample,
    _ renderer: PageRenderer,
    _ assets: Set<String>
  ) throws(TemplateFault) -> [Finding] {
    let bytes = try renderer.html(example.page, in: example.frame)
    do {
      return Inspection(
        html: try HTML(bytes),
        presentation: renderer.presentation(of: example.page, in: example.frame),
        assets: assets
      ).findings
    } catch {
      return [Finding("HTML", "\(error)")]
    }
  }

  /// The same thing wrong with one page, in however many of its states.
  private struct Complaint: Hashable {
    let page: String
    let finding: Finding

    func told(in states: [String]) -> String {
      let further = states.count > 1 ? " and \(states.count - 1) more" : ""
      return "\(page) (\(states.first ?? "")\(further)): \(finding.rule): \(finding.words)"
    }
  }
}
