import Assets

/// A style sheet of one's own, and what browsers load for it.
struct StyleSheet {
  let file: LayeredFile

  /// Those among the static files.
  ///
  /// - Throws: `TemplateFault` where the folder cannot be read.
  static func all(in files: LayeredFiles) throws(TemplateFault) -> [StyleSheet] {
    do {
      return try files.all().filter { $0.isOwn && $0.name.lowercased().hasSuffix(".css") }
        .map(StyleSheet.init)
    } catch {
      throw TemplateFault(error)
    }
  }

  /// What it asks for and does not get, a line each: `public/own.css:3:12: R6: there is no file own.woff2`.
  ///
  /// - Throws: `TemplateFault` where it cannot be read.
  func complaints(_ served: ServedFiles) throws(TemplateFault) -> [String] {
    let folder = "/public/\(file.name)".split(separator: "/").dropLast().joined(separator: "/")
    let text = Self.withoutComments(try text())
    return text.matches(of: Self.addresses).compactMap { match in
      let (_, quoted, single, plain, imported, importedSingle) = match.output
      guard let address = quoted ?? single ?? plain ?? imported ?? importedSingle,
        !address.isEmpty,
        let finding = served.complaint(
          about: String(address),
          by: "the style sheet",
          in: folder
        )
      else { return nil }
      let before = text[..<match.range.lowerBound].unicodeScalars
      let line = before.count(where: { $0 == "\n" }) + 1
      let column = before.reversed().prefix { $0 != "\n" }.count + 1
      return "\(file.place):\(line):\(column): \(finding.rule): \(finding.words)"
    }
  }

  private func text() throws(TemplateFault) -> String {
    do {
      return String(decoding: try file.bytes(), as: UTF8.self)
    } catch {
      throw TemplateFault(error)
    }
  }

  /// The same with blanks in the place of comments, so that all else stands where it stood.
  private static func withoutComments(_ text: String) -> String {
    text.replacing(#/\/\*[\s\S]*?\*\//#) { match in
      String(match.output.map { $0.isNewline ? $0 : " " })
    }
  }

  /// `url(…)`, and `@import` with a name in quotation marks.
  private static var addresses:
    Regex<(Substring, Substring?, Substring?, Substring?, Substring?, Substring?)>
  {
    #/
    url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]*))\s*\)
    |@import\s+(?:"([^"]*)"|'([^']*)')
    /#
    .ignoresCase()
  }
}
