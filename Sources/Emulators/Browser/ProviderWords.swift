internal import HTTPExchange
internal import HTTPTypes
internal import Localization

/// What the pages of an emulated identity provider say, escaped, in the language of their reader.
struct ProviderWords {
  private let catalogue: Catalogue<MessagePhrase>

  /// - Parameters:
  ///   - words: What the world says, in every language.
  ///   - request: Says what its reader reads.
  init(_ words: MessageWords, for request: Request) {
    catalogue = words.catalogue(for: [request.headerFields[.acceptLanguage]].compactMap(\.self))
  }

  var language: LanguageTag { catalogue.language }

  subscript(phrase: MessagePhrase) -> String { self[phrase, [:]] }

  /// - Parameters:
  ///   - phrase: What is said.
  ///   - values: Data, by the names that the phrase has for them.
  subscript(phrase: MessagePhrase, values: [String: String]) -> String {
    let isolates = language.direction == .rightToLeft
    return HTMLText.escaped(
      catalogue.text(phrase, values.mapValues { .fragment(isolates ? $0.isolated : $0) })
    )
  }

  /// What is said as it is, for a place in another phrase.
  func plain(_ phrase: MessagePhrase) -> String { catalogue.text(phrase, [:]) }

  func paragraph(_ phrase: MessagePhrase) -> String { "<p>\(self[phrase])</p>" }
}
