internal import HTTPExchange
internal import Emulators

/// What each tool shows, and the forms that it has.
extension Workbench {
  /// - Parameters:
  ///   - world: Whose accounts.
  ///   - id: The account after which the page begins; the first ones where there is none of that id.
  ///   - token: Of the forms.
  /// - Returns: Markup.
  /// - Throws: What SQLite reports.
  static func users(of world: World, after id: String?, _ token: String) async throws -> String {
    var found = try await world.accounts(after: id)
    if found == nil { found = try await world.accounts() }
    let accounts = found?.accounts ?? []
    let items = accounts.enumerated().map { index, account in
      let id = account.id ?? ""
      let names =
        account.emailAddresses + account.phoneNumbers + [account.username].compactMap(\.self)
      var forms: [WorkbenchForm] = []
      if account.locked != nil {
        forms.append(
          WorkbenchForm(
            name: "unlock-\(index + 1)",
            tool: .users,
            action: "unlock",
            hidden: ["id": id],
            button: "Unlock \(names.first ?? id)"
          )
        )
      }
      forms.append(
        WorkbenchForm(
          name: "delete-\(index + 1)",
          tool: .users,
          action: "delete",
          hidden: ["id": id],
          button: "Delete \(names.first ?? id)"
        )
      )
      return item(
        names.joined(separator: ", "),
        about: id,
        details: ("The account", account.json.told),
        forms,
        token
      )
    }
    let more =
      found?.hasMore == true
      ? accounts.last?.id.map { id in
        let query = String(decoding: (["after": id] as Form).encoded, as: UTF8.self)
        return "<p><a href=\"\(Tool.users.path)?\(HTMLText.escaped(query))\">Further users</a></p>"
      } ?? "" : ""
    return list(items, orElse: "There is no account in this world.") + more
  }

  static func clock(of world: World, _ token: String) -> String {
    let reading = world.clock.reading
    let isFrozen = reading.isFrozen
    let forms = [
      WorkbenchForm(
        name: "advance",
        tool: .clock,
        action: "advance",
        lines: [.init(name: "advance_seconds", label: "Seconds to move it by", value: "600")],
        button: "Move the clock"
      ),
      WorkbenchForm(
        name: "set",
        tool: .clock,
        action: "set",
        lines: [.init(name: "set", label: "Time to set it to", value: Timestamp.text(reading.now))],
        button: "Set the clock"
      ),
      WorkbenchForm(
        name: "freeze",
        tool: .clock,
        action: isFrozen ? "run" : "freeze",
        button: isFrozen ? "Let the clock run on" : "Freeze the clock"
      ),
      WorkbenchForm(name: "reset", tool: .clock, action: "reset", button: "Back to real time"),
    ]
    return """
      <p class="lead">All times of this world follow its clock.</p>
      \(facts(of: reading.json))
      \(html(of: forms, token))
      """
  }

  static func faults(of world: World, _ token: String) -> String {
    let add = WorkbenchForm(
      name: "add",
      tool: .faults,
      action: "add",
      lines: [
        .init(name: "method", label: "Method (empty: any)", value: "POST"),
        .init(name: "path", label: "Path on the wire, * for one segment (empty: any)"),
        .init(name: "times", label: "How many calls (empty: until it is deleted)", value: "1"),
        .init(
          name: "fault",
          label: "What happens",
          choices: Fault.Failure.allCases.map(\.rawValue)
        ),
      ],
      button: "Add the fault"
    )
    let clear = WorkbenchForm(
      name: "clear",
      tool: .faults,
      action: "clear",
      button: "Delete all faults"
    )
    let all = world.faults.all
    let items = all.map { fault in
      let delete = WorkbenchForm(
        name: "delete-\(fault.id)",
        tool: .faults,
        action: "delete",
        hidden: ["id": fault.id],
        button: "Delete \(fault.id)"
      )
      return item(fault.id, about: nil, details: ("The fault", fault.json.shown), [delete], token)
    }
    return """
      <p class="lead">Calls to the emulated API fail here as they might elsewhere.</p>
      \(list(items, orElse: "No fault is set."))
      \(html(of: all.isEmpty ? [add] : [add, clear], token))
      """
  }

