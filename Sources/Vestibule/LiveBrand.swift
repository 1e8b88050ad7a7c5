internal import Assets
internal import Backstage
internal import Foundation
internal import Locking
internal import Pages
internal import Site

/// A brand whose files are read again whenever they have changed; the last good one is kept.
final class LiveBrand: Sendable {
  private struct State: Sendable {
    var installed: InstalledBrand
    /// The brand file, and wherever the files that it names are looked for.
    var paths: [String]
    /// The version of the files that was last read; nil at first, since the version read at the start is unknown.
    var version: FileVersion?
    /// Why the current files cannot be used.
    var fault: TemplateFault?
  }

  let file: String
  private let folder: BrandFolder
  private let content: @Sendable (_ path: String) throws(NamedFile.Unreadable) -> Data
  private let state: Locked<State>

  /// - Parameters:
  ///   - installed: The brand as read at the start.
  ///   - file: The brand file.
  ///   - content: Reads that file.
  init(
    _ installed: InstalledBrand,
    of file: String,
    content: @escaping @Sendable (_ path: String) throws(NamedFile.Unreadable) -> Data = {
      path throws(NamedFile.Unreadable) in try NamedFile.data(of: path, again: true)
    }
  ) {
    self.file = file
    self.content = content
    folder = installed.folder
    let paths = [file] + installed.folder.places(of: installed.brand)
    state = Locked(State(installed: installed, paths: paths))
  }

  /// The paths to watch.
  var paths: [String] { state.withLock(\.paths) }

  /// The last brand that could be used.
  var lastGood: InstalledBrand { read().installed }

  /// The look of the pages.
  var looks: LookSource {
    LookSource(
      current: { () throws(TemplateFault) in
        let state = self.read()
        if let fault = state.fault { throw fault }
        return state.installed.look
      },
      lastGood: { self.lastGood.look }
    )
  }

  /// Serves its style sheet and files in their current version.
  func add(to statics: inout StaticFiles) {
    statics.add { path in
      self.lastGood.served.first { $0.path == path }.map { ($0.bytes, $0.contentType) }
    }
  }

  private func read() -> State {
    state.withLock { state in
      let version = FileVersion(ofFiles: state.paths)
      guard version != state.version else { return state }
      state.version = version
      do throws(BrandFault) {
        var brand = try brandOfFile()
        var paths = [file] + folder.places(of: brand)
        while paths != state.paths {
          state.paths = paths
          state.version = FileVersion(ofFiles: paths)
          // Read it again: an edit made meanwhile belongs to this version already, and may name other files.
          brand = try brandOfFile()
          paths = [file] + folder.places(of: brand)
        }
        state.installed = try InstalledBrand(
          brand,
          in: folder,
          revision: state.installed.look.revision + 1
        )
        state.fault = nil
      } catch {
        state.fault = TemplateFault(error, in: file)
      }
      return state
    }
  }

  private func brandOfFile() throws(BrandFault) -> Brand {
    let data: Data
    do throws(NamedFile.Unreadable) {
      data = try content(file)
    } catch {
      throw BrandFault(BrandProblem(at: [], "the file cannot be read: \(error.reason)"))
    }
    return try Brand(document: data)
  }
}
