/// Why a file is no story, in words for the person who wrote it.
public struct StoryFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where in the file, as `steps[2].expect`; empty for the whole.
  public let place: String
  public let reason: String

  public var description: String { place.isEmpty ? reason : "'\(place)': \(reason)" }
}
