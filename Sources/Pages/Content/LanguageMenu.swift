public import Localization

/// The languages to choose from, at the foot of a page.
public struct LanguageMenu: Hashable, Sendable {
  /// What an address names the chosen language by.
  public static let parameter = "language"

  let languages: [LanguageTag]
  /// The parameters of the page's address, encoded, which stay as they are; empty where there are
  /// none.
  let query: String

  public init(_ languages: [LanguageTag], query: String = "") {
    self.languages = languages
    self.query = query
  }

  /// Where a language is chosen for that page.
  func address(of language: LanguageTag, for page: String) -> String {
    "\(page)?\(query.isEmpty ? "" : "\(query)&")\(Self.parameter)=\(language.text)"
  }
}
