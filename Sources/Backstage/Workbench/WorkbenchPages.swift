internal import Emulators
internal import HTTPExchange

/// What each tool shows, and the forms that it has.
extension BackstagePages {
  /// The accounts of a world.
  ///
  /// - Parameters:
  ///   - world: Whose accounts.
  ///   - id: The account after which the page begins; the first ones where there is none of that id.
  ///   - token: Of the forms.
  /// - Returns: A page of them.
  /// - Throws: What SQLite reports.
  static func users(
    of world: World,
    after id: String?,
    _ token: String
  ) async throws -> WorkbenchContent {
    var found = try await world.accounts(after: id)
    if found == nil { found = try await world.accounts() }
    let accounts = found?.accounts ?? []
    let items = accounts.enumerated().map { index, account in
      item(account, number: index + 1, token)
    }
    var content = list(items, orElse: "There is no account in this world.")
    if found?.hasMore == true, let last = accounts.last?.id {
      let query = String(decoding: (["after": last] as Form).encoded, as: UTF8.self)
      content.further = "\(WorkbenchTool.users.path)?\(query)"
    }
    return content
  }

  private static func item(
    _ account: AccountDescription,
    number: Int,
    _ token: String
  ) -> WorkbenchContent.Item {
    let id = account.id ?? ""
    let names =
      account.emailAddresses + account.phoneNumbers + [account.username].compactMap(\.self)
    func form(_ action: String) -> WorkbenchForm {
      WorkbenchForm(
        name: "\(action)-\(number)",
        tool: .users,
        token: token,
        action: action,
        hidden: ["id": id],
        button: "\(action.prefix(1).uppercased())\(action.dropFirst()) \(names.first ?? id)"
      )
    }
    return WorkbenchContent.Item(
      heading: names.joined(separator: ", "),
      about: .init(words: id),
      details: .init(summary: "The account", text: account.json.told),
      forms: (account.locked == nil ? [] : [form("unlock")]) + [form("delete")]
    )
  }

  static func clock(of world: World, _ token: String) -> WorkbenchContent {
    let reading = world.clock.reading
    let isFrozen = reading.isFrozen
    return WorkbenchContent(
      lead: ["All times of this world follow its clock."],
      facts: reading.json.members,
      forms: [
        WorkbenchForm(
          name: "advance",
          tool: .clock,
          token: token,
          action: "advance",
          lines: [.line("advance_seconds", label: "Seconds to move it by", value: "600")],
          button: "Move the clock"
        ),
        WorkbenchForm(
          name: "set",
          tool: .clock,
          token: token,
          action: "set",
          lines: [.line("set", label: "Time to set it to", value: Timestamp.text(reading.now))],
          button: "Set the clock"
        ),
        WorkbenchForm(
          name: "freeze",
          tool: .clock,
          token: token,
          action: isFrozen ? "run" : "freeze",
          button: isFrozen ? "Let the clock run on" : "Freeze the clock"
        ),
        WorkbenchForm(
          name: "reset",
          tool: .clock,
          token: token,
          action: "reset",
          button: "Back to real time"
        ),
      ]
    )
  }

  static func faults(of world: World, _ token: String) -> WorkbenchContent {
    let all = world.faults.all
    let items = all.map { fault in
      WorkbenchContent.Item(
        heading: fault.id,
        details: .init(summary: "The fault", text: fault.json.shown),
        forms: [
          WorkbenchForm(
            name: "delete-\(fault.id)",
            tool: .faults,
            token: token,
            action: "delete",
            hidden: ["id": fault.id],
            button: "Delete \(fault.id)"
          )
        ]
      )
    }
    var content = list(items, orElse: "No fault is set.")
    content.lead.insert("Calls to the emulated API fail here as they might elsewhere.", at: 0)
    content.forms = [
      WorkbenchForm(
        name: "add",
        tool: .faults,
        token: token,
        action: "add",
        lines: [
          .line("method", label: "Method (empty: any)", value: "POST"),
          .line("path", label: "Path on the wire, * for one segment (empty: any)"),
          .line("times", label: "How many calls (empty: until it is deleted)", value: "1"),
          .choice(
            "fault",
            label: "What happens",
            among: Fault.Failure.allCases.map(\.rawValue)
          ),
        ],
        button: "Add the fault"
      )
    ]
    if !all.isEmpty { content.forms.append(clearing(.faults, token)) }
    return content
  }

  static func traces(of world: World, _ token: String) -> WorkbenchContent {
    let all = world.traces.all
    let items = all.map { trace in
      let calls = trace.calls.map { call in
        "\(call.method) \(call.target) → \(call.json["status"]?.shown ?? "none")\n\(call.curl)"
      }
      return WorkbenchContent.Item(
        heading: trace.page.map { "\($0.method) \($0.path)" } ?? "A call of another client",
        about: .init(words: Timestamp.text(trace.startedAt)),
        details: .init(
          summary: "\(calls.count) API calls",
          text: calls.joined(separator: "\n\n")
        )
      )
    }
    var content = list(items, orElse: "No call has been made yet.")
    if !all.isEmpty { content.forms = [clearing(.traces, token)] }
    return content
  }

  static func settings(of world: World, _ token: String) -> WorkbenchContent {
    WorkbenchContent(
      lead: ["How the emulated instance is set up."],
      forms: [
        WorkbenchForm(
          name: "change",
          tool: .settings,
          token: token,
          action: "change",
          lines: .settings(world.settings),
          button: "Change the settings"
        ),
        WorkbenchForm(
          name: "reset",
          tool: .settings,
          token: token,
          action: "reset",
          button: "Put this world back to its beginning"
        ),
      ]
    )
  }

  private static func clearing(_ tool: WorkbenchTool, _ token: String) -> WorkbenchForm {
    WorkbenchForm(
      name: "clear",
      tool: tool,
      token: token,
      action: "clear",
      button: "Delete all \(tool.rawValue)"
    )
  }

  private static func list(
    _ items: [WorkbenchContent.Item],
    orElse words: String
  ) -> WorkbenchContent {
    items.isEmpty ? WorkbenchContent(lead: [words]) : WorkbenchContent(lists: [.init(items: items)])
  }
}

extension JSON {
  fileprivate var members: [Member] {
    guard case .object(let members) = self else { return [] }
    return members
  }

  /// The members that say something, one a line.
  fileprivate var told: String {
    members.compactMap { member in
      guard ![.null, .bool(false), .array([]), "ok"].contains(member.value) else { return nil }
      return "\(member.name): \(member.value.shown)"
    }.joined(separator: "\n")
  }

  /// As it would be typed: a text without its quotes.
  var shown: String { string ?? String(decoding: encoded, as: UTF8.self) }
}
