/// The rules that a new password has to keep; the auth API decides, pages only tell.
public struct PasswordRules: Hashable, Codable, Sendable {
  public enum CharacterClass: String, Hashable, Codable, Sendable, CaseIterable {
    case upper, lower, number, special
  }

  /// In characters.
  public var minimumLength: Int
  /// In characters; nil where the auth API does not say.
  public var maximumLength: Int?
  public var required: [CharacterClass]
  /// How many classes a password has to mix at least, whichever; nil where that does not matter.
  public var classCount: Int?

  public init(
    minimumLength: Int,
    maximumLength: Int? = nil,
    required: [CharacterClass] = [],
    classCount: Int? = nil
  ) {
    self.classCount = classCount
    self.minimumLength = minimumLength
    self.maximumLength = maximumLength
    self.required = required
  }
}
