import Assets
import Localization
import Locking
import Synchronization

/// What has been compiled of the built-in templates.
private let compiled = Locked<[BuiltInTemplates: any Sendable]>([:])

/// Some of the built-in templates, and for which type of view they are compiled.
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
  /// What is used while nothing is reloaded.
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
  ///   - files: Where they are, with all that they include.
  ///   - required: The template that has to be there.
  ///   - others: Those that may be there.
  ///   - english: What they say, as it is now, where nobody chooses a language.
  ///   - watch: Tells when they are to be read again; nil where they are read once.
  ///   - report: Is told once of what is wrong with files that were read again.
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
      : try Programs(of: names, in: folder, saying: english())
    state = Locked(State(programs: programs, version: version, fault: nil))
  }

  /// A document in English about a view that is no page, by the template of that name or else by the
  /// required one.
  ///
  /// - Returns: UTF-8.
  /// - Throws: `TemplateFault` where templates are read again and one has been spoilt since.
  package func render(_ view: View, by name: String) throws(TemplateFault) -> [UInt8] {
    try still(of: view, by: name, in: english()).bytes
  }

  /// The same, with what is each visitor's own still to come.
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

  /// The same of built-in templates, which are compiled once a process: tests start program after
  /// program in one.
  private static func builtIn(
    _ names: [String],
    in folder: TemplateFolder,
    saying english: Catalogue<PhraseKey>
  ) throws(TemplateFault) -> Programs<View> {
    let key = BuiltInTemplates(view: ObjectIdentifier(View.self), names: names)
    if let programs = compiled.withLock({ $0[key] }) as? Programs<View> { return programs }
    let programs = try Programs<View>(of: names, in: folder, saying: english)
    compiled.withLock { $0[key] = programs }
    return programs
  }

  /// The programs as the files have it now; a fault stays until the files are mended.
  private func current(
    _ watch: FileWatch
  ) throws(TemplateFault) -> (Programs<View>, FileVersion) {
    let version = watch.version
    return try state.withLock { state throws(TemplateFault) in
      if version != state.version {
        state.version = version
        do throws(TemplateFault) {
          state.programs = try Programs(of: names, in: folder, saying: english())
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
