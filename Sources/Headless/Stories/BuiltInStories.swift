internal import Assets

extension Story {
  /// The built-in stories, sorted by name: one for each demo user, and others.
  ///
  /// - Throws: `StoryFault` for the first file that is not a story.
  public static func builtIn() throws(StoryFault) -> [Story] {
    let folder = BuiltInFolder.templates
    var stories: [Story] = []
    for name in folder.fileNames.sorted() where name.hasPrefix("stories/") {
      do throws(StoryFault) {
        stories.append(try Story(document: folder.bytes(of: name) ?? []))
      } catch {
        throw StoryFault(place: "\(name): \(error.place)", reason: error.reason)
      }
    }
    return stories
  }
}
