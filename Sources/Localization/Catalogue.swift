/// What can be said, by a name that files know.
public protocol MessageKey: Hashable, Sendable {
  static var allKeys: [Self] { get }
  var name: String { get }
  /// A small number that no other key has; nil for one that nobody can list beforehand.
  var number: Int? { get }
  /// Whether a key of that name is somebody else's, so that it is passed over.
  static func isForeign(_ name: String) -> Bool
  /// The key of a name that nobody can list beforehand; its messages have no values.
  static func unlisted(_ name: String) -> Self?
  /// How keys begin that whoever writes the files may add; nil where there are none.
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
  /// By the numbers of their keys: a page asks for dozens.
  private var listed: [MessageFormat?] = []
  private var unlisted: [Key: MessageFormat] = [:]
  /// What is built in of English, likewise: which values a message may have is no matter of the words that somebody
  /// has put in its place, in one language of several.
  private var originals: [MessageFormat?] = []

  /// Without any words: a key says its name.
  public init(empty language: LanguageTag = .english) {
    self.language = language
    pluralRule = PluralRule(for: language)
  }

  /// One with the words of another, until it has its own.
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

  /// The message that says which values one of that key may have.
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
  ///   - language: Which one.
  ///   - files: Its files, the one that lies under the others first.
  ///   - english: What is said where none of the files has words; nil for English itself, which has
  ///     to be complete.
  /// - Throws: `CatalogueFault` for what cannot be used, wherever it is.
  init(
    _ language: LanguageTag,
    reading files: [CatalogueFile],
    after english: Catalogue?
  ) throws(CatalogueFault) {
    var faults: [CatalogueFault] = []
    self.init(language, reading: files, after: english, checking: .use, telling: &faults)
    if let first = faults.first { throw first }
  }

  /// What a message is held to.
  enum Demand {
    /// It can be used.
    case use
    /// It says every value that the English one says, too, and nothing that nobody would ever read.
    case completeness
  }

  /// The same without what cannot be used, which is told of.
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

  /// Takes the messages of a file in the place of those that are there.
  ///
  /// - Parameters:
  ///   - file: What to read.
  ///   - keys: All keys by name.
  ///   - known: Messages by which values each may have.
  ///   - isTranslation: Whether those are all that there is to say.
  ///   - demand: What each message is held to.
  ///   - faults: Gets what is wrong.
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
          faults.append(entry.fault(.unknownKey(ownPrefix: Key.ownPrefix), in: file))
        }
        continue
      }
      // Templates say what English has.
      if isTranslation, known[key] == nil, let prefix = Key.ownPrefix, entry.key.hasPrefix(prefix) {
        faults.append(entry.fault(.untranslatable, in: file))
        continue
      }
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

  /// The names of those that are said in another language, in the order of the keys.
  var borrowedNames: [String] {
    Key.allKeys.filter { self[$0]?.isBorrowed == true }.map(\.name)
      + unlisted.filter { $0.value.isBorrowed }.keys.map(\.name).sorted()
  }

  /// The names of those that are said in words of the language's own, which go by numbers.
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
    // Right unless something before it is escaped.
    let position = CatalogueFault.Position(
      line: position.line,
      column: position.column + column
    )
    return CatalogueFault(reason, in: file.path, at: position, key: key)
  }
}

extension MessageFormat {
  /// What is other about its values than it may be.
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
      return unknown
        + original.shownNames.subtracting(names).sorted().map { .missingValue($0) }
    }
  }

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
