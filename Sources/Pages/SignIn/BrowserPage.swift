public import AuthFlow

/// `/continue`: the flow continues in the browser, at an identity provider.
///
/// Rules: P-browser.
public struct BrowserPage: Page {
  private let prompt: BrowserPrompt

  public init(prompt: BrowserPrompt) { self.prompt = prompt }

  public var address: Address? { .browser }
  public var step: String { "continue" }
  public var flow: FlowName? { begun }
  public var fields: [Field] { [] }

  public func content(in frame: PageFrame) -> PageContent {
    PageContent(
      heading: heading,
      identity: prompt.identifier.text,
      lead: [
        isPastFirstFactor ? nil : named(.browserProvider, orElse: .browserProviderUnnamed),
        prompt.explanation.map {
          .page(.browserReason, ["reason": .phrase(.english(ReasonWords.cut($0)))])
        },
        whatNext,
      ].compactMap(\.self),
      forms: finished + [.restart(begun)],
      links: (webAddress.map { [open($0)] } ?? [])
        + (prompt.otherFactors == nil ? [] : [.methods(at: .methods)]),
      facts: [
        .init("provider", .string(orNull: prompt.providerName)),
        .init("reason", .string(orNull: prompt.explanation.map(ReasonWords.cut))),
        .init("href", .string(orNull: webAddress)),
      ],
      endsAt: prompt.attempt?.endsAt,
      setting: Setting(
        identifier: prompt.identifier.text,
        offersOtherMethods: prompt.otherFactors != nil
      )
    )
  }

  private var begun: FlowName {
    switch prompt.origin {
    case .signIn: .signIn
    case .signUp: .signUp
    case .passwordReset: .passwordReset
    }
  }

  /// Whether a first factor was proven here: the provider then only asks for what is missing.
  private var isPastFirstFactor: Bool { prompt.attempt?.secondFactors.isEmpty == false }

  /// Whether the provider has a page to continue at, or the person is back from it; if not, only
  /// another method helps.
  private var leadsOn: Bool { webAddress != nil || prompt.hasReturned }

  private var heading: Phrase {
    if leadsOn { return .page(.browserHeading) }
    return prompt.otherFactors == nil
      ? .page(.blockedHeadingSignedIn) : .outcome(.adviceChooseAnotherMethod)
  }

  private var whatNext: Phrase {
    if prompt.hasReturned {
      return named(
        .browserReturned,
        orElse: .browserReturnedUnnamed,
        ["button": .phrase(Self.finish)]
      )
    }
    guard webAddress != nil else { return .page(.browserNextNone) }
    return .page(isPastFirstFactor ? .browserNextMore : .browserNext)
  }

  /// The phrase that names the provider, or else speaks of the organisation.
  private func named(
    _ key: PagePhrase,
    orElse unnamed: PagePhrase,
    _ values: Phrase.Values = [:]
  ) -> Phrase {
    guard let name = prompt.providerName else { return .page(unnamed, values) }
    return .page(key, values.adding("provider", .text(name)))
  }

  /// The link to the provider, which is the main action until the person has returned.
  private func open(_ href: String) -> Link {
    Link(
      "open",
      href: href,
      words: named(.browserOpen, orElse: .browserOpenUnnamed),
      place: prompt.hasReturned ? .below : .action
    )
  }

  private static let finish: Phrase = .page(.browserFinished)

  /// The form that checks the outcome, unless no attempt waits at the auth API, or the person
  /// cannot even begin.
  private var finished: [Form] {
    guard prompt.attempt != nil, leadsOn else { return [] }
    return [
      Form(
        "finished",
        action: .browser,
        button: Self.finish,
        weight: prompt.hasReturned ? .primary : .choice
      )
    ]
  }

  private var webAddress: String? { prompt.address.flatMap(Link.webAddress) }
}
