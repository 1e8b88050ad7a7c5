internal import Emulators
internal import HTTPExchange
internal import Pages

/// The content of tools, and the forms that they share.
extension WorkbenchContent {
  static func clock(_ context: WorkbenchContext) -> Self {
    let reading = context.world.clock.reading
    let offset = Int(reading.offset.rounded())
    let distance = context.moments.length(of: abs(offset))
    return Self(
      facts: [
        Fact(name: "It is", value: context.moments.inFull(reading.now)),
        Fact(
          name: "Against real time",
          value: offset == 0 ? "the same" : "\(distance) \(offset > 0 ? "ahead" : "behind")"
        ),
        Fact(name: "It", value: reading.isFrozen ? "is frozen" : "runs"),
      ],
      forms: [
        context.form(
          "advance",
          on: .clock,
          lines: [
            .line(
              "advance_seconds",
              label: "Seconds to move it by",
              value: "600",
              hint: "A negative number moves it back",
              inputMode: "numeric"
            )
          ],
          button: "Move the clock"
        ),
        context.form(
          "set",
          on: .clock,
          lines: [
            .line(
              "set",
              label: "Time to set it to",
              value: Timestamp.inSeconds(reading.now),
              hint: "In UTC, as 2026-11-21T14:35:00Z"
            )
          ],
          button: "Set the clock"
        ),
        context.form("reset", on: .clock, button: "Back to real time"),
      ]
    )
  }

  /// The inbox, with the reason why the message that is looked for is not opened.
  static func inbox(_ inbox: Inbox) -> Self { Self(refusal: inbox.refusal, inbox: inbox) }

  /// The visits, with the reason why the one that is looked for is not opened.
  static func traces(_ page: TracesPage) -> Self { Self(refusal: page.refusal, traces: page) }

  static func clearing(
    _ tool: WorkbenchTool,
    _ context: WorkbenchContext
  ) -> WorkbenchQuestion {
    context.question(
      "clear",
      on: tool,
      opening: "Delete all \(tool.rawValue)…",
      words: "None of them can be brought back.",
      button: "Delete all \(tool.rawValue)"
    )
  }
}

extension JSON {
  /// The value as it would be typed: a text without quotes.
  var shown: String { string ?? String(decoding: encoded, as: UTF8.self) }
}
