internal import Foundation
internal import Headless
public import Emulators
internal import Locking
public import Pages

extension World {
  /// The walk through the story that it tells.
  var walk: StoryWalk? {
    get { story.withLock { $0 as? StoryWalk } }
    set { story.withLock { $0 = newValue } }
  }

  /// Goes on with the story where the clock has been moved as far as it tells.
  ///
  /// - Parameter before: What the clock said until then.
  func tellClockMove(from before: Date) {
    let reading = clock.reading
    story.withLock { story in
      guard var walk = story as? StoryWalk else { return }
      walk.moveClock(from: before, to: reading)
      story = walk
    }
  }

  /// Goes on with the story by what browsers are shown, and tells where it stands then.
  ///
  /// - Parameter token: Of the forms of the workbench.
  /// - Returns: What is to be told of each answer; nil for the worlds that tell no story.
  public func story(
    token: String
  ) -> (@Sendable (SeenStep) -> PageFrame.Emulation.ToldStory?)? {
    guard story.withLock({ $0 != nil }) else { return nil }
    return { seen in
      self.story.withLock { story in
        guard var walk = story as? StoryWalk else { return nil }
        walk.see(seen, at: self.clock.now)
        story = walk
        return PageFrame.Emulation.ToldStory(walk, token)
      }
    }
  }
}

extension PageFrame.Emulation.ToldStory {
  fileprivate init(_ walk: StoryWalk, _ token: String) {
    self.init(
      title: walk.story.title,
      sentence: walk.next?.say,
      done: walk.done,
      count: walk.story.steps.count,
      next: Next(walk),
      token: token
    )
  }
}

extension PageFrame.Emulation.ToldStory.Next {
  fileprivate init(_ walk: StoryWalk) {
    guard let next = walk.next else {
      self = .end
      return
    }
    switch next.action {
    case .submit(_, let form): self = .form(form, onPage: walk.page)
    case .open, .stand, .deed, nil: self = .call
    }
  }
}
