/// The sessions of a person, each with the form that ends it.
public struct SessionList: Sendable {
  public struct Entry: Sendable {
    public var name: Phrase
    public var isCurrent: Bool
    public var detail: Phrase?
    /// Its name in a page's forms; nil where the page's own form ends it.
    public var formName: String?
  }

  /// Empty where the list is folded.
  public var entries: [Entry]
}
