internal import AuthFlow
internal import Foundation
internal import HTTPExchange

/// What one browser is in the middle of: a small value, sealed and kept in its cookies.
///
/// There is no session store: any process with the key can answer any request, and a restart loses
/// nobody. No password is ever in it (S12).
struct Visit: Hashable, Sendable {
  /// Base64 of `idLength` random bytes.
  ///
  /// Form tokens are bound to it. It is renewed whenever somebody gets in or out (S13).
  var id: String
  /// Earlier ids, newest first: forms made under them are over, but not forged.
  var earlierIDs: [String] = []

  /// All its ids, newest first.
  var ids: [String] { [id] + earlierIDs }
  var world: String
  /// By the machine's clock: a seal from the future is not believed (S34).
  var sealedAt: Date
  /// By the world's clock.
  var expiresAt: Date
  /// Changes with each seal; zero at the first of a `FreshVisit`.
  ///
  /// It shows whether something came after an answer that is repeated (S16).
  var revision: UInt32 = 0

  var memory = ProviderMemory()
  /// The identifier that was typed last: carried from page to page, so that it is asked for once.
  var identifier: String?
  /// What was typed into a sign-up that was refused or has ended, without secrets: carried to the
  /// next (N6).
  var typedDetails: [Field: String] = [:]
  /// Where a finished sign-in leads: checked when it was accepted, never read from a form (S15).
  var returnAddress: String?
  /// Where the sign-out leads whose page is open; checked like the return address.
  var addressAfterSignOut: String?
  /// Where somebody who got in, or was in already, was led last; nil if they have only been to the account page.
  private(set) var ledTo: LedTo?
  /// The attempts that a link has finished here: opened again, it says so.
  var usedLinks: [Continuation] = []
  var flash: Flash?
  var standing = Standing.attempts(Attempts())
  /// The marks of the start forms that were submitted and handled, newest first.
  ///
  /// The process soon forgets a submission, and another replica never knew it. These marks recognise a form that is
  /// submitted again, wherever it arrives, so that it does not discard the attempt that followed (S16).
  private(set) var sentForms: [UInt32] = []
  /// The number of attempts begun, which numbers the next one.
  private(set) var attemptCount = 0

  /// In bytes.
  static let idLength = 16
  static let lifetime: TimeInterval = 24 * 60 * 60
  /// However long a session lives: browsers keep no cookie for longer (RFC 6265bis, "The Max-Age Attribute").
  static let longestLifetime: TimeInterval = 400 * 24 * 60 * 60
  private static let earlierIDLimit = 4
  private static let usedLinkLimit = 3
  private static let sentFormLimit = 8

  init(id: String, world: String, machineNow: Date, worldNow: Date) {
    self.id = id
    self.world = world
    sealedAt = machineNow
    expiresAt = worldNow.addingTimeInterval(Self.lifetime)
  }
}

/// A new visit, in which nothing has happened: only its id, world and times are known.
struct FreshVisit: Sendable {
  /// Random.
  let idBytes: [UInt8]
  let id: String
  let world: String
  let machineNow: Date
  let worldNow: Date

  init(idBytes: [UInt8], world: String, machineNow: Date, worldNow: Date) {
    self.idBytes = idBytes
    id = Base64URL.text(of: idBytes)
    self.world = world
    self.machineNow = machineNow
    self.worldNow = worldNow
  }
}

/// What the next page has to say; kept until the next submit, or until another page is opened.
struct Flash: Codable, Hashable, Sendable {
  var path: String
  var notices: [Notice] = []
  var error: AuthError?
  /// The reference of the request whose refusal the page shows; nil where it shows none.
  var reference: String?
}

/// A return address to which somebody was led who had got in, or was in already.
///
/// An application there that does not know that they are in sends them back at once, for ever.
struct LedTo: Codable, Hashable, Sendable {
  var address: String
  /// By the world's clock.
  var at: Date
  /// The number of times in a row, each soon after the one before.
  var count = 1

  /// The greatest number of times in a row.
  static let limit = 3
  private static let soon: TimeInterval = 5

  init(address: String, at now: Date) {
    self.address = address
    at = now
  }

  /// Whether somebody who comes then has come straight back.
  func isJustBefore(_ now: Date) -> Bool { (0..<Self.soon).contains(now.timeIntervalSince(at)) }
}

extension Visit {
  /// Whether somebody has been signed in, or had to sign in again: each of these renews the id.
  var hasBeenIn: Bool { !earlierIDs.isEmpty }

  /// Takes a new id; the old one, and forms made for it, open nothing any more.
  mutating func renewID(_ id: String) {
    earlierIDs = Array(([self.id] + earlierIDs).prefix(Self.earlierIDLimit))
    self.id = id
    sentForms = []
  }

  /// Records that this start form was handled.
  mutating func noteForm(_ mark: UInt32) {
    guard !sentForms.contains(mark) else { return }
    if sentForms.count >= Self.sentFormLimit { sentForms.removeLast() }
    sentForms.insert(mark, at: 0)
  }

  /// Signs somebody in, perhaps with open tasks; this ends every attempt.
  mutating func enter(_ session: Session, pending: SignedIn.Pending? = nil) {
    standing = .signedIn(SignedIn(session: session, pending: pending))
    typedDetails = [:]
  }

  /// Forgets the person; the provider's memory stays, so that the device stays known.
  mutating func forgetPerson() {
    standing = .attempts(Attempts())
    identifier = nil
    typedDetails = [:]
    returnAddress = nil
    addressAfterSignOut = nil
    ledTo = nil
    flash = nil
  }