  static func traces(of world: World, _ token: String) -> String {
    let clear = WorkbenchForm(
      name: "clear",
      tool: .traces,
      action: "clear",
      button: "Delete all traces"
    )
    let all = world.traces.all
    let items = all.map { trace in
      let page = trace.page.map { "\($0.method) \($0.path)" } ?? "A call of another client"
      let calls = trace.calls.map { call in
        let json = call.json
        return "\(call.method) \(call.target) → \(json["status"]?.shown ?? "none")\n\(call.curl)"
      }
      return item(
        page,
        about: Timestamp.text(trace.startedAt),
        details: ("\(calls.count) API calls", calls.joined(separator: "\n\n")),
        [],
        token
      )
    }
    return list(items, orElse: "No call has been made yet.")
      + (all.isEmpty ? "" : html(of: [clear], token))
  }

  static func settings(of world: World, _ token: String) -> String {
    let json = world.settings.json
    let forms = [
      WorkbenchForm(
        name: "change",
        tool: .settings,
        action: "change",
        lines: [
          .init(name: "name", label: "Setting", choices: json.memberNames),
          .init(name: "value", label: "Its new value: a word, a number, true, false, or JSON"),
        ],
        button: "Change the setting"
      ),
      WorkbenchForm(
        name: "reset",
        tool: .settings,
        action: "reset",
        button: "Put this world back to its beginning"
      ),
    ]
    return """
      <p class="lead">How the emulated instance is set up.</p>
      \(facts(of: json))
      \(html(of: forms, token))
      """
  }
}

// MARK: - Pieces

extension Workbench {
  private static func item(
    _ heading: String,
    about: String?,
    details: (summary: String, text: String),
    _ forms: [WorkbenchForm],
    _ token: String
  ) -> String {
    let about = about.map { "<p class=\"about\">\(HTMLText.escaped($0))</p>" } ?? ""
    return """
      <li>
      <p class="address">\(HTMLText.escaped(heading))</p>
      \(about)
      <details><summary>\(HTMLText.escaped(details.summary))</summary>
      <pre>\(HTMLText.escaped(details.text))</pre></details>
      \(html(of: forms, token))
      </li>
      """
  }

  private static func list(_ items: [String], orElse words: String) -> String {
    items.isEmpty
      ? "<p class=\"lead\">\(words)</p>"
      : "<ul class=\"messages\">\n\(items.joined(separator: "\n"))\n</ul>"
  }

  private static func html(of forms: [WorkbenchForm], _ token: String) -> String {
    forms.map { $0.html(token: token) }.joined(separator: "\n")
  }

  /// The members of an object, one a row.
  private static func facts(of json: JSON) -> String {
    let rows = json.memberNames.map { name in
      let value = HTMLText.escaped(json[name]?.shown ?? "")
      return "<div><dt>\(HTMLText.escaped(name))</dt><dd>\(value)</dd></div>"
    }
    return "<dl class=\"details\">\n\(rows.joined(separator: "\n"))\n</dl>"
  }
}

extension JSON {
  fileprivate var memberNames: [String] {
    guard case .object(let members) = self else { return [] }
    return members.map(\.name)
  }

  /// The members that say something, one a line.
  fileprivate var told: String {
    memberNames.compactMap { name in
      guard let value = self[name], ![.null, .bool(false), .array([]), "ok"].contains(value) else {
        return nil
      }
      return "\(name): \(value.shown)"
    }.joined(separator: "\n")
  }

  /// As it would be typed: a text without its quotes.
  fileprivate var shown: String { string ?? String(decoding: encoded, as: UTF8.self) }
}
