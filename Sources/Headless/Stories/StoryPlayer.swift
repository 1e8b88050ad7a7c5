public import HTTPExchange
internal import HTTPTypes

/// Plays stories in a world of their own, with requests as browsers and tests send them.
public struct StoryPlayer: Sendable {
  /// How a step went.
  public enum Outcome: Sendable, Hashable {
    case asTold
    /// What differed, one sentence per difference.
    case otherwise([String])
  }

  /// A step went differently than it is told.
  public struct Strayed: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the step, counted from 1.
    public var number: Int
    /// The sentence that tells it.
    public var say: String
    /// What differed, one sentence per difference.
    public var differences: [String]
    /// The page that the browser was left at, in words; nil if none has been opened.
    public var page: String?

    public var description: String {
      let words = "Step \(number), \"\(say)\": \(differences.joined(separator: "; "))"
      return page.map { "\(words)\n\($0)" } ?? words
    }
  }

  /// The browser that takes the steps which name none.
  public let browser: FormSession
  /// Those that take the others.
  public let others: OtherBrowsers
  private let backstage: TestBackstage

  /// - Parameters:
  ///   - transport: How the pages are reached.
  ///   - host: The `Host` that requests name; nil leaves it to the transport.
  ///   - world: The world to play in, which is reset to its seed first; nil is `main`.
  ///   - patience: How long to wait for a message, as in `TestBackstage`.
  ///   - others: The other browsers, where they have taken steps already.
  public init(
    over transport: any HTTPTransport,
    host: String? = nil,
    world: String? = nil,
    patience: Duration = TestBackstage.usualPatience,
    others: OtherBrowsers = OtherBrowsers()
  ) {
    self.init(
      FormSession(over: transport, host: host, world: world),
      TestBackstage(over: transport, host: host, world: world, patience: patience),
      others: others
    )
  }

  /// - Parameters:
  ///   - browser: Takes the steps that name no browser.
  ///   - backstage: Backstage of the same world, which is reset to its seed first.
  ///   - others: Take the other steps.
  public init(
    _ browser: FormSession,
    _ backstage: TestBackstage,
    others: OtherBrowsers = OtherBrowsers()
  ) {
    (self.browser, self.backstage, self.others) = (browser, backstage, others)
  }

  /// The browser that takes a step.
  public func browser(of step: Story.Step) async -> FormSession {
    guard let name = step.browser else { return browser }
    return await others.browser(name, like: browser)
  }

  /// Plays a story from beginning to end.
  ///
  /// - Throws: `Strayed` for the first step that goes differently; `TestBackstage.Failure` if the
  ///   emulator refuses the story's people or settings.
  public func playThrough(_ story: Story) async throws {
    try await prepare(story)
    for (index, step) in story.steps.enumerated() {
      if case .otherwise(let differences) = await perform(step) {
        throw Strayed(
          number: index + 1,
          say: step.say,
          differences: differences,
          page: await browser(of: step).page?.description
        )
      }
    }
  }

  /// Plays a story from its beginning until a step goes differently.
  ///
  /// - Parameters:
  ///   - story: The story.
  ///   - report: Called after each step with its index, counted from 0, the step and its outcome.
  /// - Returns: Whether all steps went as told.
  /// - Throws: `TestBackstage.Failure` if the emulator refuses the story's people or settings.
  public func play(
    _ story: Story,
    report: (Int, Story.Step, Outcome) async -> Void = { _, _, _ in }
  ) async throws -> Bool {
    try await prepare(story)
    for (index, step) in story.steps.enumerated() {
      let outcome = await perform(step)
      await report(index, step, outcome)
      guard outcome == .asTold else { return false }
    }
    return true
  }

  /// Resets the world to its seed, and sets it up for the beginning of the story.
  ///
  /// - Throws: `TestBackstage.Failure` if the emulator refuses the story's people or settings.
  public func prepare(_ story: Story) async throws {
    // A story with a clock resets the world to its time itself.
    if story.clock == nil { _ = try await backstage.call(.post, "reset") }
    try await prepare(story.preparations)
  }

  /// Sets up the world without resetting it.
  func prepare(_ calls: [Story.Call]) async throws {
    for call in calls { try await perform(call) }
  }

  private func perform(_ call: Story.Call) async throws {
    let path =
      switch call.place {
      case .path(let path): path
      case .user(let identifier):
        "users/\(PercentEncoding.segment(try await backstage.userID(of: identifier)))"
      case .message(let filter):
        "messages/\(try await backstage.latestMessage(to: filter.to, purpose: filter.purpose).id)"
      }
    try await backstage.send(call.method, path, json: call.body?.text)
  }

  /// Carries out a step, and compares the resulting page, and what the step made the pages call and
  /// send, with the step's expectation.
  ///
  /// Each difference begins with the name of the step's browser, if it has one.
  public func perform(_ step: Story.Step) async -> Outcome {
    let outcome = await performUnnamed(step)
    guard let name = step.browser, case .otherwise(let differences) = outcome else {
      return outcome
    }
    return .otherwise(differences.map { "\(name): \($0)" })
  }

  private func performUnnamed(_ step: Story.Step) async -> Outcome {
    let expectation = step.expectation
    let browser = await browser(of: step)
    var differences: [String] = []
    do {
      let trace: Int? = try await expectation.calls == nil ? nil : backstage.newestTrace()
      let known: Set<String>? =
        try await expectation.messages == nil ? nil : Set(backstage.messages().map(\.id))
      try await take(step.action, in: browser)
      if let trace {
        let calls = try await step.isImport ? [] : backstage.calls(after: trace)
        differences += expectation.differences(fromCalls: calls)
      }
      if let known {
        let messages = try await step.isImport ? [] : backstage.messages(besides: known)
        differences += expectation.differences(fromMessages: messages)
      }
    } catch {
      return .otherwise(["\(error)"])
    }
    if let page = await browser.page {
      differences = expectation.differences(from: page) + differences
    } else if !expectation.isEmpty {
      differences.insert("no page has been opened yet", at: 0)
    }
    return differences.isEmpty ? .asTold : .otherwise(differences)
  }

  private func take(_ action: Story.Action?, in browser: FormSession) async throws {
    switch action {
    case .open(let place): try await browser.open(try await path(of: place))
    case .submit(let inputs, let form):
      let values = try await values(of: inputs, form: form, in: browser)
      try await browser.submit(values, form: form)
    case .stand(let page, let state): try await browser.stand(at: page, state)
    case .deed(let deed): for call in deed.calls { try await perform(call) }
    case nil: break
    }
  }

  /// The path that a person opens; for a link, that of the newest message's link.
  ///
  /// - Throws: `TestBackstage.Failure` if there is no such message, or no link in it.
  public func path(of place: Story.Place) async throws -> String {
    switch place {
    case .path(let path): return path
    case .link(let filter):
      return try await backstage.latestLink(to: filter.to, purpose: filter.purpose)
    }
  }

  /// The values to send for what is typed.
  ///
  /// Choices, such as radio buttons, may also be given by their labels.
  ///
  /// - Parameters:
  ///   - inputs: What is typed, by field.
  ///   - name: The form of the current page; nil is the main one.
  ///   - browser: The browser that shows the page; nil is the one that takes the steps which name
  ///     none.
  /// - Returns: The values by field.
  /// - Throws: `FormSession.Failure` if the form has no such field or choice,
  ///   `TestBackstage.Failure` if a code cannot be found.
  public func values(
    of inputs: [String: Story.Input],
    form name: String?,
    in browser: FormSession? = nil
  ) async throws -> [String: String] {
    let page = await (browser ?? self.browser).page
    let form = name.map { page?.form($0) } ?? page?.form
    var values: [String: String] = [:]
    for (name, input) in inputs {
      let text = try await text(of: input)
      values[name] = try form?.value(text, in: name) ?? text
    }
    return values
  }

  private func text(of input: Story.Input) async throws -> String {
    switch input {
    case .text(let text): text
    case .latest(let filter):
      try await backstage.latestCode(to: filter.to, purpose: filter.purpose)
    case .totp(let identifier):
      try await backstage.authenticatorCode(of: try await backstage.userID(of: identifier))
    }
  }
}

extension Story.Step {
  /// Whether the traces and messages of another world arrive in it, which it has not caused.
  fileprivate var isImport: Bool {
    if case .deed(.world)? = action { return true }
    return false
  }
}

extension PageSnapshot.Form {
  /// The value to send for what is typed in a field, or for a choice given by value, label or the
  /// beginning of a label.
  fileprivate func value(_ text: String, in name: String) throws(FormSession.Failure) -> String {
    guard let field = field(name) else { throw .noSuchField(name, form: self.name) }
    guard let options = field.options, !options.isEmpty else { return text }
    let named = options.first { $0.value == text } ?? options.first { $0.label == text }
    // An empty text chooses nothing, which is a valid submission.
    if let named { return named.value } else if text.isEmpty { return text }
    let likely = options.filter { $0.label.hasPrefix(text) }
    guard likely.count < 2 else {
      throw .severalChoices(text, field: name, labels: likely.map(\.label))
    }
    guard let choice = likely.first else { throw .noSuchChoice(text, field: name) }
    return choice.value
  }
}
