internal import Foundation
public import HTTPExchange
internal import HTTPTypes

/// Plays every built-in walk, and records which page led to which.
///
/// The walks are the stories, the walks to the states of the atlas, and those of `ways.json`, for
/// input that none of the others types. At the end of each, the walker follows every link and
/// presses every button that has not been used yet.
public struct FlowWalker: Sendable {
  /// A page that led to another.
  public struct Way: Sendable, Hashable {
    /// The pages, by their names.
    public var source: String
    public var target: String
    /// The name of the form that was sent, or of the link that was followed.
    public var control: String
    /// The codes on the next page: notices, then errors.
    public var codes: [String]

    public init(from source: String, to target: String, by control: String, telling codes: [String])
    {
      (self.source, self.target, self.control, self.codes) = (source, target, control, codes)
    }
  }

  /// The result of all walks.
  public struct Findings: Sendable, Hashable {
    public var ways: Set<Way>
    /// The names of the walks that went differently than written; what they did until then still
    /// counts.
    public var strayed: [String]

    public init(ways: Set<Way> = [], strayed: [String] = []) {
      (self.ways, self.strayed) = (ways, strayed)
    }
  }

  private struct Walk {
    var name: String
    var preparations: [Story.Call] = []
    var steps: [Story.Step]
    /// The name of the form without visible fields that is sent at the end.
    var button: String?

    func pressing(_ button: String) -> Self {
      var walk = self
      walk.name += ", \(button)"
      walk.button = button
      return walk
    }
  }

  /// The walk went differently than written.
  private struct Astray: Error {}

  /// A link or button on a page.
  private struct Control: Hashable {
    var page: String
    var name: String
  }

  private let walks: [Walk]
  private let transport: any HTTPTransport
  private let host: String?

  /// - Parameters:
  ///   - transport: How the pages and backstage are reached. The walker creates worlds and drops
  ///     them.
  ///   - host: The `Host` that requests name; nil leaves it to the transport.
  ///   - api: The emulated API: `clerk` or `entra`.
  /// - Throws: `StoryFault` for the first walk that is malformed.
  public init(
    over transport: any HTTPTransport,
    host: String? = nil,
    api: String
  ) throws(StoryFault) {
    (self.transport, self.host) = (transport, host)
    let stories = try Story.builtIn().filter { $0.api ?? api == api }
    var walks = stories.map {
      Walk(name: $0.name, preparations: $0.preparations, steps: $0.steps)
    }
    for file in ["stands.json", "ways.json"] {
      for (name, steps) in try Stands.walks(in: file, over: api).sorted(by: { $0.key < $1.key }) {
        walks.append(Walk(name: name, steps: steps))
      }
    }
    self.walks = walks
  }

  /// Plays the walks one after another, each in a world that is created for it and dropped
  /// afterwards.
  public func findings() async -> Findings {
    var findings = Findings()
    var used: Set<Control> = []
    // A button found at the end of a walk is queued as a walk of its own.
    var queue = walks
    var next = 0
    while next < queue.count {
      let walk = queue[next]
      let world = "walk-\(next)"
      do {
        let buttons = try await take(walk, in: world, &used, &findings.ways)
        queue += buttons.map(walk.pressing)
      } catch {
        findings.strayed.append(walk.name)
      }
      let calls = TestBackstage(over: transport, host: host, world: world)
      // A world that cannot be dropped is lost with the process that serves the pages.
      _ = try? await calls.call(.delete, "worlds/\(world)")
      next += 1
    }
    return findings
  }

  /// - Returns: The buttons at its end that have not been pressed yet.
  private func take(
    _ walk: Walk,
    in world: String,
    _ used: inout Set<Control>,
    _ ways: inout Set<Way>
  ) async throws -> [String] {
    let player = StoryPlayer(over: transport, host: host, world: world)
    try await player.prepare(walk.preparations)
    for step in walk.steps { try await take(step, by: player, &ways) }
    if let button = walk.button {
      try await press(button, by: player, &ways)
      return []
    }
    try await comeBack(by: player, &ways)
    return try await look(around: player, &used, &ways)
  }

