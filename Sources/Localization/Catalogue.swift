import Spelling

/// The key of a message, with the name that catalogue files use for it.
public protocol MessageKey: Hashable, Sendable {
  static var allKeys: [Self] { get }
  var name: String { get }
  /// A small number unique to the key; nil for a key that is not in `allKeys`.
  var number: Int? { get }
  /// Whether a name belongs to another set of keys in the same files, and is skipped.
  static func isForeign(_ name: String) -> Bool
  /// The key for a name that is not in `allKeys`; its messages take no values.
  static func unlisted(_ name: String) -> Self?
  /// The prefix of keys that custom files may add; nil if they may add none.
  static var ownPrefix: String? { get }
}

extension MessageKey {
  public static func unlisted(_ name: String) -> Self? { nil }
  public static var ownPrefix: String? { nil }
}

extension MessageKey where Self: CaseIterable & BitwiseCopyable {
  public var number: Int? { caseNumber }
}

/// Every message in one language.
public struct Catalogue<Key: MessageKey>: Sendable {
  public let language: LanguageTag
  public let pluralRule: PluralRule
  /// Indexed by the numbers of their keys, because a page looks up dozens.
  private var listed: [MessageFormat?] = []
  private var unlisted: [Key: MessageFormat] = [:]
  /// The built-in English messages, indexed in the same way: they define which values a message may
  /// have, whatever a custom file puts in their place.
  private var originals: [MessageFormat?] = []

  /// Creates a catalogue without words, in which each key is shown by its name.
  public init(empty language: LanguageTag = .english) {
    self.language = language
    pluralRule = PluralRule(for: language)
  }

  /// Creates a catalogue that borrows the words of another one until it has its own.
  private init(_ language: LanguageTag, after other: Catalogue) {
    self.language = language
    pluralRule = PluralRule(for: language)
    listed = other.listed.map { $0?.borrowed }
    unlisted = other.unlisted.mapValues(\.borrowed)
    originals = other.originals
  }

  /// The message of a key; nil in a catalogue without words.
  public private(set) subscript(key: Key) -> MessageFormat? {
    get {
      guard let number = key.number else { return unlisted[key] }
      return number < listed.count ? listed[number] : nil
    }
    set {
      guard let number = key.number else {
        unlisted[key] = newValue
        return
      }
      if number >= listed.count {
        listed += Array(repeating: nil, count: number + 1 - listed.count)
      }
      listed[number] = newValue
    }
  }

  /// The message that defines which values a message of that key may have.
  private func original(of key: Key) -> MessageFormat? {
    key.number.flatMap { $0 < originals.count ? originals[$0] : nil } ?? self[key]
  }

  /// A message whose values are texts and numbers.
  public func text(_ key: Key, _ values: [String: MessageFormat.Value<String>] = [:]) -> String {
    guard let message = self[key] else { return key.name }
    if let words = message.words { return words }
    var words = ""
    message.forEachPiece(by: pluralRule) {
      values[$0]
    } _: { piece in
      switch piece {
      case .text(let text), .fragment(let text): words += text
      }
    }
    return words
  }

  /// Reads the files of a language, each over the one before.
  ///
  /// - Parameters:
  ///   - language: The language to read.
  ///   - files: Its files, the lowest layer first.
  ///   - english: The fallback for messages that the files lack; nil for English itself, which has
  ///     to be complete.
  /// - Throws: `CatalogueFault` for the first thing that cannot be used.
  init(
    _ language: LanguageTag,
    reading files: [CatalogueFile],
    after english: Catalogue?
  ) throws(CatalogueFault) {
    var faults: [CatalogueFault] = []
    self.init(language, reading: files, after: english, checking: .use, telling: &faults)
    if let first = faults.first { throw first }
  }

  /// How strictly messages are checked.
  enum Demand {
    /// The message can be used.
    case use
    /// The message also shows every value that the English one shows, has words if that one has any,
    /// no markup, and no branch that is never taken.
    case completeness
  }

  /// Reads the files of a language, leaves out what cannot be used, and reports it.
  init(
    _ language: LanguageTag,
    reading files: [CatalogueFile],
    after english: Catalogue?,
    checking demand: Demand,
    telling faults: inout [CatalogueFault]
  ) {
    let keys = Dictionary(uniqueKeysWithValues: Key.allKeys.map { ($0.name, $0) })
    var catalogue = Self(language, after: english ?? Self(empty: language))
    var known = english ?? catalogue
    for (index, file) in files.enumerated() {
      catalogue.read(
        file,
        keys: keys,
        known: known,
        isTranslation: english != nil,
        checking: demand,
        telling: &faults
      )
      guard index == 0, english == nil else { continue }
      catalogue.originals = catalogue.listed
      known = catalogue
      if let missing = Key.allKeys.first(where: { known[$0] == nil }) {
        faults.append(CatalogueFault(.missingKey, in: file.path, at: nil, key: missing.name))
      }
    }
    self = catalogue
  }

