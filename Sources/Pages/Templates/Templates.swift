import Foundation
import Synchronization

/// The templates of a folder, compiled for one type of view.
package final class Templates<View: TemplateView>: Sendable {
  private typealias Programs = [String: Program<View>]

  private let folder: TemplateFolder
  private let names: [String]
  private let reloads: Bool
  private let state: Mutex<State>
  /// What is used while nothing is reloaded: no lock stands before it.
  private let programs: Programs
  /// As long as the longest document so far, so that the next one takes one allocation.
  private let capacity = Atomic(8192)

  private struct State: Sendable {
    var programs: Programs
    var stamp: [String: Date]
    var fault: TemplateFault?
  }

  /// Reads and compiles the templates.
  ///
  /// - Parameters:
  ///   - folder: The folder that they are in, with all that they include.
  ///   - required: The template that has to be there.
  ///   - others: Those that may be there.
  ///   - reloads: Whether they are read again when a file changes.
  /// - Throws: `TemplateFault`, which names the file and what is wrong with it.
  package init(
    folder: String,
    required: String,
    others: [String],
    reloads: Bool
  ) throws(TemplateFault) {
    self.folder = TemplateFolder(path: folder)
    self.names = [required] + others
    self.reloads = reloads
    let stamp = reloads ? self.folder.stamp() : [:]
    programs = try Self.compile(names, in: self.folder)
    state = Mutex(State(programs: programs, stamp: stamp, fault: nil))
  }

  /// A document about a view that is no page, by the template of that name or else by the required
  /// one.
  ///
  /// - Returns: UTF-8.
  /// - Throws: `TemplateFault` where templates are read again and one has been spoilt since.
  package func render(_ view: View, by name: String) throws(TemplateFault) -> [UInt8] {
    try still(of: view, by: name).bytes
  }

  /// The same, with what is each visitor's own still to come.
  func still(of view: View, by name: String) throws(TemplateFault) -> Still {
    let programs = reloads ? try current() : programs
    guard let program = programs[name] ?? programs[names[0]] else {
      throw TemplateFault(.missing, in: folder.file(name))
    }
    var still = Still(.html, capacity: capacity.load(ordering: .relaxed))
    program.write(view, to: &still)
    capacity.max(still.bytes.count, ordering: .relaxed)
    return still
  }

  private static func compile(
    _ names: [String],
    in folder: TemplateFolder
  ) throws(TemplateFault) -> Programs {
    let splicer = try folder.load()
    guard splicer.templates[names[0]] != nil else {
      throw TemplateFault(.missing, in: folder.file(names[0]))
    }
    var programs: Programs = [:]
    for name in names {
      guard let nodes = try splicer.nodes(of: name) else { continue }
      programs[name] = try Program(nodes, in: Scope<View>())
    }
    return programs
  }

  /// The programs as the files have it now; a fault stays until the files are mended.
  private func current() throws(TemplateFault) -> Programs {
    let stamp = folder.stamp()
    return try state.withLock { state throws(TemplateFault) in
      if stamp != state.stamp {
        state.stamp = stamp
        do throws(TemplateFault) {
          state.programs = try Self.compile(names, in: folder)
          state.fault = nil
        } catch {
          state.fault = error
        }
      }
      if let fault = state.fault { throw fault }
      return state.programs
    }
  }
}
