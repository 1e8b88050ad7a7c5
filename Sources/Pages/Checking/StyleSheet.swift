import Assets

/// A custom style sheet and the files it loads.
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

  /// The files that it loads and that are not served, one line each: `public/own.css:3:12: R6:
  /// there is no file own.woff2`.
  ///
  /// - Throws: `TemplateFault` where it cannot be read.
  func complaints(_ served: ServedFiles) throws(TemplateFault) -> [String] {
    let folder = "/public/\(file.name)".split(separator: "/").dropLast().joined(separator: "/")
    let text = try text()
    var complaints: [String] = []
    var (isSource, hasFont) = (false, false)
    for match in text.matches(of: Self.parts) {
      let (_, quoted, single, plain, imported, importedSingle, turn) = match.output
      if let turn {
        // `src:` begins a list of fonts; `;`, `{` or `}` ends the declaration.
        (isSource, hasFont) = (turn.count > 1, false)
        continue
      }
      guard let found = quoted ?? single ?? plain ?? imported ?? importedSingle, !found.isEmpty
      else { continue }
      let (address, ending) = (String(found), ServedFiles.ending(of: String(found)))
      guard let finding = served.complaint(about: address, by: "the style sheet", in: folder) else {
        hasFont = hasFont || isSource && ending == "woff2"
        continue
      }
      // Browsers take the first font that they can read, and ask for none of the older kinds behind it.
      if hasFont, !ServedFiles.endings.contains(ending) { continue }
      let before = text[..<match.range.lowerBound].unicodeScalars
      let line = before.count(where: { $0 == "\n" }) + 1
      let column = before.reversed().prefix { $0 != "\n" }.count + 1
      complaints.append("\(file.place):\(line):\(column): \(finding.rule): \(finding.words)")
    }
    return complaints
  }

  private func text() throws(TemplateFault) -> String {
    do {
      return String(decoding: try file.bytes(), as: UTF8.self)
    } catch {
      throw TemplateFault(error)
    }
  }

  /// Matches `url(…)` and `@import` with a quoted name; the last group matches `src:` or the end of
  /// a declaration.
  ///
  /// Comments, namespace names, which are never loaded, and plain strings are matched only to skip
  /// what is in them.
  private static var parts:
    Regex<(Substring, Substring?, Substring?, Substring?, Substring?, Substring?, Substring?)>
  {
    #/
    \/\*[\s\S]*?(?:\*\/|\z)
    |@namespace\b[^;{}]*
    |url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]*))\s*\)
    |@import(?:\s|\/\*[\s\S]*?\*\/)*(?:"([^"]*)"|'([^']*)')
    |"(?:[^"\\\n]|\\[\s\S])*"?
    |'(?:[^'\\\n]|\\[\s\S])*'?
    |(\bsrc\s*:|[;{}])
    /#
    .ignoresCase().matchingSemantics(.unicodeScalar)
  }
}
