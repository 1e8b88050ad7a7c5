/// What backstage remembers beside the worlds.
///
/// It is handed to the backstage that takes its place when files are read again. A stand then still
/// undoes the settings of the one before, work in a world still takes turns, and notices still
/// reach the browsers that they wait for.
public struct BackstageMemory: Sendable {
  let standChanges = StandChanges()
  /// The turns of stories in their worlds.
  let storyTurns = Turns()
  let notices = NoticeStore()

  public init() {}
}
