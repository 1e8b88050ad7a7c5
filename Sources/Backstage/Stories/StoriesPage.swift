internal import Emulators
internal import Foundation
internal import Headless
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

/// The stories, each with a button that begins it, and the one that this world tells.
struct StoriesPage {
  var stories: [Story]
  /// The name of the one that is looked for, as a link may say; nil for all.
  var chosen: String?
  /// Why all are listed instead of the one that is looked for; nil if that one is listed.
  var refusal: BackstageRefusal?
  let context: WorkbenchContext

  init(_ context: WorkbenchContext, _ stories: Stories?) throws {
    self.context = context
    let all = try stories?.all() ?? []
    self.stories = all
    guard context.request.method == .get, let name = context.request.queryParameters["story"] else {
      return
    }
    let found = all.filter { $0.name == name }
    if found.isEmpty {
      refusal = try Self.refusal(of: name)
    } else {
      (self.stories, chosen) = (found, name)
    }
  }

  /// Says over which API a story is told that this one does not tell.
  private static func refusal(of name: String) throws -> BackstageRefusal {
    guard let story = try Story.builtIn().first(where: { $0.name == name }), let api = story.api
    else { return BackstageRefusal(.notFound, "There is no story '\(name.prefix(100))'.") }
    return BackstageRefusal(
      .notFound,
      "“\(story.title)” is told only with \(api.capitalized). These are told here."
    )
  }

  /// The form that begins a story that somebody has written; its template has several lines for
  /// the text.
  var own: WorkbenchForm {
    context.form(
      "own",
      on: .stories,
      action: "begin",
      lines: [.line("document", label: "A story of your own", hint: "Its file, as JSON")],
      button: "Begin it",
      weight: .quiet
    )
  }

  var json: JSON {
    ["stories": .array(stories.map(\.json)), "told": context.world.walk?.json ?? .null]
  }
}

extension WorkbenchContent {
  /// The stories: the one that is looked for, or all with the reason why it is missing.
  static func stories(_ page: StoriesPage) -> Self { Self(refusal: page.refusal, stories: page) }
}

/// What `backstage/stories` asks for.
struct StoriesView: TemplateView {
  enum Name: String, CaseIterable { case told, chosen, cards, own }

  let page: StoriesPage

  static func word(for name: Name) -> Word<Self> {
    switch name {
    case .told: .view { view in view.page.context.world.walk.map { Told($0, view.page.context) } }
    case .chosen: .flag { $0.page.chosen != nil }
    case .cards: .each { view in view.page.stories.map { Card($0, view.page.context) } }
    case .own: .view { $0.page.own.view }
    }
  }

  /// The story of this world.
  struct Told: TemplateView {
    enum Name: String, CaseIterable { case title, place, standing, anew }

    let walk: StoryWalk
    let context: WorkbenchContext

    init(_ walk: StoryWalk, _ context: WorkbenchContext) {
      (self.walk, self.context) = (walk, context)
    }

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .title: .text(\.walk.story.title)
      case .place:
        .text { "\($0.walk.done) of \($0.walk.story.steps.count) steps are done." }
      case .standing:
        .view { $0.move("go-on", to: $0.walk.done, "Begin anew, up to there", .primary) }
      case .anew: .view { $0.move("anew", to: 0, "Begin anew", .quiet) }
      }
    }

    private func move(
      _ name: String,
      to step: Int,
      _ words: String,
      _ weight: Pages.Form.Weight
    ) -> FormView {
      context.form(
        name,
        on: .stories,
        action: "stand",
        hidden: ["step": String(step)],
        button: words,
        weight: weight
      ).view
    }
  }

  struct Card: TemplateView {
    enum Name: String, CaseIterable { case id, title, summary, count, steps, form }

    let story: Story
    let context: WorkbenchContext

    init(_ story: Story, _ context: WorkbenchContext) {
      (self.story, self.context) = (story, context)
    }

    static func word(for name: Name) -> Word<Self> {
      switch name {
      case .id: .text(\.story.name)
      case .title: .text(\.story.title)
      case .summary: .text(\.story.summary)
      case .count: .text { $0.story.steps.count == 1 ? "1 step" : "\($0.story.steps.count) steps" }
      case .steps: .each { $0.story.steps.map { WorkbenchView.Paragraph(words: $0.say) } }
      case .form: .view(\.form)
      }
    }

    private var form: FormView {
      context.form(
        "begin-\(story.name)",
        on: .stories,
        action: "begin",
        hidden: ["id": story.name],
        button: "Begin",
        weight: .quiet,
        describedBy: "\(story.name)-title"
      ).view
    }
  }
}
