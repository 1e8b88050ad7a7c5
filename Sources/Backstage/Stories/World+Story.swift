public import Emulators
internal import Foundation
internal import HTTPExchange
internal import Headless
internal import Locking
public import Pages

extension Worlds {
  /// The worlds that tell a story, sorted by name, except `main` and one more.
  func ofStories(besides name: WorldName = .main) -> [World] {
    living.filter { ![.main, name].contains($0.name) && $0.walk != nil }
  }
}

extension World {
  /// The walk through the world's story.
  var walk: StoryWalk? { story.withLock { $0 as? StoryWalk } }

  /// Begins a walk, replacing the story told so far.
  func begin(_ walk: StoryWalk) { story.withLock { $0 = walk } }

  /// Counts the step that is next in a walk as done, now that it has been taken.
  ///
  /// If it counts already, by its own move of the clock or by what browsers were shown meanwhile,
  /// the story stays where it is by now. An imported world has no story, and continues with this
  /// one; a world that was reset meanwhile tells none any more.
  ///
  /// - Parameter walk: The walk before the step was taken.
  func pass(_ walk: StoryWalk) {
    let now = clock.now
    let putsInWorld = if case .deed(.world)? = walk.next?.action { true } else { false }
    story.withLock { story in
      let told: StoryWalk? = putsInWorld ? walk : story as? StoryWalk
      guard var passed = told, passed.done == walk.done,
        passed.story.document == walk.story.document
      else { return }
      passed.pass(at: now)
      story = passed
    }
  }

  /// Changes the walk under its lock; nil if no story is told.
  @discardableResult
  private func changeWalk<Result>(_ change: (inout StoryWalk) -> Result) -> Result? {
    story.withLock { story in
      guard var walk = story as? StoryWalk else { return nil }
      defer { story = walk }
      return change(&walk)
    }
  }

  /// Advances the story if the clock has been moved as far as it tells.
  ///
  /// - Parameter before: The time before the move.
  func tellClockMove(from before: Date) {
    let reading = clock.reading
    changeWalk { $0.moveClock(from: before, to: reading) }
  }

  /// Notes whether the bar is taking the next step in another browser.
  func turnAside(_ isAside: Bool) { changeWalk { $0.turnAside(isAside) } }

  /// Notes that the next step could not be taken in its browser.
  func stray() { changeWalk { $0.stray() } }

  /// Notes that the bar below the pages sends the form of a step, or opens its page.
  func press(_ step: Int) { changeWalk { $0.press(step) } }

  /// Advances the story by what browsers are shown, and describes where it is.
  ///
  /// - Parameter token: The token of the workbench's forms.
  /// - Returns: Describes the story for each response; nil for worlds that tell no story.
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
      browser: walk.next?.browser,
      sentence: walk.next?.say,
      done: walk.done,
      count: walk.story.steps.count,
      next: Next(walk),
      token: token,
      isAstray: walk.isAstray
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
    case _ where next.browser != nil: self = .call
    case .submit(_, let form): self = .form(form, onPage: walk.page)
    case .open, .stand, .deed, nil: self = .call
    }
  }
}
