internal import AuthFlow
internal import Emulators
internal import Foundation
internal import Headless
internal import HTTPExchange
internal import Pages

/// The walk of one browser, as the steps of a story.
struct Recording: Sendable {
  /// How the recorded browser is recognised.
  enum Following: Sendable {
    /// By the cookie that names the recording.
    case cookie
    /// As the first browser that comes: it sent no cookies, and may not keep any that it is given.
    case first
    /// As the browser that came first, by the ids that the site has given its visit so far.
    case visit([String])
  }

  /// A step that another page completes.
  private struct Pending: Sendable {
    var step: [JSON.Member]
    /// Where it redirected to; nil until it is answered.
    var location: String?
  }

  /// How many steps are kept; longer walks cannot be exported.
  static let stepLimit = 200
  private static let textLimitBytes = 8 * 1024

  let id: String
  let title: String
  let world: WorldName
  let api: EmulatedAPI
  private(set) var beginning: RecordedBeginning
  private var following: Following
  /// The serial number of this beginning among those of all recordings.
  let number: Int
  private(set) var steps: [JSON] = []
  /// Steps before the first one that invite those who had been invited when the walk began.
  private(set) var invitations: [JSON] = []
  /// Why the walk cannot be repeated, in a sentence.
  private(set) var obstacle: String?
  /// Whether the world was exported during the walk.
  private var wasExported = false
  private(set) var people = RecordedPeople()
  /// The identifiers among which the source of a code is sought; none if the walk cannot be
  /// repeated.
  var known: [String] { obstacle == nil ? people.all : [] }
  /// Whether the world created backup codes during the walk, which differ each time.
  private var hasNewBackupCodes = false
  private var pauses = RecordedPauses()
  private var pending: Pending?
  private var shown: [Form] = []
  private var lastSeen: Date?
  /// How often the browser has signed in; each time creates a session.
  private var entryCount = 0
  /// Whether the browser may still have a visit from before the beginning.
  private var isOfBefore = false

  init(
    id: String,
    title: String,
    world: WorldName,
    api: EmulatedAPI,
    beginning: RecordedBeginning,
    following: Following,
    number: Int
  ) {
    self.id = id
    self.title = title
    self.world = world
    self.api = api
    self.beginning = beginning
    self.following = following
    self.number = number
  }

  /// The same recording before its first step.
  private func anew(_ beginning: RecordedBeginning, _ number: Int) -> Recording {
    Recording(
      id: id,
      title: title,
      world: world,
      api: api,
      beginning: beginning,
      following: following,
      number: number
    )
  }

  // MARK: Whom it follows

  func follows(_ visit: [String]) -> Bool {
    switch following {
    case .cookie: false
    case .first: true
    case .visit(let names): !Set(names).isDisjoint(with: visit)
    }
  }

  mutating func follow(_ visit: [String]) {
    switch following {
    case .cookie: break
    case .first, .visit: following = .visit(visit)
    }
  }

  /// Follows a browser by its cookie from now on.
  ///
  /// It does keep cookies, so the browser that was followed meanwhile may have been another.
  mutating func followCookie(of visit: [String]) {
    switch following {
    case .cookie: return
    case .first: break
    case .visit:
      guard !follows(visit) else { break }
      // Calls of backstage stay; what the other browser did on the pages is not part of this walk.
      let kept = (
        steps: steps.filter { !$0.isOfPages }, people: people.ofBackstage, wasExported: wasExported
      )
      self = anew(beginning, number)
      (steps, people, wasExported) = kept
    }
    following = .cookie
  }

  /// Whether it waits for a browser that it has not seen yet.
  var isFollowingWhoeverComes: Bool {
    switch following {
    case .first: true
    case .cookie, .visit: false
    }
  }

  // MARK: Beside the pages

  /// - Parameters:
  ///   - event: What has happened.
  ///   - before: When it began, by the world's clock, which it may have moved.
  ///   - now: The world's time now.
  ///   - newNumber: The number of the new beginning, if this is one.
  mutating func note(
    _ event: RecordedEvent,
    since before: Date,
    at now: Date,
    numberingAs newNumber: Int
  ) {
    switch event {
    case .deed(let say, let key, let value, let accounts):
      if hasRoom { people.note(accounts: accounts) }
      interrupt(by: [.init("say", .string(say)), .init(key.rawValue, value)], at: before)
    case .told(let say): interrupt(by: [.init("say", .string(say))], at: before)
    case .exported: wasExported = wasExported || hasBegun
    case .imported(let document):
      if wasExported {
        // The imported world has this browser's sign-in of that time; a replaying browser has
        // another.
        obstruct("This world was exported during the walk, and a world was imported after that.")
      }
      // Its messages come with the document.
      beginning.messages = []
      interrupt(
        by: [.init("say", "Another world replaces this one."), .init("world", document)],
        at: before
      )
    case .reset(let beginning):
      self = anew(beginning, newNumber)
      isOfBefore = true
    case .unrepeatable(let words): obstruct(words)
    }
    lastSeen = lastSeen.map { _ in now }
  }

