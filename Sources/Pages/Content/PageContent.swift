public import AuthFlow
public import Foundation

/// What a page shows, apart from its frame.
public struct PageContent: Sendable {
  public var heading: Phrase
  /// The identifier of the person that the step is about, once known.
  public var identity: String?
  /// The outcome that the page reports, if it consists of a single message.
  public var outcome: Outcome?
  /// Paragraphs under the heading.
  public var lead: [Phrase]
  /// What is known, as names and values.
  public var details: [Detail]
  /// Details that only support asks for, shown folded.
  public var supportDetails: [Detail]
  /// The sessions of the person.
  public var sessions: SessionList?
  /// A secret or codes that only this page shows.
  public var handover: Handover?
  /// The main one first.
  public var forms: [Form]
  public var links: [Link]
  /// Additional facts for the JSON twin.
  public var facts: [JSONValue.Member]
  /// When the attempt ends that the page belongs to (N6).
  public var endsAt: Date?
  /// Refusals that belong to the page rather than to the last request.
  public var concerns: [Concern]
  /// Whether the page itself is the error, so that its title is not marked as having one (R5).
  public var isErrorItself: Bool
  /// Whether the code or link that was sent has expired, so that only a new one helps.
  public var needsNewMessage: Bool
  /// What the wording of messages depends on.
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

  /// The outcome reported by a page that is a single message, shown as the sign over its heading.
  public enum Outcome: String, Sendable, CaseIterable {
    /// It is done.
    case done
    /// It is only a matter of time.
    case wait
    /// There is no way on from here, and that is intended.
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

  /// The problems of an error that the page is not already about (E3); nil if none are left.
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

/// What the wording of a message depends on, besides its reason.
public struct Setting: Sendable {
  /// The kinds of identifiers that may be typed.
  public var identifiers: [Identifier.Kind]
  /// The identifier that was typed.
  private(set) var typed: TypedText?
  /// The identifier that is known from the attempt or session.
  private var known: String?
  /// The values typed into other fields; never secrets.
  public var values: [Field: String]
  /// The labels of fields that the auth API defines itself, or that a custom file has words for.
  var labels: [Field: Phrase] = [:]
  /// The hints that a custom file has for fields.
  var hints: [Field: Phrase] = [:]
  /// The fields that take whole numbers only.
  var wholeNumbers: Set<Field> = []
  public var asksForBackupCode: Bool
  public var offersOtherMethods: Bool
  public var offersSignUp: Bool
  public var resetsPassword: Bool
  /// Whether a link was sent rather than a code.
  public var sendsLink: Bool
  /// Where a code or link was sent.
  public var destination: String?
  /// The kind of contact that the chosen method registers.
  public var contact: Identifier.Kind?

  public init(
    identifiers: [Identifier.Kind] = [.emailAddress],
    identifier: String? = nil,
    values: [Field: String] = [:],
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

  /// The identifier that was typed, or is known.
  public var identifier: String? { typed?.told ?? known }

  /// The kind that the identifier looks like.
  var identifierKind: Identifier.Kind? {
    typed?.kind ?? known.flatMap(Identifier.init(typed:))?.kind
  }
}

extension Problem {
  /// The problem without the details of one particular answer.
  fileprivate var withoutDetail: Problem {
    var problem = self
    problem.detail = nil
    return problem
  }
}
