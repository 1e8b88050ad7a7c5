internal import Emulators
internal import HTTPExchange
internal import HTTPTypes
internal import Pages

extension WorkbenchContent {
  /// The active faults, and forms to add others.
  static func faults(_ context: WorkbenchContext) -> Self {
    let all = context.world.faults.all
    var content = Self(lists: all.isEmpty ? [] : [waiting(all, context)])
    if all.isEmpty { content.lead = ["Nothing goes wrong now."] }
    let tiles = FaultTile.all(behind: context.worlds.api).map { tile in
      WorkbenchTile(
        title: tile.title,
        words: tile.words,
        form: context.form(
          tile.name,
          on: .faults,
          action: "rehearse",
          hidden: ["id": tile.name],
          button: "Let it happen",
          weight: .quiet
        )
      )
    }
    content.groups = [WorkbenchGroup(heading: "One press", tiles: tiles)]
    content.groups.append(
      WorkbenchGroup(heading: "An error by its name", forms: [byName(context)])
    )
    content.groups.append(
      WorkbenchGroup(heading: "Any other", forms: [other(context)], isWide: true)
    )
    return content
  }

  private static func waiting(_ faults: [Fault], _ context: WorkbenchContext) -> List {
    List(
      heading: "What goes wrong now",
      items: faults.map { fault in
        Item(
          heading: fault.words,
          about: .init(words: "\(fault.reach) · \(fault.left(context))"),
          details: .init(summary: "As JSON", text: fault.json.shown),
          forms: [
            context.form(
              "delete-\(fault.id)",
              on: .faults,
              action: "delete",
              hidden: ["id": fault.id],
              button: "Remove"
            )
          ]
        )
      },
      clearing: clearing(.faults, context)
    )
  }

  private static func byName(_ context: WorkbenchContext) -> WorkbenchForm {
    context.form(
      "error",
      on: .faults,
      lines: [
        .choice(
          "code",
          label: "Error of the API",
          among: KnownError.all(behind: context.worlds.api).map { ($0.id, $0.id) },
          hint: "The next change is refused with it."
        )
      ],
      button: "Let it happen"
    )
  }

  private static func other(_ context: WorkbenchContext) -> WorkbenchForm {
    context.form(
      "add",
      on: .faults,
      lines: [
        .choice(
          "fault",
          label: "What happens",
          among: Fault.Failure.allCases.map { ($0.rawValue, $0.words) }
        ),
        .line("match.method", label: "Method", value: "POST", hint: "Empty: any"),
        .line("match.path", label: "Path on the wire", hint: "With * for one segment. Empty: any"),
        .line(
          "times",
          label: "Number of calls",
          value: "1",
          hint: "Empty: any number",
          inputMode: "numeric"
        ),
        .line(
          "seconds",
          label: "For how many seconds",
          hint: "By the world's clock. Empty: until it is removed",
          inputMode: "numeric"
        ),
      ],
      button: "Add the fault"
    )
  }
}

extension Fault {
  /// What happens, in words.
  fileprivate var words: String {
    let late = delayMilliseconds > 0 ? " after \(delayMilliseconds) ms" : ""
    switch effect {
    case .none: return "Answered\(late)"
    case .failure(let failure): return failure.words + late
    case .answer(let response):
      let name = JSON(decoding: response.body)?.errorName
      return "Answered \(response.status.code)\(name.map { ", \($0)" } ?? "")\(late)"
    }
  }

  /// The calls that it applies to.
  fileprivate var reach: String {
    let method = match.method?.rawValue ?? "any method"
    return "\(method), \(match.path ?? "any path")"
  }

  /// The calls and the time that are left.
  fileprivate func left(_ context: WorkbenchContext) -> String {
    let calls: String? =
      switch timesLeft {
      case nil: nil
      case 1: "one more call"
      case .some(let count): "\(count) more calls"
      }
    let end = endsAt.map { "until \(context.moments.clock($0))" }
    let left = [calls, end].compactMap(\.self).joined(separator: ", ")
    return left.isEmpty ? "until it is removed" : left
  }
}

extension JSON {
  /// The error that an answer reports, as the pages call it: Clerk's code, or Entra's `error` or
  /// `error/suberror`.
  fileprivate var errorName: String? {
    if let code = self["errors"]?[0]?["code"]?.string { return code }
    return self["error"]?.string.map { error in
      [error, self["suberror"]?.string].compactMap(\.self).joined(separator: "/")
    }
  }
}

extension Fault.Failure {
  fileprivate var words: String {
    switch self {
    case .refused: "Nobody answers"
    case .reset: "The connection breaks"
    case .timeout: "No answer in time"
    case .truncated: "Half an answer"
    case .empty: "An empty answer"
    case .huge: "An answer that is too large"
    case .notJSON: "Text that is not JSON"
    case .htmlError: "500 with an HTML page"
    }
  }
}
