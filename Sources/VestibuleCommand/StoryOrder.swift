import Foundation
import Headless
import Logging
import Vestibule

/// Which stories `story` is to play, and how.
struct StoryOrder {
  /// At least one.
  var stories: [Story]
  /// The name of the auth API that they are told over.
  var api: String
  var configuration: Configuration
  var logger: Logger
  /// The file to write a report to; nil for none.
  var report: String?

  /// - Throws: `StartFailure` for the first story that cannot be read, and for the first setting that is bad or does
  ///   not suit a story.
  init(
    _ command: StoryCommand,
    environment: Environment,
    logs: LogSettings
  ) throws(StartFailure) {
    stories = []
    for name in command.stories { stories += try Story.named(name) }
    var options = command.options
    if environment.value(options.api.api, "api") == nil {
      options.api.api = try Self.api(of: stories)
    }
    if try environment.flag(command.all, "all") {
      let api = try environment.apiName(options.api.api).rawValue
      stories += try Story.allBuiltIn().filter { $0.api ?? api == api }
    }
    guard !stories.isEmpty else {
      throw StartFailure(
        .usage,
        "No story is named: give files, folders, names of built-in ones, or --all for all of these"
      )
    }
    configuration = try ServeSettings(options, environment: environment, defaults: .called)
      .configuration()
    guard case .emulated(let emulated, _) = configuration.authAPI else {
      throw StartFailure(.configuration, "A story needs an emulated auth API")
    }
    api = emulated.option
    for story in stories {
      if let needed = story.api, needed != emulated.option {
        throw StartFailure(.configuration, "The story \(story.name) needs --api \(needed)")
      }
    }
    report = environment.value(command.junit, "junit")
    if let report, report.isEmpty {
      throw StartFailure(.usage, "--junit is empty: name a file to write to")
    }
    logger = try logs.logger()
  }

  /// The API that stories need, which they need not be told; nil if they are told over any.
  private static func api(of stories: [Story]) throws(StartFailure) -> String? {
    guard let first = stories.first(where: { $0.api != nil }), let api = first.api else {
      return nil
    }
    for story in stories {
      guard let other = story.api, other != api else { continue }
      throw StartFailure(
        .configuration,
        "The story \(first.name) needs --api \(api), and the story \(story.name) --api \(other): "
          + "play them apart"
      )
    }
    return api
  }
}

extension Story {
  /// The stories that a word names: the one in a file, those in a folder, the built-in one of that name, or what
  /// standard input holds.
  ///
  /// - Throws: `StartFailure` if there is none, or if one cannot be read.
  fileprivate static func named(_ name: String) throws(StartFailure) -> [Story] {
    if name == "-" { return [try read("/dev/stdin", as: "standard input")] }
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: name, isDirectory: &isFolder)
    // A folder does not hide a story of its name.
    if !isThere || isFolder.boolValue {
      let builtIn = try allBuiltIn()
      if let story = builtIn.first(where: { $0.name == name }) { return [story] }
      guard isThere || name.contains("/") else {
        let names = builtIn.map(\.name).joined(separator: ", ")
        throw StartFailure(
          .configuration,
          "There is no story \(name), as a file or built in; built-in ones: \(names)"
        )
      }
    }
    guard isFolder.boolValue else { return [try read(name, as: name)] }
    return try inFolder(name)
  }

  /// The built-in stories.
  fileprivate static func allBuiltIn() throws(StartFailure) -> [Story] {
    do {
      return try builtIn()
    } catch {
      throw StartFailure(.configuration, "The story is invalid: \(error)")
    }
  }

  /// The stories of a folder in the order of their files' names, without those of folders in it.
  private static func inFolder(_ folder: String) throws(StartFailure) -> [Story] {
    let entries: [String]
    do {
      entries = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw StartFailure(
        .configuration,
        "The folder of stories cannot be read: \(folder)\(NamedFile.reason(of: error))"
      )
    }
    let names = entries.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
    guard !names.isEmpty else {
      throw StartFailure(
        .configuration,
        "There is no story in the folder \(folder): no file's name ends in .json"
      )
    }
    var stories: [Story] = []
    for name in names {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      stories.append(try read(path, as: path))
    }
    return stories
  }

  private static func read(_ path: String, as name: String) throws(StartFailure) -> Story {
    let document = try NamedFile.bytes(of: path, "The story")
    do {
      return try Story(document: document)
    } catch {
      throw StartFailure(.configuration, "The story is invalid: \(name): \(error)")
    }
  }
}