  /// - Parameters:
  ///   - arrival: Where the browser was brought, and how.
  ///   - before: When that began, by the world's clock, which it may have moved.
  ///   - now: By the world's clock.
  mutating func note(_ arrival: RecordedArrival, since before: Date, at now: Date) {
    entryCount += 1
    switch arrival.way {
    case .stand: interrupt(by: arrival.step, leadingTo: arrival.location, at: before)
    case .signIn(let identifier, let password):
      if hasRoom {
        people.note(accounts: [identifier])
        people.note(accepted: password, of: identifier)
      }
      let page = Address.signIn.path
      interrupt(
        by: [.init("say", .string("Opens \(page).")), .init("open", .string(page))],
        at: before
      )
      pending = Pending(step: arrival.step, location: arrival.location)
    }
    lastSeen = now
  }

  /// Adds a step that is not the browser's own.
  private mutating func interrupt(
    by step: [JSON.Member],
    leadingTo location: String? = nil,
    at now: Date
  ) {
    finishPending()
    tellPause(before: now, waitingFor: nil)
    if let location {
      pending = Pending(step: step, location: location)
    } else {
      append(step)
    }
  }

  /// Whether there is room for one more step and the people that it is about.
  private var hasRoom: Bool { steps.count < Self.stepLimit }

  private var hasBegun: Bool { !steps.isEmpty || pending != nil }

  /// The walk so far.
  ///
  /// It includes the last step even if nobody has opened the page that it led to, as with a client
  /// that follows no redirects.
  ///
  /// That step expects nothing, because the page was never seen.
  var untilNow: Recording {
    var walk = self
    walk.finishPending()
    return walk
  }

  // MARK: On the pages

  mutating func see(_ request: SeenRequest, _ source: RecordedSource, at now: Date) {
    let request = isOfBefore ? request.ofNewBrowser : request
    defer {
      lastSeen = now
      if request.step.page != nil { shown = request.forms }
    }
    // A download, which is not a step.
    guard request.step.page != nil || request.location != nil else { return }
    if isOfBefore, request.needsVisit {
      obstruct("The browser was in the middle of a flow when the world was reset.")
    }
    if request.step.errors.contains(SiteRefusal.formTokenInvalid.rawValue) {
      obstruct("A form was sent in a way that no browser sends it from its page.")
    }
    if !isAwaited(request) {
      if case .posted = request.step.way, pending?.location != nil {
        obstruct("A form was sent before the page that the last one led to was opened.")
      }
      finishPending()
      begin(request, source, at: now)
    }
    if request.step.page != nil { isOfBefore = false }
    if request.step.step == "backup-codes" { hasNewBackupCodes = true }
    guard var pending else { return }
    if let location = request.location, request.step.page == nil {
      pending.location = location
      self.pending = pending
      if !location.hasPrefix("/") { obstruct("The walk leads away from these pages.") }
    } else {
      pending.step.append(.init("expect", request.expectation))
      self.pending = nil
      append(pending.step)
    }
  }

  /// Whether the last response redirected the browser there.
  private func isAwaited(_ request: SeenRequest) -> Bool {
    guard case .opened = request.step.way else { return false }
    return pending?.location == request.target
  }

  /// Adds the last step without the page that it led to, which was never shown.
  private mutating func finishPending() {
    if let pending { append(pending.step) }
    pending = nil
  }

  private mutating func begin(_ request: SeenRequest, _ source: RecordedSource, at now: Date) {
    var step: [JSON.Member]
    var available: Date?
    switch request.step.way {
    case .opened:
      step = open(request, source)
    case .posted:
      guard let form = shown.first(where: { $0.isSource(of: request) }) else {
        obstruct("A form was sent to \(request.path), which the page before does not have.")
        return
      }
      step = submit(request, source, of: form)
      available = form.availableAt
      people.notePassword(in: request)
    }
    tellPause(before: now, waitingFor: available)
    tellNextCode(of: source, at: now)
    pending = Pending(step: step)
  }

