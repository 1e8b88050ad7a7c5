import Foundation
import Mustache

/// Why a template cannot be used, with the file it is in.
public struct TemplateFault: Error, CustomStringConvertible, Sendable {
  public let file: String
  public let fault: String

  public var description: String { "\(file): \(fault)" }
}

/// A folder of `.mustache` files, read into a library.
struct TemplateFolder: Sendable {
  let path: String

  /// Reads all templates and refuses what could put raw text into a page.
  ///
  /// - Throws: `TemplateFault`, naming the file.
  func load() throws(TemplateFault) -> MustacheLibrary {
    EscapedText.register()
    let texts = try read()
    var library = MustacheLibrary()
    for (name, text) in texts {
      let file = self.file(name)
      try Self.check(text, in: file) { texts[$0] != nil }
      do {
        try library.register(Self.prepared(text), named: name)
      } catch {
        throw TemplateFault(file: file, fault: Self.words(for: error))
      }
    }
    guard texts[PageRenderer.defaultTemplate] != nil else {
      throw TemplateFault(
        file: file(PageRenderer.defaultTemplate),
        fault: "the template is missing"
      )
    }
    return library
  }

  /// When which file was last changed; differs whenever there is something new to read.
  func stamp() -> [String: Date] {
    var stamp: [String: Date] = [:]
    for name in (try? names()) ?? [] {
      // A file that vanishes between the two calls is a change, too.
      let attributes = try? FileManager.default.attributesOfItem(atPath: file(name))
      stamp[name] = attributes?[.modificationDate] as? Date
    }
    return stamp
  }

  private func file(_ name: String) -> String { "\(path)/\(name).mustache" }

  private func names() throws -> [String] {
    let suffix = ".mustache"
    return try FileManager.default.subpathsOfDirectory(atPath: path)
      .filter { $0.hasSuffix(suffix) }
      .map { String($0.dropLast(suffix.count)) }
  }

  private func read() throws(TemplateFault) -> [String: String] {
    let names: [String]
    do {
      names = try self.names()
    } catch {
      throw TemplateFault(file: path, fault: "the folder of templates cannot be read")
    }
    var texts: [String: String] = [:]
    for name in names {
      do {
        texts[name] = try String(contentsOfFile: file(name), encoding: .utf8)
      } catch {
        throw TemplateFault(file: file(name), fault: "the file cannot be read as UTF-8 text")
      }
    }
    return texts
  }

  /// The text as it is parsed: our escaping first, and no indentation.
  ///
  /// A partial falls back to the library's own escaping, so each file says which one it wants.
  /// Indentation would make the library look at each line of a partial's output.
  private static func prepared(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.drop { $0 == " " || $0 == "\t" }
    }
    var body = lines.joined(separator: "\n")
    while body.utf8.last == UInt8(ascii: "\n") { body.removeLast() }
    return "{{% CONTENT_TYPE:\(EscapedText.name)}}\n" + body
  }

  private static func words(for error: any Error) -> String {
    guard let error = error as? MustacheTemplate.ParserError else { return "\(error)" }
    // One line stands before the file's own.
    return "line \(error.context.lineNumber - 1): \(error.error)"
  }
}

extension TemplateFolder {
  /// Refuses tags that go around the escaping, and partials that are not there.
  ///
  /// The library renders an unknown partial as nothing, which nobody would notice.
  static func check(
    _ text: String,
    in file: String,
    knows: (_ template: String) -> Bool
  ) throws(TemplateFault) {
    var rest = text[...]
    while let start = rest.firstRange(of: "{{") {
      let line = 1 + text[..<start.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") }
      guard let end = rest[start.upperBound...].firstRange(of: "}}") else {
        throw TemplateFault(file: file, fault: "line \(line): a tag is not closed")
      }
      let tag = rest[start.upperBound..<end.lowerBound].drop(while: \.isWhitespace)
      if let fault = fault(of: tag, knows: knows) {
        throw TemplateFault(file: file, fault: "line \(line): \(fault)")
      }
      rest = rest[end.upperBound...]
    }
  }

  private static func fault(of tag: Substring, knows: (String) -> Bool) -> String? {
    switch tag.unicodeScalars.first {
    case "{", "&": return "unescaped values are not allowed"
    case "%": return "the content type is set by the loader"
    case "=": return "delimiters cannot be changed"
    case ">", "<":
      let name = tag.dropFirst().trimmingCharacters(in: .whitespaces)
      return knows(name) ? nil : "there is no template \(name)"
    default: return nil
    }
  }
}
