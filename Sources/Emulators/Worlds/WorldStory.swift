/// The story of a world that was made for one, read by the code that knows its format.
public protocol WorldStory: Sendable {
  /// The story as an exported world has it.
  var json: JSON { get }
}
