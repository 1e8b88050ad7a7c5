public import AuthFlow

/// `/continue`: the sign-in goes on at an identity provider, in the browser.
///
/// Rules: P-browser.
public struct BrowserPage: Page {
  private let prompt: BrowserPrompt

  public init(prompt: BrowserPrompt) { self.prompt = prompt }

  public var address: Address? { .browser }
  public var step: String { "continue" }
  public var flow: FlowName? { .signIn }
  public var fields: [Field] { [] }

  public func content(in frame: PageFrame) -> PageContent {
    let provider = prompt.providerName ?? "your organisation"
    return PageContent(
      heading: "Continue in the browser",
      identity: prompt.identifier.text,
      lead: [
        "This address signs in with \(provider), not with a password here.",
        prompt.explanation.map { "The reason given: \(MessageCatalogue.cut($0))" },
        whatNext(at: provider),
      ].compactMap(\.self),
      forms: finished + [.restart(.signIn)],
      links: (webAddress.map { [open($0, at: provider)] } ?? [])
        + (hasOtherMethods ? [.methods(at: .methods)] : []),
      facts: [
        .init("provider", .string(orNull: prompt.providerName)),
        .init("reason", .string(orNull: prompt.explanation.map(MessageCatalogue.cut))),
        .init("href", .string(orNull: webAddress)),
      ],
      setting: Setting(identifier: prompt.identifier.text)
    )
  }

  private func whatNext(at provider: String) -> Prose {
    if prompt.hasReturned {
      return "You are back from the sign-in page of \(provider). Go on with “\(Self.finish)”."
    }
    return prompt.address == nil
      ? "Open its sign-in page to go on."
      : "Open its sign-in page in your browser, then come back."
  }

  /// The page begins with it, until someone has been there and come back.
  private func open(_ href: String, at provider: String) -> Link {
    Link(
      "open",
      href: href,
      words: "Open the sign-in page of \(provider)",
      place: prompt.hasReturned ? .below : .action
    )
  }

  private static let finish = "I have finished"

  /// Nothing can be asked after where the auth API has no attempt that waits.
  private var finished: [Form] {
    guard prompt.attempt != nil else { return [] }
    let isNext = prompt.hasReturned || webAddress == nil
    return [
      Form("finished", action: .browser, button: Self.finish, weight: isNext ? .primary : .choice)
    ]
  }

  private var hasOtherMethods: Bool {
    prompt.attempt?.firstFactors.contains { $0.kind != .enterprise } ?? false
  }

  private var webAddress: String? { prompt.address.flatMap(Link.webAddress) }
}
