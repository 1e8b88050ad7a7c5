internal import AuthFlow
internal import Foundation
internal import HTTPExchange
internal import HTTPTypes
internal import Localization
internal import Pages

/// One request to a page: what was asked, by whom, and what becomes of their visit.
struct RequestContext: Sendable {
  private let question: Question
  let address: Address
  var visit: Visit { didSet { mayHaveMoved = true } }
  /// Whether the visit may be another one than it was at first.
  private var mayHaveMoved = false
  /// What the page at hand has to tell, from the step before.
  var flash: Flash?
  /// What the bar above an emulated API's page tells; nil where there is none.
  var emulation: PageFrame.Emulation?
  /// Whether somebody has got in or out by another answer, beside which this one moves nothing: the browser
  /// keeps what that one gave it.
  var isOvertaken = false
  /// Whether the form is refused since no cookie came along by which it could be known.
  var lacksCookie = false
  /// Whether the form is refused by a limit of ours, and not by the auth API.
  var isThrottled = false
  /// Whether somebody has gone out by this answer, who was in or about to be.
  var hasGoneOut = false
  /// What the auth API has refused while this was answered.
  var refusals: [Reason] = []
  /// What the page tells by itself to which the step that was taken leads.
  private(set) var concern: AuthError?

  /// - Parameters:
  ///   - question: What was asked.
  ///   - address: Of which page.
  ///   - visit: By whom.
  init(_ question: Question, at address: Address, of visit: Visit) {
    self.question = question
    self.address = address
    self.visit = visit
  }

  /// What was asked, which stays as it is: a reference, since every step is handed all of it.
  final class Question: Sendable {
    let request: Request
    let form: FormData
    /// Whether a page is answered by its twin.
    let prefersJSON: Bool
    let world: WorldContext
    /// The world's, speaking for the browser that posts a form.
    let provider: any AuthProvider
    /// What the reader reads.
    let language: LanguageTag
    /// What the error page and the log call this request.
    let reference: String
    /// By the world's clock, read once.
    let now: Date
    /// The visit that the browser keeps already; nil where it keeps none of use.
    let keptVisit: Visit?

    init(
      _ request: Request,
      _ form: FormData,
      to world: WorldContext,
      in language: LanguageTag,
      reference: String,
      now: Date,
      keptVisit: Visit?
    ) {
      self.request = request
      self.form = form
      prefersJSON = request.prefersJSON
      self.world = world
      self.language = language
      self.reference = reference
      self.now = now
      self.keptVisit = keptVisit
      provider = world.provider(for: request, in: language)
    }
  }

  var request: Request { question.request }
  var form: FormData { question.form }
  var prefersJSON: Bool { question.prefersJSON }
  var world: WorldContext { question.world }
  var provider: any AuthProvider { question.provider }
  var language: LanguageTag { question.language }
  var reference: String { question.reference }
  var now: Date { question.now }

  /// What the visit that the browser keeps already is called; nil where it keeps none of use.
  var keptVisitID: String? { question.keptVisit?.id }
  /// Whether the browser has to be given the visit as it is now: to compare all of it takes its time.
  var hasUnkeptVisit: Bool {
    question.keptVisit == nil || mayHaveMoved && visit != question.keptVisit
  }

  var isPosted: Bool { request.method == .post }

  /// Whether a form was taken: then where its sender stands now is theirs to keep.
  var hasMovedOn: Bool { isPosted && refusals.isEmpty }

  /// Whether a page is opened by somebody of whom nothing is known, and who asks for nothing else.
  var isUntouched: Bool { !isPosted && request.query == nil && visit.isBare }

  /// What was typed into a form, to be shown again where it is refused.
  var typed: TypedValues {
    TypedValues(
      form: form,
      query: request.queryParameters,
      identifier: visit.identifier,
      details: visit.typedDetails
    )
  }

  /// What the address says, or the form of a page that it led to; bounded in number and length.
  ///
  /// - Parameter limit: How long a value may be, in bytes.
  /// - Returns: The values by name.
  func parameters(limit: Int = 2_000) -> [String: String] {
    let values = isPosted ? form : request.queryParameters
    return values.fields.prefix(16).reduce(into: [:]) { parameters, field in
      if field.value.utf8.count <= limit { parameters[field.name] = field.value }
    }
  }

  /// The same request as if it were for that page.
  func moved(to address: Address) -> RequestContext {
    var context = RequestContext(question, at: address, of: visit)
    context.flash = flash
    context.emulation = emulation
    context.refusals = refusals
    context.mayHaveMoved = mayHaveMoved
    return context
  }

  // MARK: The instance

  /// What is known of the instance without asking; the plainest of forms where nothing is.
  var knownInstance: InstanceDescription { provider.lastKnownInstance ?? .unknown }

  /// What the auth API says of the instance; from then on that is what is known.
  ///
  /// - Throws: `AuthError` where the auth API has to be asked and does not answer.
  @discardableResult
  func instance() async throws(AuthError) -> InstanceDescription {
    try await provider.describeInstance()
  }

  // MARK: The visit

  /// Keeps what the next page tells, whichever way the person gets there.
  ///
  /// - Parameters:
  ///   - notices: The good or neutral news.
  ///   - error: What went wrong, which the log has, too.
  ///   - refused: What the log calls the request in which it did, or something that the page tells by itself; nil
  ///     where it is this one.
  ///   - address: Of which page.
  mutating func setFlash(
    _ notices: [Notice],
    error: AuthError? = nil,
    of refused: String? = nil,
    on address: Address
  ) {
    setFlash(notices, error: error, of: refused, onPath: address.path)
  }

