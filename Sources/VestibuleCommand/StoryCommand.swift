import ArgumentParser
import Foundation
import Headless
import HTTPExchange
import Logging
import Vestibule

struct StoryCommand: ServingCommand {
  static let configuration = CommandConfiguration(
    commandName: "story",
    abstract: "Play a story without a browser: a test that reads like a tale.",
    discussion: """
      Nothing is served and nothing written to disk: --data is refused, and VESTIBULE_DATA is \
      ignored. Exits with 0 if all goes as told, 1 at the first step that does not, 78 if the \
      story cannot be played.
      """
  )

  @OptionGroup(title: "Auth API") var api: AuthAPIOptions
  @OptionGroup(title: "Where") var place: PlaceOptions
  @OptionGroup(title: "Emulator") var emulator: EmulatorOptions
  @OptionGroup(title: "Pages") var pages: PageOptions
  @OptionGroup(title: "Logs") var logs: LogOptions
  @Argument(
    help: "The file of a story, or the name of a built-in one.",
    completion: .custom { _, _, typed in Story.names(completing: typed) }
  )
  var story: String

  func run() async throws {
    let environment = Environment.process()
    // The story itself is printed already.
    let logs = LogSettings(logs, environment, unlessSaid: .error)
    try await Program.play(logs) { () throws(StartFailure) in
      let story = try Story.named(story)
      return (
        story, try StorySettings(options, of: story, environment: environment).configuration(),
        try logs.logger()
      )
    }
  }
}

/// The settings of `story`.
struct StorySettings {
  private let story: Story
  private let settings: ServeSettings

  init(_ options: ServeOptions, of story: Story, environment: Environment) {
    self.story = story
    var options = options
    // A story for a single API need not be told which one.
    if environment.value(options.api.api, "api") == nil { options.api.api = story.api }
    settings = ServeSettings(options, environment: environment, defaults: .called)
  }

  /// - Throws: `StartFailure` for the first setting that is bad, or does not suit the story.
  func configuration() throws(StartFailure) -> Configuration {
    let configuration = try settings.configuration()
    guard case .emulated(let api, _) = configuration.authAPI else {
      throw StartFailure(.configuration, "A story needs an emulated auth API")
    }
    if let needed = story.api, needed != api.option {
      throw StartFailure(.configuration, "The story \(story.name) needs --api \(needed)")
    }
    return configuration
  }
}

extension Story {
  /// The story in a file, or the built-in one with that name.
  ///
  /// - Throws: `StartFailure` if there is none, or if it cannot be read.
  static func named(_ name: String) throws(StartFailure) -> Story {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: name, isDirectory: &isFolder)
    do {
      // A folder does not hide a story of its name.
      if !isThere || isFolder.boolValue {
        let builtIn = try builtIn()
        if let story = builtIn.first(where: { $0.name == name }) { return story }
        guard isThere || name.contains("/") else {
          let names = builtIn.map(\.name).joined(separator: ", ")
          throw StartFailure(
            .configuration,
            "There is no story \(name), as a file or built in; built-in ones: \(names)"
          )
        }
      }
      return try Story(document: try NamedFile.bytes(of: name, "The story"))
    } catch let fault as StoryFault {
      throw StartFailure(.configuration, "The story is invalid: \(name): \(fault)")
    } catch let failure as StartFailure {
      throw failure
    } catch {
      throw StartFailure(.configuration, "\(error)")
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

extension Program {
  /// - Throws: `ExitCode` 1 if a step does not go as the story tells it; others after one clear line on
  ///   standard error.
  static func play(
    _ logs: LogSettings,
    _ order: () throws(StartFailure) -> (Story, Configuration, Logger)
  ) async throws {
    do {
      let (story, configuration, logger) = try order()
      let composition = try Composition(configuration, logger: logger)
      let player = StoryPlayer(
        over: InProcessTransport(to: composition.handler),
        host: "localhost:\(configuration.pages?.port ?? 0)"
      )
      Terminal.say(story.title)
      let isAsTold = try await player.play(story) { index, step, outcome in
        Terminal.say("\(index + 1)/\(story.steps.count) \(step.say)")
        guard case .otherwise(let differences) = outcome else { return }
        Terminal.complain("step \(index + 1): \(differences.joined(separator: "; "))")
      }
      guard isAsTold else { throw ExitCode(1) }
    } catch let error as StartFailure {
      logs.complain(error)
      throw ExitCode(error.kind.rawValue)
    } catch let failure as TestBackstage.Failure {
      logs.complain("the story cannot begin: \(failure)")
      throw ExitCode(failure.isRefusal ? StartFailure.Kind.configuration.rawValue : 1)
    }
  }
}
