internal import Assets
internal import AuthFlow
internal import HTTPExchange

/// The walks to the states of the atlas, each from its beginning: stories without sentences.
public struct Stands: Sendable {
  private let walks: [String: [Story.Step]]

  /// The emulated APIs that have built-in walks, named as for `--api`.
  public static let apis: [String] = (read("stands.json") ?? [:]).keys.sorted()

  /// A file of walks, by API and by name; nil if it is malformed.
  private static func read(_ file: String) -> [String: [String: [JSONValue]]]? {
    let document = BuiltInFolder.templates.bytes(of: file) ?? []
    return JSONBody.decode([String: [String: [JSONValue]]].self, from: document)
  }

  /// Reads the built-in walks.
  ///
  /// - Parameter api: The emulated API that they are walked over, one of ``apis``.
  /// - Throws: `StoryFault` for the first walk that is malformed.
  public init(over api: String) throws(StoryFault) {
    walks = try Self.walks(in: "stands.json", over: api)
  }

  /// Reads a file's walks over one API, by name.
  static func walks(
    in file: String,
    over api: String
  ) throws(StoryFault) -> [String: [Story.Step]] {
    guard let apis = read(file) else {
      throw StoryFault(place: file, reason: "it is not JSON")
    }
    var walks: [String: [Story.Step]] = [:]
    for (name, steps) in apis[api] ?? [:] {
      walks[name] = try steps.map { step throws(StoryFault) in
        try Story.Step(untold: step, at: name)
      }
    }
    return walks
  }

  /// The reachable states, by their names in the atlas.
  public var states: Set<String> { Set(walks.keys) }

  /// The walk to that state; nil if there is none.
  public func walk(to state: String) -> [Story.Step]? { walks[state] }
}
