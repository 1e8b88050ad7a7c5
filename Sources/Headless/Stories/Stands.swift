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
    let document = BuiltInFolder.templates.bytes(of: "stands.json") ?? []
    guard let file = JSONBody.decode([String: [String: [JSONValue]]].self, from: document) else {
      throw StoryFault(place: "stands.json", reason: "it is not JSON")
    }
    var walks: [String: [Story.Step]] = [:]
    for (state, steps) in file[api] ?? [:] {
      walks[state] = try steps.map { step throws(StoryFault) in
        try Story.Step(untold: step, at: state)
      }
    }
    self.walks = walks
  }

  /// The states that can be reached, by their names in the atlas.
  public var states: Set<String> { Set(walks.keys) }

  /// The walk to that state; nil where there is none.
  public func walk(to state: String) -> [Story.Step]? { walks[state] }
}