  /// Records that somebody is led to that address, if they are not sent round and round.
  ///
  /// - Parameters:
  ///   - address: A return address.
  ///   - now: By the world's clock.
  /// - Returns: False if they have come back from there again and again: the application does not
  ///   know that they are in.
  @discardableResult
  mutating func lead(to address: String, at now: Date) -> Bool {
    var next = LedTo(address: address, at: now)
    if let ledTo, ledTo.address == address, ledTo.isJustBefore(now) { next.count += ledTo.count }
    guard next.count <= LedTo.limit else {
      // Whoever tries once more gets there.
      ledTo = nil
      return false
    }
    ledTo = next
    return true
  }

  /// Remembers that this attempt's link has done its work.
  mutating func spendLink(of attempt: Continuation) {
    usedLinks = Array(([attempt] + usedLinks).prefix(Self.usedLinkLimit))
  }

  /// Gives up a part that can be done without or obtained again, so that the rest fits into
  /// cookies.
  ///
  /// - Returns: Whether there was anything to give up.
  mutating func dropCargo() -> Bool {
    if case .signedIn(let signedIn) = standing, case .organization? = signedIn.pending {
      enter(signedIn.session)
    } else if flash != nil {
      flash = nil
    } else if ledTo != nil {
      ledTo = nil
    } else if !typedDetails.isEmpty {
      typedDetails = [:]
    } else if returnAddress != nil {
      returnAddress = nil
    } else if addressAfterSignOut != nil {
      addressAfterSignOut = nil
    } else {
      return false
    }
    return true
  }
}

extension Visit {
  /// The attempts under way; none while somebody is in.
  ///
  /// A lock or a dead end is kept until a sign-in or a reset takes its place; a sign-up is kept
  /// beside it.
  var attempts: Attempts {
    get {
      switch standing {
      case .attempts(let attempts): attempts
      case .locked(let lock): Attempts(signUp: lock.signUp)
      case .blocked(let block): Attempts(signUp: block.signUp)
      case .signedIn: Attempts()
      }
    }
    set {
      switch standing {
      case .attempts: standing = .attempts(newValue)
      case .locked(var lock) where newValue.entry == nil:
        lock.signUp = newValue.signUp
        standing = .locked(lock)
      case .blocked(var block) where newValue.entry == nil && block.session == nil:
        block.signUp = newValue.signUp
        standing = .blocked(block)
      case .locked, .blocked, .signedIn:
        if !newValue.isEmpty { standing = .attempts(newValue) }
      }
    }
  }

  /// Takes over the attempts that another answer has begun since both were given the same visit,
  /// unless this answer has begun one in their place, or led to a dead end.
  ///
  /// - Parameters:
  ///   - other: The visit as the other answer left it.
  ///   - start: The visit that both were given.
  mutating func adoptAttempts(of other: Visit, begunSince start: Visit) {
    guard standingSession == nil, other.attemptCount > start.attemptCount else { return }
    func isNew(_ number: Int?) -> Bool { number.map { $0 > start.attemptCount } ?? false }
    let (begun, own) = (other.attempts, attempts)
    if case .attempts = standing, isNew(begun.entry?.number), !isNew(own.entry?.number) {
      attempts.entry = begun.entry
    }
    if isNew(begun.signUp?.number), !isNew(own.signUp?.number) { attempts.signUp = begun.signUp }
    attemptCount = max(attemptCount, other.attemptCount)
    for form in other.sentForms.reversed() { noteForm(form) }
    // What these attempts need, unless this answer has changed it, too.
    func adopt<Part: Equatable>(_ part: WritableKeyPath<Visit, Part>, into visit: inout Visit) {
      if visit[keyPath: part] == start[keyPath: part] {
        visit[keyPath: part] = other[keyPath: part]
      }
    }
    adopt(\.memory, into: &self)
    adopt(\.identifier, into: &self)
    adopt(\.typedDetails, into: &self)
    adopt(\.returnAddress, into: &self)
  }

  /// Restores the count of attempts.
  mutating func restore(attemptCount: Int) { self.attemptCount = attemptCount }

  /// Restores where somebody was led last.
  mutating func restore(ledTo: LedTo?) { self.ledTo = ledTo }

  /// Restores the marks of submitted forms.
  mutating func restore(sentForms: [UInt32]) { self.sentForms = sentForms }

  /// A number that no other attempt of this visit has had.
  mutating func nextAttemptNumber() -> Int {
    attemptCount += 1
    return attemptCount
  }

  var session: Session? {
    if case .signedIn(let signedIn) = standing { return signedIn.session }
    return nil
  }

  /// Whether somebody is in, and nothing is left to do for that.
  var isSettled: Bool {
    guard case .signedIn(let signedIn) = standing else { return false }
    return signedIn.pending == nil && signedIn.session.status == .active
  }

  /// The state of the sign-in, including one that finishes a password reset.
  var signIn: SignInState? { attempts.entry.flatMap(\.state.signIn) }
  var passwordReset: PasswordResetStep? { attempts.entry?.state.passwordReset }
  var signUp: SignUpState? { attempts.signUp?.state }

  /// What was typed into sign-ups, the current one and earlier ones, without secrets.
  var signUpDetails: [Field: String] {
    typedDetails.merging(signUp?.attempt?.values ?? [:]) { $1 }
  }
}
