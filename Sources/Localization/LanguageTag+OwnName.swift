extension LanguageTag {
  /// The name of the language in that language; the tag itself if the name is not known.
  public var ownName: String {
    switch text {
    case Self.accentedEnglish.text: return "Ĕñĝļíšĥ"
    case "zh-Hans": return "简体中文"
    case "zh-Hant": return "繁體中文"
    case "pt-BR": return "Português (Brasil)"
    case "pt-PT": return "Português (Portugal)"
    default: break
    }
    guard let name = NamedLanguage(of: self)?.ownName else { return text }
    return text == language ? name : "\(name) (\(text.dropFirst(language.count + 1)))"
  }
}
