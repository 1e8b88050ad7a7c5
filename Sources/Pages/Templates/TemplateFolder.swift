import Foundation

/// A folder of `.mustache` files: a template's name is its path there without the ending.
struct TemplateFolder: Sendable {
  let path: String

  /// Reads all templates.
  ///
  /// - Throws: `TemplateFault` for a file that cannot be read or is no template, and for a name of
  ///   a template that is not there.
  func load() throws(TemplateFault) -> Splicer {
    var templates: [String: [Node]] = [:]
    for name in try names() {
      let file = file(name)
      guard let text = FileManager.default.contents(atPath: file),
        String(validating: text, as: UTF8.self) != nil
      else { throw TemplateFault(.unreadableFile, in: file) }
      templates[name] = try Parser.nodes(of: Array(text), file: file)
    }
    let splicer = Splicer(templates: templates)
    try splicer.check()
    return splicer
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

  func file(_ name: String) -> String { "\(path)/\(name)\(Self.ending)" }

  private static let ending = ".mustache"

  private func names() throws(TemplateFault) -> [String] {
    do {
      return try FileManager.default.subpathsOfDirectory(atPath: path)
        .filter { $0.hasSuffix(Self.ending) }
        .map { String($0.dropLast(Self.ending.count)) }
        .sorted()
    } catch {
      throw TemplateFault(.unreadableFolder, in: path)
    }
  }
}
