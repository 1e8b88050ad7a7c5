extension LanguageTag {
  /// What its speakers call the language; the tag itself where that is not known here.
  ///
  /// Source: Unicode CLDR, `localeDisplayNames` of each language, as it begins an entry of a menu.
  public var ownName: String {
    switch text {
    case Self.accentedEnglish.text: return "Ĕñĝļíšĥ"
    case "zh-Hans": return "简体中文"
    case "zh-Hant": return "繁體中文"
    case "pt-BR": return "Português (Brasil)"
    case "pt-PT": return "Português (Portugal)"
    default: break
    }
    let name: String? =
      switch language {
      case "ar": "العربية"
      case "cs": "Čeština"
      case "da": "Dansk"
      case "de": "Deutsch"
      case "el": "Ελληνικά"
      case "en": "English"
      case "es": "Español"
      case "fa": "فارسی"
      case "fi": "Suomi"
      case "fr": "Français"
      case "he": "עברית"
      case "hi": "हिन्दी"
      case "hu": "Magyar"
      case "id": "Bahasa Indonesia"
      case "it": "Italiano"
      case "ja": "日本語"
      case "ko": "한국어"
      case "nb": "Norsk bokmål"
      case "nl": "Nederlands"
      case "pl": "Polski"
      case "pt": "Português"
      case "ro": "Română"
      case "ru": "Русский"
      case "sv": "Svenska"
      case "th": "ไทย"
      case "tr": "Türkçe"
      case "uk": "Українська"
      case "ur": "اردو"
      case "vi": "Tiếng Việt"
      case "zh": "中文"
      default: nil
      }
    guard let name else { return text }
    return text == language ? name : "\(name) (\(text.dropFirst(language.count + 1)))"
  }
}
