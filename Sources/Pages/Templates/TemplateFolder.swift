import Assets
import Localization

/// The templates among some files: a template's name is its path there without the ending.
struct TemplateFolder: Sendable {
  let files: LayeredFiles

  /// Reads all templates.
  ///
  /// - Parameter documents: The templates that are rendered as documents, which must not be empty.
  /// - Returns: The splicer that flattens them.
  /// - Throws: `TemplateFault` for a file that cannot be read or parsed, and for a reference to a
  ///   template that does not exist.
  func load(documents: [String] = []) throws(TemplateFault) -> Splicer {
    let files = try all()
    return try load(files.map(Self.name(of:)), of: files, documents: documents)
  }

  /// Reads some templates and all that they include, whatever is wrong with others.
  ///
  /// - Parameter documents: As in the other method; those that do not exist are left out.
  /// - Returns: The splicer that flattens them.
  /// - Throws: `TemplateFault` as the other method does, for the files that are read.
  func load(only documents: [String]) throws(TemplateFault) -> Splicer {
    try load(documents, of: all(), documents: documents)
  }

  private func load(
    _ names: [String],
    of files: [LayeredFile],
    documents: [String]
  ) throws(TemplateFault) -> Splicer {
    let files = Dictionary(uniqueKeysWithValues: files.map { (Self.name(of: $0), $0) })
    var templates: [String: [Node]] = [:]
    var waiting = names[...]
    while let name = waiting.popFirst() {
      guard templates[name] == nil, let file = files[name] else { continue }
      let nodes = try Parser.nodes(of: text(of: file), file: file.place)
      if documents.contains(name), nodes.allSatisfy(\.isBlank) {
        throw TemplateFault(.empty, in: file.place)
      }
      templates[name] = nodes
      waiting += nodes.flatMap(\.included)
    }
    let splicer = Splicer(templates: templates, files: files)
    try splicer.check()
    return splicer
  }

  /// The same fault with the line that it is about, as far as that can still be read.
  func excerpted(_ fault: TemplateFault) -> TemplateFault {
    guard let position = fault.position,
      let file = try? files.all().first(where: { $0.place == fault.file }),
      let text = try? file.bytes()
    else { return fault }
    var fault = fault
    fault.excerpt = SourceExcerpt(of: text, at: position)
    return fault
  }

  static func name(of file: LayeredFile) -> String { String(file.name.dropLast(ending.count)) }

  static func file(_ name: String) -> String { "\(name)\(ending)" }

  private static let ending = ".mustache"

  /// - Throws: `TemplateFault` where the folder cannot be read.
  func all() throws(TemplateFault) -> [LayeredFile] { try files { $0.hasSuffix(Self.ending) } }

  /// The files that are no templates.
  ///
  /// - Throws: `TemplateFault` where the folder cannot be read.
  func others() throws(TemplateFault) -> [LayeredFile] { try files { !$0.hasSuffix(Self.ending) } }

  private func files(_ isAmong: (_ name: String) -> Bool) throws(TemplateFault) -> [LayeredFile] {
    do {
      return try files.all().filter { isAmong($0.name) }
    } catch {
      throw TemplateFault(error)
    }
  }

  private func text(of file: LayeredFile) throws(TemplateFault) -> [UInt8] {
    let text: [UInt8]
    do {
      text = try file.bytes()
    } catch {
      throw TemplateFault(error)
    }
    guard String(validating: text, as: UTF8.self) != nil else {
      let place = CatalogueFault.Position(ofFirstNonUTF8In: text)
      throw TemplateFault(.notUTF8, in: file.place, at: place.map(TemplateFault.Position.init))
    }
    // Some editors write a byte order mark.
    let words = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
    if let index = words.firstIndex(of: 0) {
      let place = TemplateFault.Position(of: index, in: words)
      throw TemplateFault(.nulByte, in: file.place, at: place)
    }
    return words
  }
}

extension TemplateFault.Position {
  /// The place of a byte of a text.
  fileprivate init(of index: Int, in text: [UInt8]) {
    let lineFeed = UInt8(ascii: "\n")
    let before = text[..<index]
    let start = before.lastIndex(of: lineFeed).map { $0 + 1 } ?? 0
    self.init(
      line: before.count { $0 == lineFeed } + 1,
      column: before[start...].count { !UTF8.isContinuation($0) } + 1
    )
  }
}
