public import Localization

/// A sentence, a word or a pattern that catalogues hold, by where it is said.
public enum PhraseKey: Hashable, Sendable, MessageKey {
  case common(CommonPhrase)
  case field(FieldPhrase)
  case outcome(OutcomePhrase)
  case page(PagePhrase)
  /// What is said for a code of an auth API; only files of one's own have it.
  case code(String)

  public static let allKeys: [PhraseKey] =
    CommonPhrase.allCases.map(PhraseKey.common) + FieldPhrase.allCases.map(PhraseKey.field)
    + OutcomePhrase.allCases.map(PhraseKey.outcome) + PagePhrase.allCases.map(PhraseKey.page)

  /// The key of that name, where there is one.
  init?(name: String) {
    if let phrase = CommonPhrase(rawValue: name) {
      self = .common(phrase)
    } else if let phrase = FieldPhrase(rawValue: name) {
      self = .field(phrase)
    } else if let phrase = OutcomePhrase(rawValue: name) {
      self = .outcome(phrase)
    } else if let phrase = PagePhrase(rawValue: name) {
      self = .page(phrase)
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
    }
  }

  /// By case: on their own, enumerations with texts as raw values go by those.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .common(let phrase): hasher.combine(phrase, of: 0)
    case .field(let phrase): hasher.combine(phrase, of: 1)
    case .outcome(let phrase): hasher.combine(phrase, of: 2)
    case .page(let phrase): hasher.combine(phrase, of: 3)
    case .code(let code): hasher.combine(code)
    }
  }

  /// Whether the page's script puts a value in its place.
  var isFilledByScript: Bool { self == .common(.timeLeft) }

  private static let codePrefix = "error."

  public static func unlisted(_ name: String) -> PhraseKey? {
    guard name.hasPrefix(codePrefix), name.utf8.count > codePrefix.utf8.count else { return nil }
    return .code(String(name.dropFirst(codePrefix.count)))
  }

  /// Emails and text messages stand in the same files.
  public static func isForeign(_ name: String) -> Bool { name.hasPrefix("message.") }
}

extension Hasher {
  /// A case of one of several enumerations whose cases have no values.
  fileprivate mutating func combine(_ phrase: some BitwiseCopyable, of enumeration: UInt8) {
    combine(enumeration)
    withUnsafeBytes(of: phrase) { combine(bytes: $0) }
  }
}
