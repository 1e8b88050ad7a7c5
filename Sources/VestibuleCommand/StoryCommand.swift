import ArgumentParser
import Foundation
import Headless
import Logging
import Vestibule

struct StoryCommand: ServingCommand {
  static let configuration = CommandConfiguration(
    commandName: "story",
    abstract: "Play stories without a browser: tests that read like tales.",
    discussion: """
      Nothing is served, and nothing but the report is written to disk: --data is refused, and \
      VESTIBULE_DATA is ignored. A single story is told step by step; of several, each in a world \
      of its own, every one is a line. Exits with 0 if all goes as told, 1 if a step does not, \
      which ends its story, 78 if a story cannot be played; none is played if one is invalid.
      """
  )

  @OptionGroup(title: "Auth API") var api: AuthAPIOptions
  @OptionGroup(title: "Where") var place: PlaceOptions
  @OptionGroup(title: "Emulator") var emulator: EmulatorOptions
  @OptionGroup(title: "Pages") var pages: PageOptions
  @OptionGroup(title: "Logs") var logs: LogOptions
  @Flag(help: "Play every built-in story of the API as well.")
  var all = false
  @Option(help: "Write a report to this file, as JUnit's XML.", completion: .file())
  var junit: String?
  @Argument(
    help: ArgumentHelp(
      "Files, folders of such files (*.json), or names of built-in stories; - is standard input.",
      valueName: "story"
    ),
    completion: .custom { _, _, typed in Story.names(completing: typed) }
  )
  var stories: [String] = []

  func run() async throws {
    let environment = Environment.process()
    // The stories themselves are printed already.
    let logs = LogSettings(logs, environment, unlessSaid: .error)
    try await Program.play(logs) { () throws(StartFailure) in
      try StoryOrder(self, environment: environment, logs: logs)
    }
  }
}

extension Story {
  /// Completions for a typed word: the built-in stories, and files and folders.
  ///
  /// - Parameter typed: The word so far.
  /// - Returns: All candidates, including those that begin otherwise, which shells filter out.
  fileprivate static func names(completing typed: String) -> [String] {
    let folder = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    do {
      let entries = try FileManager.default.contentsOfDirectory(
        at: URL(fileURLWithPath: folder.isEmpty ? "." : folder),
        includingPropertiesForKeys: [.isDirectoryKey],
        options: .skipsHiddenFiles
      )
      let files = entries.filter { $0.hasDirectoryPath || $0.pathExtension == "json" }
      return try builtIn().map(\.name) + files.map { folder + $0.lastPathComponent }
    } catch {
      // A missing folder holds nothing to offer, and a shell shows no error in the middle of a line.
      return []
    }
  }
}
