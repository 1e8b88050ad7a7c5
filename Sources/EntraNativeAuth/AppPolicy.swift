public import AuthFlow

/// How the app in front of a tenant was set up to ask: the tenant does not tell.
public struct AppPolicy: Hashable, Sendable {
  /// Whether the first page asks for the address alone.
  public var asksIdentifierFirst: Bool
  public var takesSignUps: Bool
  /// Whether accounts have passwords at all.
  public var usesPasswords: Bool
  /// What a new password needs, in characters.
  public var minimumPasswordLength: Int
  /// What a new password needs besides the service's own rule, which is three kinds of four.
  public var requiredCharacterClasses: [PasswordRules.CharacterClass]
  /// How long a session lasts that is never renewed, in seconds.
  public var sessionLifetime: Double
  /// Where people are sent that need help; nil where nobody is named.
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

  /// What a new password needs, as far as the service goes along.
  var shortestPassword: Int { max(PasswordLimits.minimum, minimumPasswordLength) }
}
