internal import HTTPExchange
internal import HTTPTypes
internal import Localization

/// The words of an emulated identity provider's pages, escaped, in the reader's language.
struct ProviderWords {
  private let catalogue: Catalogue<MessagePhrase>

  /// - Parameters:
  ///   - words: The world's words, in every language.
  ///   - request: Its `Accept-Language` counts.
  init(_ words: MessageWords, for request: Request) {
    catalogue = words.catalogue(for: [request.headerFields[.acceptLanguage]].compactMap(\.self))
  }

  var language: LanguageTag { catalogue.language }

  subscript(phrase: MessagePhrase) -> String { self[phrase, [:]] }

  /// - Parameters:
  ///   - phrase: The phrase.
  ///   - values: The values of the phrase's placeholders, by name.
  subscript(phrase: MessagePhrase, values: [String: String]) -> String {
    let isolates = language.direction == .rightToLeft
    return HTMLText.escaped(
      catalogue.text(phrase, values.mapValues { .fragment(isolates ? $0.isolated : $0) })
    )
  }

  /// A phrase unescaped, as a value for a placeholder of another phrase.
  func plain(_ phrase: MessagePhrase) -> String { catalogue.text(phrase, [:]) }

  func paragraph(_ phrase: MessagePhrase) -> String { "<p>\(self[phrase])</p>" }
}