  /// Follows the links of the current page that have not been followed yet.
  ///
  /// - Returns: The buttons that have not been pressed yet.
  private func look(
    around player: StoryPlayer,
    _ used: inout Set<Control>,
    _ ways: inout Set<Way>
  ) async throws -> [String] {
    guard let page = await player.browser.page else { return [] }
    for link in page.links where link.isOfThePages {
      guard used.insert(Control(page: page.page, name: link.name)).inserted else { continue }
      note(link.name, from: page, to: try await player.browser.open(link.href), &ways)
    }
    return page.forms.filter(\.isButtonThatLeadsOn).map(\.name)
      .filter { used.insert(Control(page: page.page, name: $0)).inserted }
  }

  private func press(
    _ button: String,
    by player: StoryPlayer,
    _ ways: inout Set<Way>
  ) async throws {
    guard let before = await player.browser.page else { throw Astray() }
    note(button, from: before, to: try await player.browser.submit(form: button), &ways)
  }

  private func take(
    _ step: Story.Step,
    by player: StoryPlayer,
    _ ways: inout Set<Way>
  ) async throws {
    let browser = await player.browser(of: step)
    let before = await browser.page
    guard await player.perform(step) == .asTold else { throw Astray() }
    guard let before, let after = await browser.page,
      let control = step.control(on: before)
    else { return }
    note(control, from: before, to: after, &ways)
  }

  private func note(
    _ control: String,
    from before: PageSnapshot,
    to after: PageSnapshot,
    _ ways: inout Set<Way>
  ) {
    guard before.page != after.page else { return }
    let codes = after.noticeCodes + after.errorCodes
    ways.insert(Way(from: before.page, to: after.page, by: control, telling: codes))
  }

  /// If the walk has led to an identity provider's page, approves there and continues on this site.
  private func comeBack(by player: StoryPlayer, _ ways: inout Set<Way>) async throws {
    guard let before = await player.browser.page, before.form("finished") != nil,
      let link = before.links.first(where: { $0.name == "open" })?.href,
      let rest = link.range(of: "://"),
      let slash = link[rest.upperBound...].firstIndex(of: "/")
    else { return }
    let elsewhere = FormSession(over: transport, host: host)
    _ = try await elsewhere.send(.post, String(link[slash...]), body: ["decision": "approve"])
    let after = try await player.browser.submit(form: "finished")
    note("finished", from: before, to: after, &ways)
  }
}

extension PageSnapshot.Link {
  /// Whether it leads to one of the pages, not to a file or to backstage.
  fileprivate var isOfThePages: Bool {
    href.hasPrefix("/") && !href.hasPrefix("/backstage") && name != "download"
  }
}

extension PageSnapshot.Form {
  /// Whether the form has nothing to fill in and may lead to another page: restarting and resending
  /// do not.
  fileprivate var isButtonThatLeadsOn: Bool {
    fields.allSatisfy { $0.type == "hidden" } && !throwsAway && !action.hasSuffix("/resend")
  }

  /// Whether it restarts the flow, which is possible on every page.
  fileprivate var throwsAway: Bool { action.hasSuffix("/restart") }
}

extension Story.Step {
  /// The name of the form or link that the step uses; nil if it uses none that the walker records.
  fileprivate func control(on page: PageSnapshot) -> String? {
    switch action {
    case .submit(_, let name):
      let form = name.map { page.form($0) } ?? page.form
      return form.flatMap { $0.throwsAway ? nil : $0.name }
    case .open(.path(let path)):
      return page.links.first { $0.href.prefix { $0 != "?" } == path }?.name
    case .open(.link), .stand, .deed, nil: return nil
    }
  }
}
