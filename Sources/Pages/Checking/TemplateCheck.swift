import Assets
import Localization

/// A check of some templates against every page in every state.
public struct TemplateCheck: Sendable {
  /// The faults, one line each: `templates/sign-in.mustache: sign-in (wrong-password): F1: the
  /// field password has no label`.
  public private(set) var lines: [String] = []
  /// Remarks for the author that are not faults, one line each.
  public private(set) var notes: [String] = []
  public let pageCount: Int
  public let stateCount: Int

  /// Renders the pages, as the atlas has them, in English and in each language whose words the folder
  /// changes or adds.
  ///
  /// - Parameters:
  ///   - folder: Templates that override the built-in ones.
  ///   - assets: The addresses of all static files.
  ///   - publicFolder: Custom static files, whose style sheets are checked.
  ///   - look: The brand that the pages carry.
  /// - Throws: `TemplateFault` where a file or a folder cannot be read; any other fault is a line.
  public init(
    templates folder: String?,
    assets: Set<String>,
    publicFolder: String? = nil,
    look: Look = .builtIn
  ) throws(TemplateFault) {
    let examples = PageExample.all
    pageCount = Set(examples.map(\.page.name)).count
    stateCount = examples.count
    let files = LayeredFiles(.templates, under: folder)
    let wording = Self.wordFaults(under: folder)
    notes = Catalogues<PhraseKey>.notes(in: .init(under: folder))
    let assets = ServedFiles(paths: assets)
    do throws(TemplateFault) {
      let renderer = try PageRenderer(templates: folder, looks: .fixed(look))
      let sources = try TemplateSources(files)
      var places: [Complaint: [PageExample]] = [:]
      var order: [Complaint] = []
      for example in examples {
        let page = example.page.name
        let english = try Self.findings(on: example, in: .english, renderer, assets)
        for language in [.english] + sources.translations {
          let source =
            sources.place(of: page, in: language) ?? folder ?? "built-in templates"
          // What is wrong in English, too, is not due to the words of another language.
          let findings =
            language == .english
            ? english
            : try Self.findings(on: example, in: language, renderer, assets)
              .filter { finding in !english.contains(where: finding.isLike) }
          for finding in findings where !Self.isTold(finding, in: wording) {
            let complaint = Complaint(
              source: source,
              page: finding.isOfText ? nil : page,
              finding: finding
            )
            if places[complaint] == nil { order.append(complaint) }
            places[complaint, default: []].append(example)
          }
        }
      }
      lines = wording
      lines += sources.unused.map { "\($0): no page has this name, and no template includes it" }
      lines += sources.unread
      let publicFiles = LayeredFiles(.publicFiles, under: publicFolder)
      for sheet in try StyleSheet.all(in: publicFiles) { lines += try sheet.complaints(assets) }
      notes += try ServedFiles.notes(on: publicFiles)
      lines += order.map { $0.told(of: places[$0] ?? []) }
    } catch {
      if case .unreadable = error.reason { throw error }
      lines = wording + (wording.contains(error.description) ? [] : [error.description])
    }
  }

  /// What is wrong with the files of words.
  ///
  /// - Parameter folder: Templates that override the built-in ones.
  /// - Returns: A line each, with its place; none where all can be used.
  public static func wordFaults(under folder: String?) -> [String] {
    Catalogues<PhraseKey>.faults(in: .init(under: folder)).map(\.description)
  }

  /// Whether a line about a file of words says the same, with the place in that file.
  private static func isTold(_ finding: Finding, in wording: [String]) -> Bool {
    finding.rule == "words" && wording.contains { $0.hasSuffix(": \(finding.words)") }
  }

  private static func findings(
    on example: PageExample,
    in language: LanguageTag,
    _ renderer: PageRenderer,
    _ assets: ServedFiles
  ) throws(TemplateFault) -> [Finding] {
    let frame = example.frame(in: language)
    let bytes = try renderer.html(example.page, in: frame)
    do {
      return Inspection(
        html: try HTML(bytes),
        presentation: renderer.presentation(of: example.page, in: frame),
        assets: assets
      ).findings
    } catch {
      return [Finding("HTML", "\(error)")]
    }
  }

  /// One finding, with however many states of a page show it, or pages if it is about text.
  private struct Complaint: Hashable {
    let source: String
    /// Nil for a finding that is reported once for all pages.
    let page: String?
    let finding: Finding

    func told(of examples: [PageExample]) -> String {
      let first = examples.first?.page.name ?? ""
      let states = examples.filter { $0.page.name == first }.map(\.state)
      let pages = Set(examples.map(\.page.name)).count
      let further = states.count > 1 ? " and \(states.count - 1) more" : ""
      let elsewhere = pages > 1 ? "; the same on \(pages - 1) more pages" : ""
      return "\(source): \(first) (\(states.first ?? "")\(further)): "
        + "\(finding.rule): \(finding.words)\(elsewhere)"
    }
  }
}
