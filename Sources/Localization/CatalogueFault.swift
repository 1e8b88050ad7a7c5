public import Assets

/// Why a catalogue's file cannot be used, and where in it.
public struct CatalogueFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// Counted from 1 as editors do; columns are Unicode scalars.
  public struct Position: Hashable, Sendable {
    public let line: Int
    public let column: Int
  }

  public enum Reason: Hashable, Sendable {
    case missing
    /// A file or a folder that cannot be read.
    case file(FileFault.Reason)
    case notUTF8
    /// The file is not valid JSON; `expected` is what is missing at the position.
    case noJSON(expected: String)
    case repeatedKey
    /// A key that does not exist; `nearest` is the one that was probably meant, `ownPrefix` the prefix
    /// of keys that files may add.
    case unknownKey(nearest: String?, ownPrefix: String?)
    /// A custom key that English does not have.
    case untranslatable
    /// A key that is missing in English, to which all other languages fall back.
    case missingKey
    case message(MessageFault.Reason)
    /// A value that this message is not given; `known` are those that it is.
    case unknownValue(String, known: [String])
    /// A value that the English message says and this one does not.
    case missingValue(String)
    /// No text, where the English message has one.
    case emptyText
    /// A tag or a character reference of HTML: messages have no markup.
    case markup(String)
    /// A plural branch for a category that no number has in the language; `known` are the others.
    case idleBranch(PluralCategory, known: [PluralCategory])
    /// A file whose name is not a language tag in its usual spelling; `expected` is the right name.
    case misnamed(expected: String?)
  }

  public let file: String
  public let position: Position?
  public let key: String?
  public let reason: Reason

  public init(_ reason: Reason, in file: String) { self.init(reason, in: file, at: nil) }

  init(_ reason: Reason, in file: String, at position: Position?, key: String? = nil) {
    self.reason = reason
    self.file = file
    self.position = position
    self.key = key
  }

  /// The fault in the format of compilers: `templates/messages/de.json:3:20: sign-in.heading: a
  /// brace is not closed`.
  public var description: String {
    let place = position.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(file)\(place): \(explanation)"
  }

  /// The same without the place.
  public var explanation: String { (key.map { "\($0): " } ?? "") + reason.words }
}

extension CatalogueFault.Position {
  /// The place of the first byte that is not UTF-8; nil if all are.
  ///
  /// - Parameter bytes: A file, with or without a byte order mark, which takes no column.
  package init?(ofFirstNonUTF8In bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var rest = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).makeIterator()
    var decoder = Unicode.UTF8()
    var (line, column) = (1, 1)
    reading: while true {
      switch decoder.decode(&rest) {
      case .scalarValue("\n"): (line, column) = (line + 1, 1)
      case .scalarValue: column += 1
      case .emptyInput: return nil
      case .error: break reading
      }
    }
    self.init(line: line, column: column)
  }
}

extension CatalogueFault.Reason {
  fileprivate var words: String {
    switch self {
    case .file(let reason): reason.description
    case .missing: "the file of messages is missing"
    case .notUTF8: "the file is not UTF-8 text"
    case .noJSON(let expected): "\(expected) is missing here"
    case .repeatedKey: "the key appears twice"
    case .unknownKey(let nearest?, _): "there is no such key: did you mean '\(nearest)'?"
    case .unknownKey(nil, nil): "there is no such key"
    case .unknownKey(nil, let prefix?):
      "there is no such key; your own keys begin with \(prefix)"
    case .untranslatable: "there is no such key in \(LanguageTag.english.text).json"
    case .missingKey: "the key is missing"
    case .message(let reason): reason.words
    case .missingValue(let name): "{\(name)} is missing"
    case .emptyText: "the text is empty, and the English one is not"
    case .markup(let sign): "“\(sign)” is shown as it is written"
    case .idleBranch(let category, let known):
      "no number takes the branch \(category), only \(known.map(\.rawValue).joined(separator: ", "))"
    case .misnamed(nil): "the file's name is not a language tag"
    case .misnamed(let expected?): "the file must be named \(expected)"
    case .unknownValue(let name, let known):
      known.isEmpty
        ? "there is no {\(name)} here"
        : "there is no {\(name)} here, only \(known.map { "{\($0)}" }.joined(separator: ", "))"
    }
  }
}
