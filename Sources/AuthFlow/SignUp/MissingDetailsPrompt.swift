/// Asks for the details that are still missing.
public struct MissingDetailsPrompt: Hashable, Codable, Sendable {
  public let attempt: SignUpAttempt
  /// At least one, in the order of the page.
  public let entries: [SignUpForm.Entry]

  public var fields: [Field] { entries.map(\.field) }

  /// Returns nil where nothing is missing.
  @_spi(Provider) public init?(attempt: SignUpAttempt, entries: [SignUpForm.Entry]) {
    guard !entries.isEmpty else { return nil }
    self.attempt = attempt
    self.entries = entries
  }

  /// Returns nil where nothing is missing; every field is required.
  @_spi(Provider) public init?(attempt: SignUpAttempt, fields: [Field]) {
    self.init(attempt: attempt, entries: fields.map { SignUpForm.Entry($0, isRequired: true) })
  }
}
