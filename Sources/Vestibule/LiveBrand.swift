internal import Assets
internal import Backstage
internal import Foundation
internal import Locking
internal import Pages
internal import Site

/// A brand whose files are read again whenever they have changed; the last good one stays.
final class LiveBrand: Sendable {
  private struct State: Sendable {
    var installed: InstalledBrand
    /// The brand file, and wherever the files that it names are looked for.
    var paths: [String]
    /// How they were when they were read; nil before that, since the start has read them at no known version.
    var version: FileVersion?
    /// Why they cannot be used as they are.
    var fault: TemplateFault?
  }

  private let file: String
  private let folder: BrandFolder
  private let content: @Sendable (_ path: String) -> Data?
  private let state: Locked<State>

  /// - Parameters:
  ///   - installed: As it was at the start.
  ///   - file: The brand file.
  ///   - content: Reads that; nil where it cannot be read.
  init(
    _ installed: InstalledBrand,
    of file: String,
    content: @escaping @Sendable (_ path: String) -> Data? = {
      FileManager.default.contents(atPath: $0)
    }
  ) {
    self.file = file
    self.content = content
    folder = installed.folder
    let paths = [file] + installed.folder.places(of: installed.brand)
    state = Locked(State(installed: installed, paths: paths))
  }

  /// What it is made of: what is to be watched.
  var paths: [String] { state.withLock(\.paths) }

  /// The brand as it could be used last.
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

  /// Serves its style sheet and its files as they are when they are asked for.
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
          // Once more: what was written in between is of that version already, and may name other files.
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
    guard let data = content(file) else {
      throw BrandFault(BrandProblem(at: [], "the file cannot be read"))
    }
    return try Brand(document: data)
  }
}
