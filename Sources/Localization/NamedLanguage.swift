/// The languages with a known name for menus and a known plural rule.
///
/// Both are in one list, so that no language is offered by name without its plurals having been
/// looked up.
enum NamedLanguage: String, CaseIterable {
  case arabic = "ar"
  case czech = "cs"
  case danish = "da"
  case german = "de"
  case greek = "el"
  case english = "en"
  case spanish = "es"
  case persian = "fa"
  case finnish = "fi"
  case french = "fr"
  case hebrew = "he"
  case hindi = "hi"
  case hungarian = "hu"
  case indonesian = "id"
  case italian = "it"
  case japanese = "ja"
  case korean = "ko"
  case norwegian = "nb"
  case dutch = "nl"
  case polish = "pl"
  case portuguese = "pt"
  case romanian = "ro"
  case russian = "ru"
  case swedish = "sv"
  case thai = "th"
  case turkish = "tr"
  case ukrainian = "uk"
  case urdu = "ur"
  case vietnamese = "vi"
  case chinese = "zh"

  /// The language of a tag, whatever its country; nil where it is none of these.
  init?(of tag: LanguageTag) { self.init(rawValue: String(tag.language)) }

  /// The name in the language itself, spelled as for the start of a menu entry.
  ///
  /// Source: Unicode CLDR, `localeDisplayNames` of each language.
  var ownName: String {
    switch self {
    case .arabic: "العربية"
    case .czech: "Čeština"
    case .danish: "Dansk"
    case .german: "Deutsch"
    case .greek: "Ελληνικά"
    case .english: "English"
    case .spanish: "Español"
    case .persian: "فارسی"
    case .finnish: "Suomi"
    case .french: "Français"
    case .hebrew: "עברית"
    case .hindi: "हिन्दी"
    case .hungarian: "Magyar"
    case .indonesian: "Bahasa Indonesia"
    case .italian: "Italiano"
    case .japanese: "日本語"
    case .korean: "한국어"
    case .norwegian: "Norsk bokmål"
    case .dutch: "Nederlands"
    case .polish: "Polski"
    case .portuguese: "Português"
    case .romanian: "Română"
    case .russian: "Русский"
    case .swedish: "Svenska"
    case .thai: "ไทย"
    case .turkish: "Türkçe"
    case .ukrainian: "Українська"
    case .urdu: "اردو"
    case .vietnamese: "Tiếng Việt"
    case .chinese: "中文"
    }
  }

  /// The plural rule of the language.
  ///
  /// - Parameter tag: The full tag: Portuguese of Portugal has a rule of its own.
  /// - Returns: The rule according to CLDR.
  func pluralRule(of tag: LanguageTag) -> PluralRule {
    switch self {
    case .chinese, .indonesian, .japanese, .korean, .thai, .vietnamese: .none
    case .danish, .dutch, .english, .finnish, .german, .greek, .hungarian, .norwegian, .swedish,
      .turkish, .urdu:
      .one
    case .hindi, .persian: .zeroToOne
    case .italian, .spanish: .oneAndMillions
    case .french: .zeroToOneAndMillions
    case .portuguese: tag.text == "pt-PT" ? .oneAndMillions : .zeroToOneAndMillions
    case .hebrew: .oneAndTwo
    case .czech: .czech
    case .polish: .polish
    case .russian, .ukrainian: .eastSlavic
    case .romanian: .romanian
    case .arabic: .arabic
    }
  }
}
