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
  /// Whether the visit may have changed.
  private var mayHaveMoved = false
  /// What the page has to say about the step before.
  var flash: Flash?
  /// What the bar above an emulated API's page shows; nil where there is none.
  var emulation: PageFrame.Emulation?
  /// Whether another answer has signed somebody in or out meanwhile, so that this one leaves the
  /// visit alone: the browser keeps what the other one gave it.
  var isOvertaken = false
  /// Whether the form is refused because it came without the visit's cookie.
  var lacksCookie = false
  /// Whether the form is refused by a limit of ours, and not by the auth API.
  var isThrottled = false
  /// Whether this answer signs somebody out who was signed in, or about to be.
  var hasGoneOut = false
  /// Why the return address that the request brought is not followed; nil where it is, or where there is none.
  var droppedReturnAddress: ReturnAddresses.Dropped?
  /// The reasons of all refusals during this request.
  var refusals: [Reason] = []
  /// The error that the page of the next step shows by itself.
  private(set) var concern: AuthError?

  /// - Parameters:
  ///   - question: The request, and what belongs to it.
  ///   - address: The address of the page.
  ///   - visit: The visit of the browser.
  init(_ question: Question, at address: Address, of visit: Visit) {
    self.question = question
    self.address = address
    self.visit = visit
  }

  /// The part of a request that does not change: a reference, since every step gets all of it.
  final class Question: Sendable {
    let request: Request
    let form: FormData
    /// Whether the answer is a page's twin.
    let prefersJSON: Bool
    let world: WorldContext
    /// The world's provider, calling in the reader's language, and for the browser if that posts a
    /// form.
    let provider: any AuthProvider
    /// The reader's language.
    let language: LanguageTag
    /// The name of this request on the error page and in the log.
    let reference: String
    /// By the world's clock, read once.
    let now: Date
    /// The visit that the browser has; nil where it has no valid one.
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

  /// The id of the visit that the browser has; nil where it has no valid one.
  var keptVisitID: String? { question.keptVisit?.id }
  /// Whether the browser has to be given the visit; compared only if it may have changed, since
  /// that takes time.
  var hasUnkeptVisit: Bool {
    question.keptVisit == nil || mayHaveMoved && visit != question.keptVisit
  }

  var isPosted: Bool { request.method == .post }

  /// Whether an unknown visitor opens a page without a query.
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

  /// The parameters of the address, or of the form of the page that it led to; at most 16.
  ///
  /// - Parameter limit: The longest value that is kept, in bytes.
  /// - Returns: The values by name.
  func parameters(limit: Int = 2_000) -> [String: String] {
    let values = isPosted ? form : request.queryParameters
    return values.fields.prefix(16).reduce(into: [:]) { parameters, field in
      if field.value.utf8.count <= limit { parameters[field.name] = field.value }
    }
  }

  /// The same request as if it were for that page, as far as the page is made from it.
  func moved(to address: Address) -> RequestContext {
    var context = RequestContext(question, at: address, of: visit)
    context.flash = flash
    return context
  }

  // MARK: The instance

  /// The instance as far as it is known without a call; the plainest forms where it is not.
  var knownInstance: InstanceDescription { provider.lastKnownInstance ?? .unknown }

  /// The auth API's description of the instance, which is known from then on.
  ///
  /// - Throws: `AuthError` where the auth API has to be asked and does not answer.
  @discardableResult
  func instance() async throws(AuthError) -> InstanceDescription {
    try await provider.describeInstance()
  }

  // MARK: The visit

  /// Keeps what the next page has to say, however the person gets there.
  ///
  /// - Parameters:
  ///   - notices: The good or neutral news.
  ///   - error: What went wrong; the log has it, too.
  ///   - refused: The reference of the request in which that, or what the page shows by itself,
  ///     went wrong; nil for this one.
  ///   - address: The page.
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

  /// The reference of the request whose refusal an opened page shows: the one that led there,
  /// otherwise this one (S29).
  var toldReference: String {
    let before: String? =
      switch visit.standing {
      case .locked(let lock) where address == .locked: lock.reference
      case .blocked(let block) where address == .blocked: block.reference
      case .locked, .blocked, .attempts, .signedIn: nil
      }
    return flash?.reference ?? before ?? reference
  }

  /// Keeps the identifier that was typed, unless it is empty, so that no later page has to ask for
  /// it.
  mutating func keepIdentifier() {
    guard let typed = form["identifier"] ?? form["email_address"],
      typed.utf8.count <= TypedValues.lengthLimit, !typed.allSatisfy(\.isWhitespace)
    else { return }
    if visit.identifier != typed { visit.identifier = typed }
  }

  /// Whether this start form was already submitted before or at the beginning of the current attempt: handling it
  /// again would discard that attempt (S16).
  ///
  /// Only an identical submission counts. Somebody who goes back and fills the page in again means to begin again.
  func isSentAgain(_ mark: UInt32) -> Bool {
    address.isStart && visit.hasAttempt(in: address.flow) && visit.sentForms.contains(mark)
  }

  /// Records a start form that was handled, so that it is recognised if it is submitted again.
  ///
  /// One that was not, for a reason of the moment such as a timeout, may be submitted again as it is. A refused form
  /// that names nobody is not recorded either: it discards nothing, however often it is submitted.
  ///
  /// If somebody signed in or out meanwhile, the visit has another id, for which the form is not valid anyway.
  mutating func noteForm(_ mark: UInt32) {
    guard address.isStart, visit.session == nil, visit.id == keptVisitID,
      refusals.isEmpty || namesSomebody, !refusals.contains(where: \.isOfTheMoment)
    else { return }
    visit.noteForm(mark)
  }

  private var namesSomebody: Bool {
    (form["identifier"] ?? form["email_address"])?.isEmpty == false
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

  /// Takes over the attempts that another tab has begun while this request was answered.
  mutating func adoptAttempts(of other: Visit) {
    guard let start = question.keptVisit else { return }
    visit.adoptAttempts(of: other, begunSince: start)
  }

  /// The sign-up of another tab, which a dead end of this flow leaves alone.
  var attemptBeside: Attempts.Numbered<SignUpState>? {
    address.flow == .signUp ? nil : visit.attempts.signUp
  }

  /// Forgets the attempt of this flow; one of another flow, in another tab, stays.
  mutating func dropAttempt() {
    switch address.flow {
    case .signUp:
      visit.attempts.signUp = nil
      // A sign-up that went on in a browser is kept as an attempt to get in.
      if case .browserRequired(let prompt)? = visit.signIn, prompt.origin == .signUp {
        visit.attempts.entry = nil
        visit.typedDetails[.emailAddress] = prompt.identifier.text
      }
    case .signIn, .passwordReset: visit.attempts.entry = nil
    }
  }

  /// Enters the result of a step into the visit.
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

/// The result of a request to a flow, before it becomes an answer.
enum FlowResult<Scene: Sendable>: Sendable {
  /// The requested page, made of that scene.
  case show(Scene)
  /// The requested page, which itself shows the refusal.
  case tell(Scene, AuthError)
  /// A redirect to that page, with what it has to say.
  case redirect(Address, [Notice] = [], AuthError? = nil)
  /// Somebody is signed in, perhaps with open tasks.
  case signedIn(Session, [Notice])
  case signedOut
  /// The auth API or the flow refused; the visit is where that left the attempt.
  case refused(AuthError)
  /// Refused, and the page stays, wherever the reason would lead otherwise.
  case failed(AuthError)
  /// The step is not due here: a stale tab, or steps out of order.
  case misplaced
  /// Somebody is signed in already.
  case alreadyIn
  /// The backup codes as a file to save.
  case backupCodes(BackupCodes)
}

extension FlowResult {
  /// Whether it shows the requested page.
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

  /// A required value is missing.
  static func missing(_ field: Field) -> FlowResult {
    .refused(Problem(.missing, at: field, code: OwnCode.required))
  }

  /// Nothing was chosen, or something that is not offered.
  static func noneChosen(at field: Field?) -> FlowResult {
    .refused(Problem(.noneChosen, at: field, code: OwnCode.noneChosen))
  }

  static func tooLong(_ field: Field) -> FlowResult { .refused(.tooLong(field)) }
}

extension AuthError {
  /// The attempt has ended without the auth API having said so.
  static let ended = AuthError(Problem(.attemptEnded, code: OwnCode.attemptEnded))
}
