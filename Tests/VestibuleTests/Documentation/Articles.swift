import Foundation

/// The notes that ship with the rooms: what is in their DocC catalogs.
struct Articles {
  /// The headings of each article by its name, written as links write them.
  private(set) var headings: [String: Set<String>] = [:]
  /// Names that more than one article has; links could not tell them apart.
  private(set) var repeatedNames: [String] = []

  init(of files: [TextFile]) {
    for file in files where file.path.contains(".docc/") && file.path.hasSuffix(".md") {
      let name = String(file.path.split(separator: "/").last?.dropLast(".md".count) ?? "")
      if headings[name] != nil { repeatedNames.append(name) }
      headings[name] = Set(file.lines.compactMap(Self.heading))
    }
  }

  /// Whether a link of the form `ARTICLE` or `ARTICLE#Heading` leads somewhere.
  func hold(_ link: Substring) -> Bool {
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard let headings = headings[String(parts[0])] else { return false }
    return parts.count == 1 || headings.contains(String(parts[1]))
  }

  /// The heading of a line, with dashes for blanks and no other marks; nil for any other line.
  private static func heading(_ line: Substring) -> String? {
    guard line.hasPrefix("## ") || line.hasPrefix("### ") else { return nil }
    return line.drop { $0 == "#" || $0 == " " }
      .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
      .replacing(" ", with: "-")
  }
}

/// A file of the repository, as text.
struct TextFile {
  /// From the root of the repository on.
  let path: String
  let text: String

  /// Split by bytes, since splitting by characters takes ten times as long.
  var lines: [Substring] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map(Substring.init)
  }

  /// The file at a path.
  init(_ path: String) throws {
    self.path = path
    text = try String(contentsOfFile: path, encoding: .utf8)
  }

  /// Every file below a folder whose name ends so.
  static func all(below folder: String, endings: Set<String>) throws -> [TextFile] {
    try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { path in endings.contains { path.hasSuffix(".\($0)") } }
      .sorted()
      .map { try TextFile("\(folder)/\($0)") }
  }
}
