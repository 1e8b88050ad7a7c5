internal import Emulators
internal import Foundation
internal import HTTPExchange
internal import Pages

/// The frame around the content of every page, when a world is open.
struct WorkbenchFrame {
  var context: WorkbenchContext
  var counts: [WorkbenchTool: Int]
  /// The number of recorded steps of this browser's walk; nil if it is not being recorded.
  var recordedSteps: Int?
  /// The notice of the form that led here.
  var notice: WorkbenchNotice?

  /// - Throws: What SQLite reports.
  init(
    _ context: WorkbenchContext,
    notice: WorkbenchNotice?,
    recordings: Recordings?
  ) async throws {
    self.context = context
    self.notice = notice
    recordedSteps = recordings?.stepCount(of: context.request, in: context.world.name)
    let world = context.world
    counts = [
      .inbox: try await world.outbox.count(), .users: try await world.accountCount(),
      .faults: world.faults.all.count, .traces: world.traces.count, .atlas: Atlas.names.count,
    ]
  }
}

/// What `backstage/bar` asks for.
struct FrameView: TemplateView {
  enum Name: String, CaseIterable {
    case world, worlds, allWorlds, token, here, page, moment, time, frozen, freezeFocus, steps
    case notice, exporting
  }

  /// The seconds by which one press moves the clock.
  static let steps = [(60, "+1 min"), (600, "+10 min"), (3600, "+1 h"), (86_400, "+1 day")]
  /// The largest number of worlds in the menu.
  private static let worldLimit = 8

  let frame: WorkbenchFrame
  private var context: WorkbenchContext { frame.context }
  private var reading: WorldClock.Reading { context.world.clock.reading }

  init(frame: WorkbenchFrame) { self.frame = frame }

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .world: .text { $0.context.world.name.text }
    case .worlds:
      .each { view in view.worlds.prefix(worldLimit).map { WorldView($0, view.context) } }
    case .allWorlds: .text { $0.worlds.count > worldLimit ? "All \($0.worlds.count) worlds" : nil }
    case .token: .text { $0.context.token }
    case .here: .text { $0.context.here }
    case .page: .text { $0.context.standing.first ?? "/" }
    case .moment: .text { Timestamp.text($0.reading.now) }
    case .time: .text { $0.context.moments.inFull($0.reading.now) }
    case .frozen: .flag { $0.reading.isFrozen }
    case .freezeFocus: .flag { $0.frame.notice?.pressed == ClockButton.freeze }
    case .steps:
      .each { view -> [StepView] in
        let pressed = view.frame.notice?.pressed
        return steps.map { seconds, label in
          let isPressed = pressed == ClockButton.step(seconds: seconds)
          return StepView(seconds: seconds, label: label, isPressed: isPressed)
        }
      }
    case .notice: .view { $0.frame.notice.map(NoticeView.init) }
    case .exporting: .text { _ in BackstagePages.exportPath }
    }
  }

  /// First `main` and the open world, then named worlds, then the many worlds of stories.
  private var worlds: [WorldName] {
    let stories = Set(context.worlds.ofStories().map(\.name))
    let present: [WorldName] = context.world.name == .main ? [.main] : [.main, context.world.name]
    let others = context.worlds.names.filter {
      !present.contains($0) && context.addresses.canLead(to: $0)
    }
    return present + others.filter { !stories.contains($0) } + others.filter(stories.contains)
  }

  struct StepView: TemplateView {
    enum Name: String, CaseIterable { case seconds, label, focus }

    let seconds: Int
    let label: String
    let isPressed: Bool

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .seconds: .text { String($0.seconds) }
      case .label: .text(\.label)
      case .focus: .flag(\.isPressed)
      }
    }
  }

  struct WorldView: TemplateView {
    enum Name: String, CaseIterable { case name, address, current }

    let name: WorldName
    let context: WorkbenchContext

    init(_ name: WorldName, _ context: WorkbenchContext) {
      (self.name, self.context) = (name, context)
    }

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .name: .text { $0.name.text }
      case .address: .text { $0.context.workbench(of: $0.name) }
      case .current: .flag { $0.name == $0.context.world.name }
      }
    }
  }
}
