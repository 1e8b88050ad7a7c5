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

  /// What is wrong with it, one line each: the files that it loads and that are not served
  /// (`public/own.css:3:12: R6: there is no file own.woff2`), braces that do not match, and text
  /// that is not UTF-8.
  ///
  /// - Throws: `TemplateFault` where it cannot be read.
  func complaints(_ served: ServedFiles) throws(TemplateFault) -> [String] {
    let folder = "/public/\(file.name)".split(separator: "/").dropLast().joined(separator: "/")
    let bytes = try bytes()
    let text = String(decoding: bytes, as: UTF8.self)
    var complaints: [String] = []
    if String(validating: bytes, as: UTF8.self) == nil {
      complaints.append("\(file.place): CSS: the file is not UTF-8 text")
    }
    func complain(_ finding: Finding, at index: String.Index) {
      let before = text[..<index].unicodeScalars
      let line = before.count(where: { $0 == "\n" }) + 1
      let column = before.reversed().prefix { $0 != "\n" }.count + 1
      complaints.append("\(file.place):\(line):\(column): \(finding.rule): \(finding.words)")
    }
    var (isSource, hasFont) = (false, false)
    var open: [String.Index] = []
    for match in text.matches(of: Self.parts) {
      let (_, quoted, single, plain, imported, importedSingle, turn) = match.output
      if let turn {
        // `src:` begins a list of fonts; `;`, `{` or `}` ends the declaration.
        (isSource, hasFont) = (turn.count > 1, false)
        if turn == "{" { open.append(match.range.lowerBound) }
        if turn == "}", open.popLast() == nil {
          complain(Finding("CSS", "this } closes nothing"), at: match.range.lowerBound)
        }
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
      complain(finding, at: match.range.lowerBound)
    }
    // Where one is missing, those after it close the blocks inside.
    if let first = open.first { complain(Finding("CSS", "this { is not closed"), at: first) }
    return complaints
  }

  private func bytes() throws(TemplateFault) -> [UInt8] {
    do {
      return try file.bytes()
    } catch {
      throw TemplateFault(error)
    }
  }

  /// Matches `url(…)` and `@import` with a quoted name; the last group matches `src:` or the end of
  /// a declaration.
  ///
  /// Comments, namespace names, which are never loaded, plain strings and escaped characters are
  /// matched only to skip what is in them.
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
    |\\[\s\S]
    |(\bsrc\s*:|[;{}])
    /#
    .ignoresCase().matchingSemantics(.unicodeScalar)
  }
}
