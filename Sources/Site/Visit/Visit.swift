internal import AuthFlow
internal import Foundation

/// What one browser is in the middle of: a small value, sealed and kept in its cookies.
///
/// There is no session store: any process with the key can answer any request, and a restart loses
/// nobody. No password is ever in it (S12).
struct Visit: Codable, Hashable, Sendable {
  /// Binds form tokens; a new one at every gain of privilege (S13).
  var id: String
  /// The ids before, newest first: forms made then are over, but not forged.
  var earlierIDs: [String] = []
  var world: String
  /// By the machine's clock: a seal from the future is not believed (S34).
  var sealedAt: Date
  /// By the world's clock.
  var expiresAt: Date

  var memory = ProviderMemory()
  var signIn: SignInProgress?
  var signUp: SignUpState?
  var passwordReset: PasswordResetState?
  var session: Session?
  /// How far a second factor has come, its secret and its backup codes among that.
  var secondFactorSetup: SecondFactorSetup?
  /// What the person was shown to choose from, so that a refused form comes back whole.
  var organizationOptions: OrganizationOptions?

  /// What the person last said they are: carried from page to page, so that it is asked once.
  var identifier: String?
  /// Where a finished sign-in goes: checked when it was taken, never read from a form (S15).
  var returnAddress: String?
  /// The attempts that a link finished here: opened again, it says so.
  var usedLinks: [Continuation]?
  var lock: Lock?
  var block: Block?
  var news: News?

  static let lifetime: TimeInterval = 24 * 60 * 60
  private static let earlierIDLimit = 4

  init(id: String, world: String, machineNow: Date, worldNow: Date) {
    self.id = id
    self.world = world
    sealedAt = machineNow
    expiresAt = worldNow.addingTimeInterval(Self.lifetime)
  }
}

/// A sign-in under way, and the flow in whose name its pages speak.
struct SignInProgress: Codable, Hashable, Sendable {
  var state: SignInState
  /// Whether it finishes a password reset: the second factor of one is asked on the same pages.
  var finishesPasswordReset = false
}

/// A locked account: kept, so that its page survives a reload.
struct Lock: Codable, Hashable, Sendable {
  var problem: Problem
  /// By the world's clock; nil until support unlocks it.
  var until: Date?
  var traceID: String?
}

/// A dead end: kept, so that its page survives a reload.
struct Block: Codable, Hashable, Sendable {
  var error: AuthError
  var offersSignOut = false
}

extension Block {
  /// A session whose next task nobody here has heard of; nil for any other.
  init?(ofTaskIn session: Session) {
    guard case .unknown(let key)? = session.tasks.first else { return nil }
    self.init(error: AuthError(Problem(.noUsableMethod, code: key)), offersSignOut: true)
  }
}

/// What the next page has to tell; kept until the next submit, or until another page is opened.
struct News: Codable, Hashable, Sendable {
  var path: String
  var notices: [Notice] = []
  var error: AuthError?
}

extension Visit {
  /// Takes a new id: what was known of the old one opens nothing any more.
  mutating func renewID(_ id: String) {
    earlierIDs = Array(([self.id] + earlierIDs).prefix(Self.earlierIDLimit))
    self.id = id
  }

  /// Forgets every attempt, but not the browser, the identifier or the return address.
  mutating func dropAttempts() {
    signIn = nil
    signUp = nil
    passwordReset = nil
    secondFactorSetup = nil
    organizationOptions = nil
    lock = nil
    block = nil
  }

  /// Forgets the person; the provider's memory stays, so that the device stays known.
  mutating func forgetPerson() {
    dropAttempts()
    session = nil
    identifier = nil
    returnAddress = nil
    news = nil
  }
}
