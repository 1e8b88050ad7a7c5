import Assets
import Localization
import Locking
import Synchronization

/// The built-in templates compiled so far.
private let compiled = Locked<[BuiltInTemplates: any Sendable]>([:])

/// The cache key: some built-in templates and the type of view they are compiled for.
private struct BuiltInTemplates: Hashable {
  var view: ObjectIdentifier
  var names: [String]
}

/// The templates of a folder, compiled for one type of view.
package final class Templates<View: TemplateView>: Sendable {
  private let folder: TemplateFolder
  private let names: [String]
  private let english: @Sendable () -> Catalogue<PhraseKey>
  private let watch: FileWatch?
  private let report: @Sendable (TemplateFault) -> Void
  private let state: Locked<State>
  /// The programs used when templates are not reloaded.
  private let programs: Programs<View>
  /// As long as the longest document so far, so that the next one takes one allocation.
  private let capacity = Atomic(8192)

  private struct State: Sendable {
    var programs: Programs<View>
    var version: FileVersion?
    var fault: TemplateFault?
  }

  /// Reads and compiles the templates.
  ///
  /// - Parameters:
  ///   - files: The files with the templates and all that they include.
  ///   - required: The template that has to exist.
  ///   - others: The templates that may exist.
  ///   - english: Returns the current English catalogue, which applies if no language is chosen.
  ///   - watch: Detects changes; nil if the files are read only once.
  ///   - report: Is called once for each fault found in reloaded files.
  /// - Throws: `TemplateFault`, which names the file and what is wrong with it.
  init(
    files: LayeredFiles,
    required: String,
    others: [String],
    english: @escaping @Sendable () -> Catalogue<PhraseKey>,
    watch: FileWatch?,
    report: @escaping @Sendable (TemplateFault) -> Void = { _ in }
  ) throws(TemplateFault) {
    folder = TemplateFolder(files: files)
    names = [required] + others
    self.english = english
    self.watch = watch
    self.report = report
    let version = watch?.version
    programs =
      files.areBuiltIn
      ? try Self.builtIn(names, in: folder, saying: english())
      : try Programs(of: names, by: folder.load(documents: names), saying: english())
    state = Locked(State(programs: programs, version: version, fault: nil))
  }

  /// Renders an English document for a view that is not a page, with the template of that name or
  /// else the required one.
  ///
  /// - Returns: UTF-8.
  /// - Throws: `TemplateFault` where templates are read again and one has been spoilt since.
  package func render(_ view: View, by name: String) throws(TemplateFault) -> [UInt8] {
    try still(of: view, by: name, in: english()).bytes
  }

  /// The same document, before each visitor's own values are stamped into it.
  func still(
    of view: View,
    by name: String,
    in language: Catalogue<PhraseKey>
  ) throws(TemplateFault) -> Still {
    guard let watch else { return written(view, by: try programs[name, in: language]) }
    let (programs, version) = try current(watch)
    // The words may have been changed as well.
    var still = written(view, by: try programs.compiled(name, saying: language))
    still.append(reloadingAfter: version)
    return still
  }

  private func written(_ view: View, by program: Program<View>) -> Still {
    var still = Still(.html, capacity: capacity.load(ordering: .relaxed))
    program.write(view, to: &still)
    capacity.max(still.bytes.count, ordering: .relaxed)
    return still
  }

  /// The programs of built-in templates, compiled once per process: tests start many programs in
  /// one process.
  private static func builtIn(
    _ names: [String],
    in folder: TemplateFolder,
    saying english: Catalogue<PhraseKey>
  ) throws(TemplateFault) -> Programs<View> {
    let key = BuiltInTemplates(view: ObjectIdentifier(View.self), names: names)
    if let programs = compiled.withLock({ $0[key] }) as? Programs<View> { return programs }
    let programs = try Programs<View>(
      of: names,
      by: folder.load(documents: names),
      saying: english
    )
    compiled.withLock { $0[key] = programs }
    return programs
  }

  /// The programs of the current files; a fault persists until the files are repaired.
  private func current(
    _ watch: FileWatch
  ) throws(TemplateFault) -> (Programs<View>, FileVersion) {
    let version = watch.version
    return try state.withLock { state throws(TemplateFault) in
      if version != state.version {
        state.version = version
        do throws(TemplateFault) {
          // Only what is used: half a template shall not take away the tools with which it is mended.
          state.programs = try Programs(
            of: names,
            by: folder.load(only: names),
            saying: english()
          )
          state.fault = nil
        } catch {
          var fault = folder.excerpted(error)
          fault.version = version
          state.fault = fault
          report(fault)
        }
      }
      if let fault = state.fault { throw fault }
      return (state.programs, version)
    }
  }
}
