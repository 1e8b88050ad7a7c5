internal import AuthFlow
internal import Emulators
internal import Foundation
internal import Headless
internal import Pages

/// It advances by the pages that browsers are shown, whether the person or the bar below the pages
/// filled in the form.
struct StoryWalk: WorldStory {
  let story: Story
  /// The browsers of the steps that name one, as far as the bar has taken such steps.
  let others: OtherBrowsers
  /// How many steps are done.
  private(set) var done: Int
  /// The page on which the next step is taken; nil if no browser has been brought there.
  private(set) var page: String?
  /// Whether the next page that is shown is where the walk already stands, rather than a step.
  private var isArriving: Bool
  /// When the previous step was done, by the world's clock; nil if that was not observed.
  private var began: Date?
  /// How the browser requested a page that it has not been shown yet.
  private var way: SeenStep.Way?
  /// Whether the bar has sent the form of the next step or opened its page, and no page has been
  /// shown since.
  private var isPressed = false
  /// Whether what the bar did for the next step led to something else than the story tells.
  private(set) var isAstray = false
  /// Whether the bar is taking the next step in another browser, whose pages are not the way on.
  private var isAside = false

  /// - Parameters:
  ///   - story: The story.
  ///   - done: The number of steps already done.
  ///   - now: The world's time now.
  ///   - others: The browsers of the steps that name one.
  init(
    _ story: Story,
    done: Int = 0,
    at now: Date,
    others: OtherBrowsers = OtherBrowsers()
  ) {
    self.story = story
    self.others = others
    self.done = done
    isArriving = true
    began = now
  }

  /// The step that is next; nil at the end.
  var next: Story.Step? { done < story.steps.count ? story.steps[done] : nil }

  /// Counts the next step as done, since it happens beside the pages of this browser.
  mutating func pass(at now: Date) {
    done += 1
    isArriving = true
    began = now
    (isPressed, isAstray, isAside) = (false, false, false)
  }

  /// Says whether the bar is taking the next step in another browser.
  mutating func turnAside(_ isAside: Bool) { self.isAside = isAside }

  /// Notes that the next step could not be taken in its browser.
  mutating func stray() { isAstray = true }

  /// Whether the next step's browser has taken earlier steps, and the bar has not brought it along:
  /// it was taken over from an export.
  var isBrowserLeftBehind: Bool {
    get async {
      guard let name = next?.browser, story.steps[..<done].contains(where: { $0.browser == name })
      else { return false }
      return await !others.has(name)
    }
  }

  /// Notes that the bar sends the form of a step, or opens its page.
  ///
  /// One that is sent from an old page is not the next step's.
  mutating func press(_ step: Int) {
    if step == done { isPressed = true }
  }

  /// Advances if the next step moves the clock, and somebody has moved it that far.
  ///
  /// - Parameters:
  ///   - before: The time before the move.
  ///   - reading: The clock after the move.
  mutating func moveClock(from before: Date, to reading: WorldClock.Reading) {
    guard case .deed(.clock)? = next?.action,
      let move = document(ofStep: done)?["clock"],
      reading.hasReached(move, since: began ?? before)
    else { return }
    pass(at: reading.now)
  }

  /// Advances if the request is the next step.
  mutating func see(_ seen: SeenStep, at now: Date) {
    if isAside { return }
    let way = way ?? seen.way
    guard let page = seen.page else {
      self.way = way
      return
    }
    self.way = nil
    defer { isPressed = false }
    if isArriving {
      isArriving = false
      self.page = page
      return
    }
    guard let step = candidates.first(where: { isDone(story.steps[$0], by: seen, way) }) else {
      if isPressed, isAnswer(way) { isAstray = true }
      return
    }
    done = step + 1
    isAstray = false
    began = now
    self.page = page
  }

  /// The steps that may be taken now: a browser that is already at a page may skip the step that
  /// opens it.
  ///
  /// No page completes a step that names a browser: whose page it is cannot be told, and only the
  /// bar's own browser of that name can take the later ones.
  private var candidates: Range<Int> {
    guard let next, next.browser == nil else { return done..<done }
    guard case .open? = next.action, let page, page == next.expectation.page ?? page,
      done + 1 < story.steps.count, story.steps[done + 1].browser == nil
    else {
      return done..<(done + 1)
    }
    return done..<(done + 2)
  }