  private mutating func open(_ request: SeenRequest, _ source: RecordedSource) -> [JSON.Member] {
    // Except for invitations, a link that a newer message hides leads to the same page in any
    // world.
    if let message = source.message, beginning.messages.contains(message.id),
      source.link != nil || message.purpose == .invitation
    {
      noteOldLink(of: message, isNewest: source.link != nil, at: request.path)
    }
    if let link = source.link {
      return [.init("say", "Opens the link of the newest message."), .init("open", link)]
    }
    if request.path == Address.browser.path, request.query != nil {
      obstruct(Self.comesBack)
    }
    return [
      .init("say", .string("Opens \(request.targetInWords).")),
      .init("open", .string(request.target)),
    ]
  }

  private static let comesBack = "The walk comes back from an organisation's own page."

  /// Handles the link of a message that no fresh world has: somebody who was invited is invited
  /// again.
  ///
  /// Somebody with an account may have been invited to it, or have created it with that very link.
  private mutating func noteOldLink(of message: Message, isNewest: Bool, at path: String) {
    guard message.purpose == .invitation, isNewest, path == Address.signUp.path,
      !beginning.hasAccount(message.to)
    else {
      obstruct("A link was opened from a message that was there before the walk began.")
      return
    }
    let invitation: JSON = [
      "say": "Somebody has been invited.", "invitation": ["email_address": .string(message.to)],
    ]
    if !invitations.contains(invitation) { invitations.append(invitation) }
  }

  private mutating func submit(
    _ request: SeenRequest,
    _ source: RecordedSource,
    of form: Form
  ) -> [JSON.Member] {
    let typed = form.typed(in: request.form)
    let known = Set(form.fields.map(\.field.name))
    if let unknown = typed.first(where: { !known.contains($0.name) }) {
      obstruct("\(unknown.name) was sent, which the form does not have.")
    }
    if typed.contains(where: { $0.value.utf8.count > Self.textLimitBytes }) {
      obstruct("More was typed than a recording keeps.")
      return []
    }
    // Forms that end other sessions exist in a replay only for sessions that the walk itself
    // creates.
    if form.endsOtherSession, entryCount < 2 { obstruct("Another browser's session was ended.") }
    // Either somebody approved there in another browser, or the attempt is over, which it is in any
    // world.
    if form.name == "finished", request.leadsAway(from: .browser), request.leadsAway(from: .signIn)
    {
      obstruct(Self.comesBack)
    }
    if request.leads(to: .account), request.path != Address.accountSessions.path { entryCount += 1 }
    if obstacle == nil { people.noteIdentifiers(in: typed) }
    if source.isGone, request.leadsOn { noteLostCode(at: request.path) }
    var step: [JSON.Member] = [.init("say", .string(form.words(for: typed)))]
    step.append(.init("form", .string(form.name)))
    let values = typed.map { field in
      JSON.Member(field.name, source.codes[field.name] ?? .string(field.value))
    }
    step.append(.init("submit", .object(values)))
    return step
  }

  /// Handles an accepted code that differs each time and whose source is unknown.
  private mutating func noteLostCode(at path: String) {
    if path != Address.backupCode.path {
      obstruct(
        "A code was typed that cannot be traced: its message is gone, or hidden."
      )
    } else if hasNewBackupCodes {
      // Older codes belong to the account that the walk begins with.
      obstruct("A backup code was typed that this world made during the walk.")
    }
  }

  private mutating func tellPause(before now: Date, waitingFor available: Date?) {
    guard let lastSeen,
      let pause = pauses.pause(from: lastSeen, to: now, waitingFor: available)
    else { return }
    tell(pause: pause)
  }

  private mutating func tellNextCode(of source: RecordedSource, at now: Date) {
    for identifier in source.codes.values.compactMap({ $0["totp"]?.string }) {
      if let pause = pauses.pause(beforeCodeOf: identifier, at: now) { tell(pause: pause) }
    }
  }

  /// Adds a pause, which a replay makes by moving the world's clock.
  private mutating func tell(pause seconds: Int64) {
    append([
      .init("say", .string("\(seconds) seconds pass.")),
      .init("clock", ["advance_seconds": .integer(seconds)]),
    ])
  }

  /// Records why the walk cannot be repeated; the first reason stays.
  private mutating func obstruct(_ words: String) { obstacle = obstacle ?? words }

  private mutating func append(_ step: [JSON.Member]) {
    guard hasRoom else {
      obstruct("The walk has more than \(Self.stepLimit) steps.")
      return
    }
    // The same page again, with nothing in between.
    let isReload = step.contains { $0.name == "open" } && steps.last == .object(step)
    if !isReload { steps.append(.object(step)) }
  }
}

extension JSON {
  /// Whether it is a step that a browser takes.
  fileprivate var isOfPages: Bool { ["open", "submit", "stand"].contains { self[$0] != nil } }
}
