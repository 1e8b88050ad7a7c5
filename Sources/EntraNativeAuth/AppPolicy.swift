public import AuthFlow

/// The set-up of the app in front of a tenant, which the tenant does not report.
public struct AppPolicy: Hashable, Sendable {
  /// Whether the first page asks only for the address.
  public var asksIdentifierFirst: Bool
  public var takesSignUps: Bool
  /// Whether accounts have passwords at all.
  public var usesPasswords: Bool
  /// The minimum length of a new password, in characters.
  public var minimumPasswordLength: Int
  /// The character classes that a new password needs in addition to the service's own rule, which
  /// is three kinds of four.
  public var requiredCharacterClasses: [PasswordRules.CharacterClass]
  /// How long a session lasts that is never renewed, in seconds.
  public var sessionLifetime: Double
  /// The address for people who need help; nil if there is none.
  public var supportAddress: String?

  public init(
    asksIdentifierFirst: Bool = false,
    takesSignUps: Bool = true,
    usesPasswords: Bool = true,
    minimumPasswordLength: Int = 8,
    requiredCharacterClasses: [PasswordRules.CharacterClass] = [],
    sessionLifetime: Double = 604_800,
    supportAddress: String? = nil
  ) {
    self.asksIdentifierFirst = asksIdentifierFirst
    self.takesSignUps = takesSignUps
    self.usesPasswords = usesPasswords
    self.minimumPasswordLength = minimumPasswordLength
    self.requiredCharacterClasses = requiredCharacterClasses
    self.sessionLifetime = sessionLifetime
    self.supportAddress = supportAddress
  }

  /// The minimum length of a new password: the policy's, but never less than the service's.
  var shortestPassword: Int { max(PasswordLimits.minimum, minimumPasswordLength) }
}
