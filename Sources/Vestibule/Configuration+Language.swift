internal import Localization
internal import Pages

extension Configuration {
  /// The single language of the pages; nil if each reader has their own, or if the text is not a language tag.
  var languageTag: LanguageTag? {
    language.flatMap { LanguageTag($0.replacing("_", with: "-")) }
  }

  /// Why the pages cannot be in the single language that was asked for; nil if they can.
  ///
  /// - Returns: The predicate of a sentence: `is not a language that the pages speak (en, de)`.
  /// - Throws: `StartFailure` if the templates, which include the language files, are one folder deeper.
  public func languageObstacle() throws(StartFailure) -> String? {
    guard language != nil else { return nil }
    try refuseFoldersAround()
    do throws(CatalogueFault) {
      let known = try Catalogues<PhraseKey>.choosable(among: .init(under: templates))
      return languageChoice(among: known) == nil ? Self.obstacle(among: known) : nil
    } catch {
      // The code that reads the files reports what is wrong with them.
      return nil
    }
  }

  /// The configured language, or the known one that it is a variant of: `de` for `de-AT`.
  ///
  /// - Throws: `StartFailure` if there is no such language.
  func checkedLanguage(among known: [LanguageTag]) throws(StartFailure) -> LanguageTag? {
    guard let language else { return nil }
    guard let choice = languageChoice(among: known) else {
      throw StartFailure(
        .configuration,
        "The configured language \(Self.obstacle(among: known)): \(language)"
      )
    }
    return choice
  }

  private func languageChoice(among known: [LanguageTag]) -> LanguageTag? {
    languageTag.flatMap { LanguagePriorities(acceptLanguage: $0.text).choice(among: known) }
  }

  private static func obstacle(among known: [LanguageTag]) -> String {
    let names = known.map(\.text).joined(separator: ", ")
    return "is not a language that the pages speak (\(names))"
  }
}
