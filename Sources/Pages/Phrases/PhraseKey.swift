public import Localization

/// The key of a message, grouped by where it is used.
public enum PhraseKey: Hashable, Sendable, MessageKey {
  case common(CommonPhrase)
  case field(FieldPhrase)
  case outcome(OutcomePhrase)
  case page(PagePhrase)
  /// A message for an error code of an auth API; only custom files have any.
  case code(String)
  /// The label of an attribute that an auth API asks for at sign-up, by its name there, or its hint;
  /// only custom files have any.
  case attribute(String)
  /// A message for custom templates; only custom files have any.
  case own(String)

  public static let allKeys: [PhraseKey] =
    CommonPhrase.allCases.map(PhraseKey.common) + FieldPhrase.allCases.map(PhraseKey.field)
    + OutcomePhrase.allCases.map(PhraseKey.outcome) + PagePhrase.allCases.map(PhraseKey.page)

  /// The key of a name in a template; nil for a name that no template may use.
  init?(name: String) {
    if let phrase = CommonPhrase(rawValue: name) {
      self = .common(phrase)
    } else if let phrase = FieldPhrase(rawValue: name) {
      self = .field(phrase)
    } else if let phrase = OutcomePhrase(rawValue: name) {
      self = .outcome(phrase)
    } else if let phrase = PagePhrase(rawValue: name) {
      self = .page(phrase)
    } else if let added = Self.added(named: name) {
      self = added
    } else {
      return nil
    }
  }

  public var name: String {
    switch self {
    case .common(let phrase): phrase.rawValue
    case .field(let phrase): phrase.rawValue
    case .outcome(let phrase): phrase.rawValue
    case .page(let phrase): phrase.rawValue
    case .code(let code): "\(Self.codePrefix)\(code)"
    case .attribute(let name): "\(Self.attributePrefix)\(name)"
    case .own(let name): "\(Self.addedPrefix)\(name)"
    }
  }

  public var number: Int? {
    switch self {
    case .common(let phrase): phrase.caseNumber
    case .field(let phrase): 0x100 + phrase.caseNumber
    case .outcome(let phrase): 0x200 + phrase.caseNumber
    case .page(let phrase): 0x300 + phrase.caseNumber
    case .code, .attribute, .own: nil
    }
  }

  /// Whether the page's script puts a value in its place.
  var isFilledByScript: Bool { self == .common(.timeLeft) }

  private static let codePrefix = "error."
  private static let attributePrefix = "attribute."
  private static let addedPrefix = "own."

  public static var ownPrefix: String? { addedPrefix }

  public static func unlisted(_ name: String) -> PhraseKey? {
    part(of: name, after: codePrefix).map(PhraseKey.code)
      ?? part(of: name, after: attributePrefix).map(PhraseKey.attribute) ?? added(named: name)
  }

  /// The key of an attribute's hint.
  static func hint(ofAttribute name: String) -> PhraseKey { .attribute("\(name).hint") }

  private static func added(named name: String) -> PhraseKey? {
    part(of: name, after: addedPrefix).map(PhraseKey.own)
  }

  /// The name without the prefix; nil if nothing is left or it begins otherwise.
  private static func part(of name: String, after prefix: String) -> String? {
    guard name.hasPrefix(prefix), name.utf8.count > prefix.utf8.count else { return nil }
    return String(name.dropFirst(prefix.count))
  }

  /// The words of emails and text messages are in the same files.
  public static func isForeign(_ name: String) -> Bool { name.hasPrefix("message.") }
}
