internal import Foundation
public import HTTPExchange
internal import HTTPTypes

/// Walks all walks that come along, and notes which page led to which.
///
/// The stories and the walks to the states of the atlas are walked, and those of `ways.json`, for what has to be typed
/// and is on none of them. At the end of each every link is followed and every button pressed that nobody has used yet.
public struct FlowWalker: Sendable {
  /// A page led to another.
  public struct Way: Sendable, Hashable {
    /// The pages, by their names.
    public var source: String
    public var target: String
    /// The form that was sent, or the link that was followed, by its name.
    public var control: String
    /// What the next page told: notices, then errors.
    public var codes: [String]

    public init(from source: String, to target: String, by control: String, telling codes: [String])
    {
      (self.source, self.target, self.control, self.codes) = (source, target, control, codes)
    }
  }

  /// What all walks came to.
  public struct Findings: Sendable, Hashable {
    public var ways: Set<Way>
    /// The walks that went otherwise than they are told, by their names; what they did until then counts.
    public var strayed: [String]

    public init(ways: Set<Way> = [], strayed: [String] = []) {
      (self.ways, self.strayed) = (ways, strayed)
    }
  }

  private struct Walk {
    var name: String
    var preparations: [Story.Call] = []
    var steps: [Story.Step]
    /// The form without fields that is sent in the end, by its name.
    var button: String?

    func pressing(_ button: String) -> Self {
      var walk = self
      walk.name += ", \(button)"
      walk.button = button
      return walk
    }
  }

  /// The walk led elsewhere.
  private struct Astray: Error {}

  /// What there is to use on a page.
  private struct Control: Hashable {
    var page: String
    var name: String
  }

  private let walks: [Walk]
  private let transport: any HTTPTransport
  private let host: String?

  /// - Parameters:
  ///   - transport: How the pages and backstage are reached; the worlds are made and dropped.
  ///   - host: The `Host` that is asked; nil leaves it to the transport.
  ///   - api: Which API is emulated: `clerk` or `entra`.
  /// - Throws: `StoryFault` for the first walk that is none.
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

  /// Walks them one after another, each in a world that is made for it and dropped then.
  public func findings() async -> Findings {
    var findings = Findings()
    var used: Set<Control> = []
    // Buttons that are found on the way come behind, each as a walk of its own.
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
      // What is not dropped is lost with the pages that are walked on.
      _ = try? await calls.call(.delete, "worlds/\(world)")
      next += 1
    }
    return findings
  }

  /// - Returns: The buttons at its end that nobody has pressed yet.
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

  /// Follows the links of the page at hand that nobody has followed yet.
  ///
  /// - Returns: The buttons that nobody has pressed yet.
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
    let before = await player.browser.page
    guard await player.perform(step) == .asTold else { throw Astray() }
    guard let before, let after = await player.browser.page,
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

  /// Where the walk has led to the page of an identity provider, says yes there, and goes on here.
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
  /// Whether it leads to a page of these, and neither to a file nor to backstage.
  fileprivate var isOfThePages: Bool {
    href.hasPrefix("/") && !href.hasPrefix("/backstage") && name != "download"
  }
}

extension PageSnapshot.Form {
  /// Whether nothing is typed, and something else than the same step or none comes of it.
  fileprivate var isButtonThatLeadsOn: Bool {
    fields.allSatisfy { $0.type == "hidden" } && !throwsAway && !action.hasSuffix("/resend")
  }

  /// Whether a step is thrown away, which one can do wherever one stands.
  fileprivate var throwsAway: Bool { action.hasSuffix("/restart") }
}

extension Story.Step {
  /// The form or the link of the page that is used, by its name; nil where it is none that leads on.
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