  /// Replaces messages by those of a file.
  ///
  /// - Parameters:
  ///   - file: The file to read.
  ///   - keys: All listed keys by name.
  ///   - known: The messages that define which values each message may have.
  ///   - isTranslation: Whether custom keys have to be in `known` too.
  ///   - demand: How strictly each message is checked.
  ///   - faults: Collects what is wrong.
  private mutating func read(
    _ file: CatalogueFile,
    keys: [String: Key],
    known: Catalogue,
    isTranslation: Bool,
    checking demand: Demand,
    telling faults: inout [CatalogueFault]
  ) {
    let entries: [CatalogueText.Entry]
    do throws(CatalogueFault) {
      entries = try CatalogueText.entries(of: file.bytes, file: file.path)
    } catch {
      return faults.append(error)
    }
    for entry in entries {
      let unlistedKey = Key.unlisted(entry.key)
      guard let key = keys[entry.key] ?? unlistedKey else {
        if !Key.isForeign(entry.key) {
          let nearest = entry.key.nearestName(among: Key.allKeys.map(\.name))
          let reason = CatalogueFault.Reason.unknownKey(
            nearest: nearest,
            ownPrefix: Key.ownPrefix
          )
          faults.append(entry.fault(reason, in: file))
        }
        continue
      }
      // Templates can only use the custom keys that English has.
      if isTranslation, known[key] == nil, let prefix = Key.ownPrefix, entry.key.hasPrefix(prefix) {
        faults.append(entry.fault(.untranslatable, in: file))
        continue
      }
      faults += entry.markup(in: file, by: demand)
      do throws(MessageFault) {
        let message = try MessageFormat(parsing: entry.text)
        let original = known.original(of: key) ?? unlistedKey.map { _ in MessageFormat.empty }
        let reasons =
          (original.map { message.differences(from: $0, by: demand) } ?? [])
          + message.idleBranches(by: pluralRule, demand)
        faults += reasons.map { entry.fault($0, in: file) }
        if reasons.isEmpty { self[key] = message }
      } catch {
        faults.append(entry.fault(.message(error.reason), in: file, column: error.column))
      }
    }
  }

  /// How many messages there are.
  var count: Int { Key.allKeys.count + unlisted.count }

  /// The names of messages that are borrowed from another language, in the order of the keys.
  var borrowedNames: [String] {
    Key.allKeys.filter { self[$0]?.isBorrowed == true }.map(\.name)
      + unlisted.filter { $0.value.isBorrowed }.keys.map(\.name).sorted()
  }

  /// The names of the language's own messages that have plural branches other than `other`.
  var countingNames: [String] {
    Key.allKeys.filter { key in
      guard let message = self[key], !message.isBorrowed else { return false }
      return !message.categories.subtracting([.other]).isEmpty
    }.map(\.name)
  }

  /// English with an accent on every letter.
  var accented: Catalogue {
    var catalogue = Self(.accentedEnglish, after: self)
    catalogue.listed = listed.map { $0?.accented }
    catalogue.unlisted = unlisted.mapValues(\.accented)
    return catalogue
  }
}

extension CatalogueText.Entry {
  fileprivate func fault(
    _ reason: CatalogueFault.Reason,
    in file: CatalogueFile,
    column: Int = 0
  ) -> CatalogueFault {
    // Exact unless an escape precedes it in the string.
    let position = CatalogueFault.Position(
      line: position.line,
      column: position.column + column
    )
    return CatalogueFault(reason, in: file.path, at: position, key: key)
  }

  /// What of HTML is in the text, and would be read as it is written.
  fileprivate func markup<Key>(
    in file: CatalogueFile,
    by demand: Catalogue<Key>.Demand
  ) -> [CatalogueFault] {
    switch demand {
    case .use: []
    case .completeness:
      text.htmlSigns.map { sign in
        let before = text[..<sign.startIndex].unicodeScalars
        return fault(.markup(String(sign)), in: file, column: before.count + 1)
      }
    }
  }
}

extension MessageFormat {
  /// How its values differ from those it may have.
  fileprivate func differences<Key>(
    from original: MessageFormat,
    by demand: Catalogue<Key>.Demand
  ) -> [CatalogueFault.Reason] {
    let known = original.names
    let unknown = names.subtracting(known).sorted()
      .map { CatalogueFault.Reason.unknownValue($0, known: known.sorted()) }
    switch demand {
    case .use: return Array(unknown.prefix(1))
    case .completeness:
      let missing = original.shownNames.subtracting(names).sorted()
        .map { CatalogueFault.Reason.missingValue($0) }
      let lacksWords = isBlank && !original.isBlank
      return unknown + missing + (lacksWords ? [CatalogueFault.Reason.emptyText] : [])
    }
  }

  /// Whether it has neither values nor words.
  private var isBlank: Bool { words?.allSatisfy(\.isWhitespace) == true }

  /// The branches of its plurals that no number takes.
  fileprivate func idleBranches<Key>(
    by rule: PluralRule,
    _ demand: Catalogue<Key>.Demand
  ) -> [CatalogueFault.Reason] {
    switch demand {
    case .use: []
    case .completeness:
      PluralCategory.allCases
        .filter { categories.contains($0) && !rule.categories.contains($0) }
        .map { .idleBranch($0, known: rule.categories) }
    }
  }
}

/// A file of messages as it was found.
public struct CatalogueFile: Hashable, Sendable {
  public let path: String
  public let bytes: [UInt8]

  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}
