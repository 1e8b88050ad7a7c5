import ArgumentParser
import Foundation
import Headless
import HTTPExchange
import Vestibule

/// A story that was played, and how it went.
struct PlayedStory {
  enum Outcome {
    case asTold
    /// A step, counted from 1, went differently; the page that the browser was left at, in words.
    case otherwise(number: Int, say: String, differences: [String], page: String?)
    /// The world could not be prepared; refused if the story asks for something impossible.
    case notBegun(reason: String, isRefused: Bool)
  }

  var story: Story
  var outcome: Outcome
  var duration: Duration

  /// Whether it cannot be played, however often it is tried.
  fileprivate var isUnplayable: Bool {
    if case .notBegun(_, isRefused: true) = outcome { true } else { false }
  }

  fileprivate var isAsTold: Bool { if case .asTold = outcome { true } else { false } }

  /// The line that tells how it went.
  fileprivate var line: String {
    let end = "\(story.name) (\(duration.written) s)"
    return switch outcome {
    case .asTold: "passed \(end)"
    case .otherwise(let number, let say, let differences, _):
      "failed \(end): step \(number), \"\(say)\": \(differences.joined(separator: "; "))"
    case .notBegun(let reason, _): "failed \(end): the story cannot begin: \(reason)"
    }
  }
}

extension Program {
  /// - Throws: `ExitCode` 1 if a step does not go as its story tells it, 78 if a story cannot be played; others after
  ///   one clear line on standard error.
  static func play(
    _ logs: LogSettings,
    _ order: () throws(StartFailure) -> StoryOrder
  ) async throws {
    do {
      let order = try order()
      let composition = try Composition(order.configuration, logger: order.logger)
      let stage = StoryStage(
        transport: InProcessTransport(to: composition.handler),
        host: "localhost:\(order.configuration.pages?.port ?? 0)"
      )
      let begin = Date()
      let played: [PlayedStory]
      if order.stories.count == 1 {
        played = [await tell(order.stories[0], on: stage, logs)]
      } else {
        played = await tell(order.stories, on: stage)
      }
      if let path = order.report {
        let report = JUnitReport(order.api, played, begunAt: begin)
        try NamedFile.replace(path, by: report.document, "The report")
      }
      if played.contains(where: \.isUnplayable) {
        throw ExitCode(StartFailure.Kind.configuration.rawValue)
      }
      guard played.allSatisfy(\.isAsTold) else { throw ExitCode(1) }
    } catch let error as StartFailure {
      logs.complain(error)
      throw ExitCode(error.kind.rawValue)
    }
  }

  /// Tells a single story step by step.
  private static func tell(
    _ story: Story,
    on stage: StoryStage,
    _ logs: LogSettings
  ) async -> PlayedStory {
    Terminal.say(story.title)
    let played = await stage.play(story, in: nil) { index, step, outcome in
      let browser = step.browser.map { "[\($0)] " } ?? ""
      Terminal.say("\(index + 1)/\(story.steps.count) \(browser)\(step.say)")
      guard case .otherwise(let differences) = outcome else { return }
      Terminal.complain("step \(index + 1): \(differences.joined(separator: "; "))")
    }
    switch played.outcome {
    case .asTold, .otherwise(_, _, _, nil): break
    case .otherwise(_, _, _, let page?): Terminal.complain("the page is \(page)")
    case .notBegun(let reason, _): logs.complain("the story cannot begin: \(reason)")
    }
    return played
  }

  /// Tells of each story how it went, and in the end of all of them.
  private static func tell(_ stories: [Story], on stage: StoryStage) async -> [PlayedStory] {
    let start = ContinuousClock.now
    var played: [PlayedStory] = []
    for (index, story) in stories.enumerated() {
      let latest = await stage.play(story, in: "story-\(index + 1)")
      Terminal.say(Terminal.oneLine(latest.line))
      played.append(latest)
    }
    let failures = played.count { !$0.isAsTold }
    Terminal.say(
      "\(played.count) stories: \(played.count - failures) passed, \(failures) failed "
        + "(\((ContinuousClock.now - start).written) s)"
    )
    return played
  }
}

/// Pages over an emulated API, on which stories are played.
private struct StoryStage {
  let transport: InProcessTransport
  let host: String

  /// Plays a story, and drops the world that was made for it.
  ///
  /// - Parameters:
  ///   - story: The story.
  ///   - world: The name of the world; nil plays in `main`, which stays.
  ///   - report: Called after each step with its index, counted from 0, the step and its outcome.
  /// - Returns: How it went.
  func play(
    _ story: Story,
    in world: String?,
    report: (Int, Story.Step, StoryPlayer.Outcome) -> Void = { _, _, _ in }
  ) async -> PlayedStory {
    let start = ContinuousClock.now
    var outcome = PlayedStory.Outcome.asTold
    do {
      let player = StoryPlayer(over: transport, host: host, world: world)
      _ = try await player.play(story) { index, step, result in
        report(index, step, result)
        guard case .otherwise(let differences) = result else { return }
        outcome = .otherwise(
          number: index + 1,
          say: step.say,
          differences: differences,
          page: await player.browser(of: step).page?.description
        )
      }
      if let world {
        // Otherwise there would soon be as many as there may be at once.
        let backstage = TestBackstage(over: transport, host: host, world: world)
        try await backstage.send("DELETE", "worlds/\(world)")
      }
    } catch let failure as TestBackstage.Failure {
      outcome = .notBegun(reason: "\(failure)", isRefused: failure.isRefusal)
    } catch {
      outcome = .notBegun(reason: "\(error)", isRefused: false)
    }
    return PlayedStory(story: story, outcome: outcome, duration: ContinuousClock.now - start)
  }
}

extension Duration {
  /// In seconds, with three decimals.
  var written: String {
    let milliseconds = Int(self / .milliseconds(1))
    let fraction = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