  mutating func setFlash(
    _ notices: [Notice],
    error: AuthError? = nil,
    of refused: String? = nil,
    onPath path: String
  ) {
    guard !notices.isEmpty || error != nil || refused != nil else {
      visit.flash = nil
      return
    }
    visit.flash = Flash(
      path: path,
      notices: notices,
      error: error,
      reference: refused ?? (error == nil ? nil : reference)
    )
  }

  /// What the log calls the request whose refusal is told by a page that is opened: the one that led
  /// there, else this one (S29).
  var toldReference: String {
    let before: String? =
      switch visit.standing {
      case .locked(let lock) where address == .locked: lock.reference
      case .blocked(let block) where address == .blocked: block.reference
      case .locked, .blocked, .attempts, .signedIn: nil
      }
    return flash?.reference ?? before ?? reference
  }

  /// Keeps what the person said they are, so that no later page has to ask again.
  mutating func keepIdentifier() {
    guard let typed = form["identifier"] ?? form["email_address"],
      typed.utf8.count <= TypedValues.lengthLimit
    else { return }
    if visit.identifier != typed { visit.identifier = typed }
  }

  /// Whether the form at hand began the attempt under way, or was sent before it: done again, it would throw away
  /// what came after it (S16).
  ///
  /// Only the very same form counts: who goes back to its page and fills it in anew means to begin anew.
  func isSentAgain(_ mark: UInt32) -> Bool {
    address.isStart && visit.hasAttempt(in: address.flow) && visit.sentForms.contains(mark)
  }

  /// Remembers the form at hand where it is a start's and was heard; what was not may be sent again as it is.
  ///
  /// Whoever has got in or out meanwhile has another visit, in which it is over anyway.
  mutating func noteForm(_ mark: UInt32) {
    guard address.isStart, visit.session == nil, visit.id == keptVisitID,
      !refusals.contains(where: \.isOfTheMoment)
    else { return }
    visit.noteForm(mark)
  }

  /// Keeps what was typed into a sign-up that was refused or has ended, so that nothing is asked anew (N6).
  mutating func keepTypedDetails() {
    guard address.flow == .signUp else { return }
    var fields = knownInstance.signUp.fields.map(\.field)
    if case .detailsMissing(let prompt)? = visit.signUp { fields += prompt.fields }
    let given = visit.signUp?.attempt?.values ?? [:]
    let kept = given.merging(typed.values(of: fields)) { $1 }
      .filter { $0.value.utf8.count <= TypedValues.lengthLimit }
    visit.typedDetails.merge(kept) { $1 }
  }

  /// Forgets the attempt of this flow; another tab's of another flow stays.
  mutating func dropAttempt() {
    switch address.flow {
    case .signUp:
      visit.attempts.signUp = nil
      // A sign-up that went on in a browser was on its way in.
      if case .browserRequired(let prompt)? = visit.signIn, prompt.origin == .signUp {
        visit.attempts.entry = nil
        visit.typedDetails[.emailAddress] = prompt.identifier.text
      }
    case .signIn, .passwordReset: visit.attempts.entry = nil
    }
  }

  /// Seals what became of an attempt into the visit.
  mutating func settle<State: FlowState, Scene>(_ advance: Advance<State>) -> FlowResult<Scene> {
    switch advance {
    case .misplaced:
      return .misplaced
    case .refused(let error, let state):
      state.enter(&visit)
      return .refused(error)
    case .moved(let state, let notices, let concern):
      if let session = state.completed(since: visit.session) { return .signedIn(session, notices) }
      state.enter(&visit)
      self.concern = state.concern
      return .redirect(state.address, notices, concern)
    }
  }
}

/// What a request to a flow came to, before it is put into words.
enum FlowResult<Scene: Sendable>: Sendable {
  /// The page at hand, made of that.
  case show(Scene)
  /// The page at hand, which is itself about what was refused.
  case tell(Scene, AuthError)
  /// On to that page, with what it has to tell.
  case redirect(Address, [Notice] = [], AuthError? = nil)
  /// Someone is in, or would be but for open tasks.
  case signedIn(Session, [Notice])
  case signedOut
  /// The auth API or the flow refused; the visit stands where that left the attempt.
  case refused(AuthError)
  /// Refused, and nothing else follows: the page stays, whatever the reason would lead to.
  case failed(AuthError)
  /// The step is not due here: a stale tab, or steps out of order.
  case misplaced
  /// Whoever is in already does not get in again.
  case alreadyIn
  /// A text to keep, named as it is saved.
  case backupCodes(BackupCodes)
}

extension FlowResult {
  /// Whether the page at hand is made of it.
  var isPage: Bool {
    switch self {
    case .show, .tell: true
    case .redirect, .signedIn, .signedOut, .refused, .failed, .misplaced, .alreadyIn, .backupCodes:
      false
    }
  }

  static func refused(_ problem: Problem, _ others: Problem...) -> FlowResult {
    .refused(AuthError(problem, others))
  }

  /// A value that has to be there was left out.
  static func missing(_ field: Field) -> FlowResult {
    .refused(Problem(.missing, at: field, code: OwnCode.required))
  }

  /// Nothing was chosen, or what is not on offer.
  static func noneChosen(at field: Field?) -> FlowResult {
    .refused(Problem(.noneChosen, at: field, code: OwnCode.noneChosen))
  }

  static func tooLong(_ field: Field) -> FlowResult { .refused(.tooLong(field)) }
}

extension AuthError {
  /// The attempt has ended without the auth API having said so.
  static let ended = AuthError(Problem(.attemptEnded, code: OwnCode.attemptEnded))
}
