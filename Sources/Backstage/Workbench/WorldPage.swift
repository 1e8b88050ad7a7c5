internal import Emulators
internal import HTTPExchange
internal import Headless

extension WorkbenchContent {
  /// The worlds, and what is done with a whole one.
  static func world(_ context: WorkbenchContext) -> Self {
    let name = context.world.name
    let others = context.worlds.names.filter { $0 != name }
    let stories = context.worlds.ofStories(besides: name)
    let titles = Dictionary(uniqueKeysWithValues: stories.map { ($0.name, $0.walk?.story.title) })
    let ending = context.world.walk == nil ? "" : " The story that it tells ends."
    var content = Self(
      forms: [
        context.form(
          "open",
          on: .world,
          lines: [
            .line(
              "name",
              label: "Name of a world",
              hint: "Letters from a to z, digits and hyphens. A new one begins with the demo users"
            )
          ],
          button: "Open it"
        )
      ],
      questions: [
        context.question(
          "reset",
          on: .world,
          opening: "Reset \(name)…",
          words: """
            Accounts, sessions, messages, clock, faults, traces and settings become what they were \
            at the beginning.\(ending)
            """,
          button: "Reset \(name)"
        )
      ]
    )
    if name != .main {
      content.questions.append(
        context.question(
          "drop",
          on: .world,
          opening: "Drop \(name)…",
          words: "The world is deleted with everything in it.",
          button: "Drop \(name)"
        )
      )
    }
    if !others.isEmpty {
      let items = others.map { other in
        Item(
          heading: other.text,
          address: context.addresses.canLead(to: other) ? context.workbench(of: other) : nil,
          about: titles[other]?.map { .init(words: "Tells: \($0)") }
        )
      }
      content.lists = [
        List(
          heading: "Other worlds",
          items: items,
          clearing: stories.isEmpty ? nil : droppingStories(context)
        )
      ]
    }
    return content
  }

  private static func droppingStories(_ context: WorkbenchContext) -> WorkbenchQuestion {
    context.question(
      "drop-stories",
      on: .world,
      opening: "Drop all worlds of stories…",
      words: """
        Every world that tells a story is deleted with everything in it, except the one that is \
        open.
        """,
      button: "Drop all worlds of stories"
    )
  }
}