  /// Whether a page that was requested so can be what the bar's button for the next step led to.
  private func isAnswer(_ way: SeenStep.Way) -> Bool {
    switch (next?.action, way) {
    case (.submit, .posted), (.open, .opened): true
    case (.submit, _), (.open, _), (.stand, _), (.deed, _), (nil, _): false
    }
  }

  private func isDone(_ step: Story.Step, by seen: SeenStep, _ way: SeenStep.Way) -> Bool {
    switch (step.action, way) {
    case (.open(.path(let path)), .opened(let opened, _)):
      path.prefix { $0 != "?" } == opened && step.expectation.isMet(by: seen)
    case (.open(.link), .opened(_, let hasQuery)): hasQuery && step.expectation.isMet(by: seen)
    case (.stand, .opened):
      // The walk there is done for the browser; only the page shows that it has arrived.
      step.expectation.page != nil && step.expectation.isMet(by: seen)
    case (.submit, .posted):
      // A refusal counts as a step only if the story tells it.
      (step.expectation.isAboutRefusals || seen.status < 400 || seen.page != page)
        && step.expectation.isMet(by: seen)
    case (.open, _), (.submit, _), (.stand, _), (.deed, _), (nil, _): false
    }
  }
}

extension WorldClock.Reading {
  /// Whether the clock is at or beyond the target of a move, the body of a `POST clock`.
  fileprivate func hasReached(_ move: JSON, since began: Date) -> Bool {
    if let seconds = move["advance_seconds"]?.double {
      let passed = now.timeIntervalSince(began)
      return seconds < 0 ? passed <= seconds : passed >= seconds
    }
    if let date = move["set"]?.string.flatMap(Timestamp.date) {
      return date < began ? now <= date : now >= date
    }
    if let freeze = move["freeze"]?.bool { return isFrozen == freeze }
    // Only `reset` is left: the clock should be the machine's.
    return !isFrozen && abs(offset) < 1
  }
}

extension Story.Expectation {
  var isAboutRefusals: Bool { status != nil || errors != nil || !fieldErrors.isEmpty }

  /// Whether a browser was shown what the story expects, as far as the bar can see: page, step,
  /// status and codes.
  fileprivate func isMet(by seen: SeenStep) -> Bool {
    (page ?? seen.page) == seen.page && (step ?? seen.step) == seen.step
      && (status ?? seen.status) == seen.status && (errors ?? seen.errors) == seen.errors
      && (notices ?? seen.notices) == seen.notices
      && fieldErrors.allSatisfy { seen.fieldErrors[$0.key, default: []] == $0.value }
  }
}

// MARK: - In a document

extension StoryWalk {
  var json: JSON {
    ["document": JSON(decoding: story.document) ?? .null, "done": .integer(Int64(done))]
  }

  /// A step as written in the story's file.
  func document(ofStep step: Int) -> JSON? {
    JSON(decoding: story.document)?["steps"]?[step]
  }

  /// Reads the story of an exported world; no browser stands there yet.
  ///
  /// - Throws: `BackstageRefusal` if it is not a story, or not one over that API.
  init?(_ json: JSON, over api: EmulatedAPI) throws(BackstageRefusal) {
    guard json != .null else { return nil }
    let story = try Story(json["document"] ?? .null, over: api)
    guard let done = json["done"]?.integer, (0...Int64(story.steps.count)).contains(done) else {
      throw .invalid("'story.done' is not one of its steps.")
    }
    self.story = story
    others = OtherBrowsers()
    self.done = Int(done)
    isArriving = false
  }
}

extension Story {
  /// Reads a story from JSON.
  ///
  /// - Throws: `BackstageRefusal` if it is not a story, or not one over that API.
  init(_ json: JSON, over api: EmulatedAPI) throws(BackstageRefusal) {
    do throws(StoryFault) {
      try self.init(document: json.encoded)
    } catch {
      throw .invalid("This is not a story: \(error).", at: "document", "\(error)")
    }
    guard self.isTold(over: api) else {
      throw .invalid("This story needs another API: \(self.api ?? "").")
    }
  }

  func isTold(over api: EmulatedAPI) -> Bool { self.api.map { $0 == api.rawValue } ?? true }

  /// The path of the page that it begins with.
  var firstPath: String {
    if let first = steps.first, first.browser == nil, case .open(.path(let path))? = first.action {
      return path
    }
    return Address.signIn.path
  }

  var json: JSON {
    [
      "name": .string(name), "title": .string(title), "summary": .string(summary),
      "api": .optional(api), "steps": .array(steps.map { .string($0.say) }),
    ]
  }
}
