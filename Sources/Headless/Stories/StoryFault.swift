/// Why a file is not a story, in words for the person who wrote it.
public struct StoryFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where in the file, such as `steps[2].expect`; empty for the whole.
  public let place: String
  public let reason: String

  public var description: String { place.isEmpty ? reason : "'\(place)': \(reason)" }
}
