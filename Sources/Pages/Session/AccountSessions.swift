import AuthFlow

/// The session list on the account page, and the forms that end sessions.
extension AccountPage {
  /// The sessions, the current one first; empty if they are not listed.
  private var listed: [ActiveSession] {
    guard case .listed(let sessions) = sessions else { return [] }
    return sessions.filter(\.isCurrent) + sessions.filter { !$0.isCurrent }
  }

  /// Whether there are, or may be, sessions besides the current one.
  private var mayHaveOthers: Bool { sessions == .folded || listed.contains { !$0.isCurrent } }

  var sessionList: SessionList? {
    guard sessions != .unavailable else { return nil }
    return SessionList(
      entries: listed.enumerated().map { index, session in
        SessionList.Entry(
          name: Self.name(of: session.device),
          isCurrent: session.isCurrent,
          detail: Self.detail(of: session),
          formName: session.isCurrent ? nil : Self.formName(index)
        )
      }
    )
  }

  /// Unfolds the list.
  var sessionLinks: [Link] {
    guard sessions == .folded else { return [] }
    return [
      Link(
        "sessions",
        href: "\(Address.account.path)?\(Self.unfolding)",
        words: .page(.accountSessionsShow),
        place: .sessions
      )
    ]
  }

  /// The query of the page that lists the sessions.
  public static let unfolding = "sessions"

  /// A form for each other session listed, one for all of these, and one for all sessions.
  ///
  /// The last one is there even while the list is folded.
  var endings: [Form] {
    guard sessions != .unavailable else { return [] }
    let single = listed.enumerated().filter { !$1.isCurrent }.map { index, session in
      ending(.one(id: session.id), named: Self.formName(index), button: .accountSessionEnd)
    }
    return single
      + (mayHaveOthers
        ? [ending(.others, named: Form.endingOthers, button: .accountSessionEndOthers)] : [])
      + [ending(.all, named: Form.endingAll, button: .accountSessionEndAll)]
  }

  var sessionFacts: [JSONValue.Member] {
    guard case .listed = sessions else { return [] }
    return [
      .init(
        "sessions",
        .array(
          listed.map { session in
            .object([
              .init("id", .string(session.id)),
              .init("current", .bool(session.isCurrent)),
              .init("browser", .string(orNull: session.device.browser)),
              .init("system", .string(orNull: session.device.system)),
              .init("ip_address", .string(orNull: session.device.address)),
              .init("last_active_at", .time(orNull: session.lastActiveAt)),
            ])
          }
        )
      )
    ]
  }

  private func ending(_ ending: SessionEnding, named name: String, button: PagePhrase) -> Form {
    Form(
      name,
      action: .accountSessions,
      fields: [.hidden(.session, value: ending.value)],
      button: .page(button),
      weight: .quiet,
      purpose: "sign-out"
    )
  }

  private static func formName(_ index: Int) -> String { "\(Form.endingOne)\(index + 1)" }

  private static func name(of device: ActiveSession.Device) -> Phrase {
    switch (device.browser, device.system) {
    case (let browser?, let system?):
      .page(.accountSessionDevice, ["browser": .text(browser), "system": .text(system)])
    case (let name?, nil), (nil, let name?): .verbatim(name)
    case (nil, nil): .page(.accountSessionUnknownDevice)
    }
  }

  private static func detail(of session: ActiveSession) -> Phrase? {
    let used: Phrase? = session.lastActiveAt.map {
      .page(.accountSessionLastUsed, ["when": .moment($0, .past)])
    }
    return switch (session.device.address, used) {
    case (let address?, let used?):
      .page(.accountSessionSeen, ["address": .text(address), "used": .phrase(used)])
    case (let address?, nil): .verbatim(address)
    case (nil, let used?): used
    case (nil, nil): nil
    }
  }
}

extension Form {
  /// The prefix of the names of forms that end sessions.
  public static let endingPrefix = "end-"
  fileprivate static let endingOne = "\(endingPrefix)session-"
  fileprivate static let endingOthers = "\(endingPrefix)others"
  fileprivate static let endingAll = "\(endingPrefix)all"

  /// Whether it ends sessions: which of them are on a page depends on who else is signed in.
  public var endsSessions: Bool { name.hasPrefix(Self.endingPrefix) }

  /// Whether it ends one session of another browser.
  public var endsOtherSession: Bool { name.hasPrefix(Self.endingOne) }
}
