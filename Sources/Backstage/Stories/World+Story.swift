public import Emulators
internal import Foundation
internal import HTTPExchange
internal import Headless
internal import Locking
public import Pages

extension Worlds {
  /// The worlds that tell a story, sorted by their names, but for `main` and one more.
  func ofStories(besides name: WorldName = .main) -> [World] {
    living.filter { ![.main, name].contains($0.name) && $0.walk != nil }
  }
}

extension World {
  /// The walk through the story that it tells.
  var walk: StoryWalk? { story.withLock { $0 as? StoryWalk } }

  /// Begins a walk, in place of what was told until then.
  func begin(_ walk: StoryWalk) { story.withLock { $0 = walk } }

  /// Takes the next step of a walk for done.
  ///
  /// The walk goes on as it stood before the step: what the step itself showed a browser, or did to the clock, is
  /// no other step. A world that is put in has no story, and goes on with this one; one that was put back to
  /// its seed meanwhile tells none any more.
  func pass(_ walk: StoryWalk) {
    var passed = walk
    passed.pass(at: clock.now)
    let putsInWorld = if case .deed(.world)? = walk.next?.action { true } else { false }
    story.withLock { story in
      if story != nil || putsInWorld { story = passed }
    }
  }

  /// Changes the walk as nobody else does meanwhile; nil where no story is told.
  @discardableResult
  private func changeWalk<Result>(_ change: (inout StoryWalk) -> Result) -> Result? {
    story.withLock { story in
      guard var walk = story as? StoryWalk else { return nil }
      defer { story = walk }
      return change(&walk)
    }
  }

  /// Goes on with the story where the clock has been moved as far as it tells.
  ///
  /// - Parameter before: What the clock said until then.
  func tellClockMove(from before: Date) {
    let reading = clock.reading
    changeWalk { $0.moveClock(from: before, to: reading) }
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
      self.changeWalk { walk in
        walk.see(seen, at: self.clock.now)
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
