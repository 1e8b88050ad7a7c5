public import AuthFlow
public import Foundation

/// What a page shows, apart from its frame.
public struct PageContent: Sendable {
  public var heading: Phrase
  /// Whom the step is about, once that is known.
  public var identity: String?
  /// Where the page is one message and nothing else: what it comes to.
  public var outcome: Outcome?
  /// Paragraphs under the heading.
  public var lead: [Phrase]
  /// What is known, as names and values.
  public var details: [Detail]
  /// What only support asks for: folded.
  public var supportDetails: [Detail]
  /// Where else the person is signed in.
  public var sessions: SessionList?
  /// What is handed over here and nowhere else.
  public var handover: Handover?
  /// The main one first.
  public var forms: [Form]
  public var links: [Link]
  /// What the twin tells besides.
  public var facts: [JSONValue.Member]
  /// When the attempt ends that the page belongs to (N6).
  public var endsAt: Date?
  /// Refusals that belong to the page rather than to the last request.
  public var concerns: [Concern]
  /// Whether the page is the error itself, so that its title is not marked (R5).
  public var isErrorItself: Bool
  /// Whether what was sent has expired, so that only another message leads on.
  public var needsNewMessage: Bool
  /// What the words of messages depend on.
  public var setting: Setting

  public init(
    heading: Phrase,
    identity: String? = nil,
    outcome: Outcome? = nil,
    lead: [Phrase] = [],
    details: [Detail] = [],
    supportDetails: [Detail] = [],
    sessions: SessionList? = nil,
    handover: Handover? = nil,
    forms: [Form] = [],
    links: [Link] = [],
    facts: [JSONValue.Member] = [],
    endsAt: Date? = nil,
    concerns: [Concern] = [],
    isErrorItself: Bool = false,
    needsNewMessage: Bool = false,
    setting: Setting = Setting()
  ) {
    self.heading = heading
    self.identity = identity
    self.outcome = outcome
    self.lead = lead
    self.details = details
    self.supportDetails = supportDetails
    self.sessions = sessions
    self.handover = handover
    self.forms = forms
    self.links = links
    self.facts = facts
    self.endsAt = endsAt
    self.concerns = concerns
    self.isErrorItself = isErrorItself
    self.needsNewMessage = needsNewMessage
    self.setting = setting
  }

  /// What has come of it, on a page that is one message: the sign over its heading.
  public enum Outcome: String, Sendable, CaseIterable {
    /// It is done.
    case done
    /// It is only a matter of time.
    case wait
    /// It goes no further here, and that is meant.
    case halt
    /// There is nothing here.
    case nothing
    /// Something failed that should not.
    case failure
  }

  public struct Detail: Sendable {
    public var label: Phrase
    public var value: Phrase

    public init(_ label: Phrase, _ value: Phrase) {
      self.label = label
      self.value = value
    }
  }

  public enum Concern: Sendable {
    case error(AuthError)
    case refusal(SiteRefusal)
  }

  /// What is left to tell of an error on a page that is about some of it (E3); nil where nothing is.
  public func untold(of error: AuthError) -> AuthError? {
    guard !concerns.isEmpty else { return error }
    let told = concerns.flatMap { concern -> [Problem] in
      if case .error(let error) = concern { error.problems.map(\.withoutDetail) } else { [] }
    }
    return AuthError(
      error.problems.filter { !told.contains($0.withoutDetail) },
      advice: error.advice,
      traceID: error.traceID
    )
  }
}

/// What the words of a message depend on, besides its reason.
public struct Setting: Sendable {
  /// What may be typed as identifier.
  public var identifiers: [Identifier.Kind]
  /// What was typed as identifier.
  private(set) var typed: TypedText?
  /// What names the person.
  private var known: String?
  /// What was typed elsewhere, never a secret.
  public var values: [Field: String]
  /// What fields are called that the auth API names itself.
  public var labels: [Field: String]
  public var asksForBackupCode: Bool
  public var offersOtherMethods: Bool
  public var offersSignUp: Bool
  public var resetsPassword: Bool
  /// Whether a link was sent rather than a code.
  public var sendsLink: Bool
  /// Where a code went.
  public var destination: String?
  /// What is to be registered by the method that was chosen.
  public var contact: Identifier.Kind?

  public init(
    identifiers: [Identifier.Kind] = [.emailAddress],
    identifier: String? = nil,
    values: [Field: String] = [:],
    labels: [Field: String] = [:],
    asksForBackupCode: Bool = false,
    offersOtherMethods: Bool = false,
    offersSignUp: Bool = false,
    resetsPassword: Bool = false,
    sendsLink: Bool = false,
    destination: String? = nil,
    contact: Identifier.Kind? = nil
  ) {
    self.identifiers = identifiers
    known = identifier
    self.values = values
    self.labels = labels
    self.asksForBackupCode = asksForBackupCode
    self.offersOtherMethods = offersOtherMethods
    self.offersSignUp = offersSignUp
    self.resetsPassword = resetsPassword
    self.sendsLink = sendsLink
    self.destination = destination
    self.contact = contact
  }

  init(
    identifiers: [Identifier.Kind],
    typed: TypedText?,
    offersOtherMethods: Bool = false,
    offersSignUp: Bool,
    resetsPassword: Bool = false
  ) {
    self.init(
      identifiers: identifiers,
      offersOtherMethods: offersOtherMethods,
      offersSignUp: offersSignUp,
      resetsPassword: resetsPassword
    )
    self.typed = typed
  }

  /// What was typed as identifier, or names the person.
  public var identifier: String? { typed?.told ?? known }

  /// What that looks like.
  var identifierKind: Identifier.Kind? {
    typed?.kind ?? known.flatMap(Identifier.init(typed:))?.kind
  }
}

extension Problem {
  /// The same but for what the API said of this one answer.
  fileprivate var withoutDetail: Problem {
    var problem = self
    problem.detail = nil
    return problem
  }
}
