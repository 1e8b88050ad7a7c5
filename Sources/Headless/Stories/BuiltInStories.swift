internal import Assets

extension Story {
  /// The stories that come along, by their names: one for each demo user, and others.
  ///
  /// - Throws: `StoryFault` for the first that is none.
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
