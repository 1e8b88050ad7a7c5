public import Localization

/// The languages to choose from, at the foot of a page.
public struct LanguageMenu: Hashable, Sendable {
  /// The query parameter that chooses a language.
  public static let parameter = "language"

  let languages: [LanguageTag]
  /// The other parameters of the page's address, percent-encoded, which stay as they are; empty if
  /// there are none.
  let query: String

  public init(_ languages: [LanguageTag], query: String = "") {
    self.languages = languages
    self.query = query
  }

  /// The address that shows the page at that path in another language.
  func address(of language: LanguageTag, for page: String) -> String {
    "\(page)?\(query.isEmpty ? "" : "\(query)&")\(Self.parameter)=\(language.text)"
  }
}
