/// What a world tells that was made for a story; those who know its form read it.
public protocol WorldStory: Sendable {
  /// As it stands in the document of an exported world.
  var json: JSON { get }
}
