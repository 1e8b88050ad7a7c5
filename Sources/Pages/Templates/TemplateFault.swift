public import Assets
import AuthFlow
import Localization
import Spelling

/// Why a template, a file of messages or a brand cannot be used, and where in which file.
public struct TemplateFault: Error, CustomStringConvertible, Sendable {
  /// A place in a file, counted from 1 as editors do; columns are Unicode scalars.
  public struct Position: Hashable, Sendable {
    public let line: Int
    public let column: Int

    init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }

    init(_ position: CatalogueFault.Position) {
      self.init(line: position.line, column: position.column)
    }
  }

  public enum Reason: Hashable, Sendable {
    case unreadable(FileFault.Reason)
    case notUTF8
    /// A byte 0, which no browser shows.
    case nulByte
    /// A template that the pages cannot do without.
    case missing
    /// A template that is rendered as a document has no content.
    case empty
    case unclosedTag
    case unescapedValue
    case changedDelimiters
    case pragma
    case unclosedSection(String)
    /// Sections, blocks and parents that stand in one another.
    case tooDeep
    /// A closing tag without an opening one.
    case misplacedEnd(String)
    /// A closing tag that does not match the last opening one, and the line of that; whether they seem
    /// to be meant as the same name.
    case crossedEnd(String, open: String, line: Int, isMisspelt: Bool)
    /// `nearest` is the template that was probably meant.
    case unknownTemplate(String, nearest: String?)
    /// No catalogue has a message of that key.
    case unknownMessage(String)
    /// A fault in a message file rather than in a template.
    case message(String)
    /// What is wrong with a brand.
    case brand(String)
    /// A message with places, where nothing is given that could stand in them.
    case messageWithPlaces(String, names: [String])
    /// A template that contains itself, in however many steps.
    case recursion(String)
    /// Content for a block that the parent never shows; `known` are those that it does, and `place` is
    /// its file.
    case unknownBlock(String, parent: String, known: [String], place: String?)
    /// A parent without any block, where `file` fills one.
    case withoutBlocks(filled: String, by: String)
    /// Content for a block that has some already, and the line of that.
    case repeatedBlock(String, line: Int)
    /// Something other than a block inside a parent tag.
    case outsideBlocks(String)
    /// `known` is all that can be said there instead.
    case unknownName(String, known: [String])
    case notText(String)
    case notSection(String)
  }

  public let file: String
  /// Nil where the file as a whole cannot be used.
  public let position: Position?
  public let reason: Reason
  /// The source line of the fault; nil if there is none, or the file has not been read again yet.
  public internal(set) var excerpt: SourceExcerpt?
  /// The state of the files when the fault was found; nil if they are not watched.
  public internal(set) var version: FileVersion?

  init(_ reason: Reason, in file: String, at position: Position? = nil) {
    self.file = file
    self.position = position
    self.reason = reason
  }

  /// What is wrong with a brand, in its file.
  public init(_ fault: BrandFault, in file: String) {
    self.init(.brand(fault.description), in: file)
  }

  init(_ fault: FileFault) { self.init(.unreadable(fault.reason), in: fault.path) }

  init(_ fault: CatalogueFault) {
    file = fault.file
    position = fault.position.map(Position.init)
    reason =
      if case .file(let reason) = fault.reason {
        .unreadable(reason)
      } else {
        .message(fault.explanation)
      }
  }

  /// The fault in the format of compilers: `templates/page.mustache:3:5: there is no template
  /// gone`.
  public var description: String {
    let place = position.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(file)\(place): \(reason.words)"
  }
}

extension TemplateFault.Reason {
  var words: String {
    switch self {
    case .unreadable(let reason): reason.description
    case .notUTF8: "the file is not UTF-8 text"
    case .nulByte: "a NUL byte is not text"
    case .missing: "the template is missing"
    case .empty: "the template is empty"
    case .unclosedTag: "a tag is not closed"
    case .unescapedValue: "unescaped values are not allowed"
    case .changedDelimiters: "delimiters cannot be changed"
    case .pragma: "the escaping cannot be changed"
    case .unclosedSection(let name): "\(name.brief) is opened, but never closed"
    case .tooDeep: "more than \(Parser.depthLimit) sections and blocks are nested in each other"
    case .misplacedEnd(let name): "\(name.brief) is closed, but was never opened"
    case .crossedEnd(let name, let open, let line, let isMisspelt):
      "\(name.brief) is closed where \(open.brief) is open, since line \(line)"
        + (isMisspelt ? ": is one of them misspelt?" : "")
    case .unknownTemplate(let name, let nearest):
      "there is no template \(name.brief)\(Self.question(nearest))"
    case .unknownMessage(let key):
      "there is no message \(key.brief)\(Self.advice(insteadOf: key))"
    case .message(let explanation), .brand(let explanation): explanation
    case .messageWithPlaces(let key, let names):
      "the message \(key) needs \(names.map { "{\($0)}" }.joined(separator: ", ")), which no template gives"
    case .recursion(let name): "the template \(name) contains itself"
    case .unknownBlock(let name, let parent, let known, let place):
      "\(parent) has no block \(name.brief)"
        + (known.isEmpty ? "" : ", only \(known.joined(separator: ", "))")
        + (place.map { ": see \($0)" } ?? "")
    case .withoutBlocks(let name, let file):
      "the template has no block, and \(file) fills \(name.brief)"
    case .repeatedBlock(let name, let line):
      "the block \(name.brief) is filled twice, first in line \(line)"
    case .outsideBlocks(let name): "\(name.brief) is outside the blocks that are filled here"
    case .unknownName(let name, let known):
      "there is no name \(name.brief) here"
        + (Self.name(near: name, among: known).map { Self.question($0) }
          ?? ", only \(known.joined(separator: ", "))")
    case .notText(let name): "\(name) is not text: it can be used only as a section"
    case .notSection(let name): "\(name) is text: ask whether it is there with \(name)?"
    }
  }

  private static func question(_ nearest: String?) -> String {
    nearest.map { ": did you mean '\($0)'?" } ?? ""
  }

  private static func advice(insteadOf key: String) -> String {
    guard PhraseKey(name: key) == nil else { return ": messages/en.json does not have it" }
    return key.nearestName(among: PhraseKey.allKeys.map(\.name)).map { question($0) }
      ?? "; your own keys begin with \(PhraseKey.ownPrefix ?? "")"
  }

  /// The name that was probably meant, with the dot and the question mark of this one.
  private static func name(near name: String, among known: [String]) -> String? {
    let dot = name.hasPrefix(".") ? "." : ""
    let mark = name.hasSuffix("?") ? "?" : ""
    let bare = String(name.dropFirst(dot.count).dropLast(mark.count))
    return bare.nearestName(among: known).map { "\(dot)\($0)\(mark)" }
  }
}

extension String {
  /// The name, or the beginning of one that is too long for a message.
  fileprivate var brief: String { cut(to: 60, marking: "…") }
}
