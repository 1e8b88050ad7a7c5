internal import Localization
internal import Pages

extension Configuration {
  /// The one language of the pages; nil where each reader has their own, and for what is no tag.
  var languageTag: LanguageTag? {
    language.flatMap { LanguageTag($0.replacing("_", with: "-")) }
  }

  /// Why the pages cannot be in the one language that is asked for; nil where they can.
  ///
  /// - Returns: What is to be said of it: `is not a language that the pages speak (en, de)`.
  /// - Throws: `StartFailure` where the templates, among which a language has its file, are one folder deeper.
  public func languageObstacle() throws(StartFailure) -> String? {
    guard language != nil else { return nil }
    try refuseFoldersAround()
    do throws(CatalogueFault) {
      let known = try Catalogues<PhraseKey>.choosable(among: .init(under: templates))
      return languageChoice(among: known) == nil ? Self.obstacle(among: known) : nil
    } catch {
      // Whoever reads the files tells what is wrong with them.
      return nil
    }
  }

  /// The language that is fixed, or the one that it is a kind of: `de` for `de-AT`.
  ///
  /// - Throws: `StartFailure` where it is none of those.
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
