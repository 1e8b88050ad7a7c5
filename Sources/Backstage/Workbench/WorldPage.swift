internal import Emulators
internal import HTTPExchange

extension WorkbenchContent {
  /// The worlds, and what is done with a whole one.
  static func world(_ context: WorkbenchContext) -> Self {
    let name = context.world.name
    let others = context.worlds.names.filter { $0 != name }
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
            at the beginning.
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
          words: "The world is forgotten with all that is in it.",
          button: "Drop \(name)"
        )
      )
    }
    if !others.isEmpty {
      let items = others.map { other in
        Item(
          heading: other.text,
          address: "\(context.addresses.origin(of: other))/backstage"
        )
      }
      content.lists = [List(heading: "Other worlds", items: items)]
    }
    return content
  }
}
