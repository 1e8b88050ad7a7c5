/// The sessions of a person, each with the form that ends it.
public struct SessionList: Sendable {
  public struct Entry: Sendable {
    public var name: Phrase
    public var isCurrent: Bool
    public var detail: Phrase?
    /// The name of the form that ends it; nil for the current session, which the sign-out form
    /// ends.
    public var formName: String?
  }

  /// Empty where the list is folded.
  public var entries: [Entry]
}
