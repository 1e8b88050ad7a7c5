internal import Assets
internal import AuthFlow
internal import HTTPExchange

/// The walks to the states of the atlas, each from its beginning: stories that nobody tells.
public struct Stands: Sendable {
  private let walks: [String: [Story.Step]]

  /// Reads the walks that come along.
  ///
  /// - Parameter api: `clerk` or `entra`: the emulated API that they are walked over.
  /// - Throws: `StoryFault` for the first that is none.
  public init(over api: String) throws(StoryFault) {
    walks = try Self.walks(in: "stands.json", over: api)
  }

  /// Reads a file of walks over both APIs, each by its name.
  static func walks(
    in file: String,
    over api: String
  ) throws(StoryFault) -> [String: [Story.Step]] {
    let document = BuiltInFolder.templates.bytes(of: file) ?? []
    guard let apis = JSONBody.decode([String: [String: [JSONValue]]].self, from: document) else {
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

  /// The states that can be reached, by their names in the atlas.
  public var states: Set<String> { Set(walks.keys) }

  /// The walk to that state; nil where there is none.
  public func walk(to state: String) -> [Story.Step]? { walks[state] }
}
