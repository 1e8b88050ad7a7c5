/// The rules for a new password; the auth API decides, and pages only show them.
public struct PasswordRules: Hashable, Codable, Sendable {
  public enum CharacterClass: String, Hashable, Codable, Sendable, CaseIterable {
    case upper, lower, number, special
  }

  /// In characters.
  public var minimumLength: Int
  /// In characters; nil where the auth API does not say.
  public var maximumLength: Int?
  public var required: [CharacterClass]
  /// The minimum number of different character classes; nil where there is none.
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
