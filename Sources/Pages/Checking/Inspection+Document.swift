import Localization

/// The document around the forms.
extension Inspection {
  /// Language, landmarks and hooks (R4).
  var document: [Finding] {
    var findings: [Finding] = []
    let root = html.all("html").first
    if root?["lang"]?.isEmpty != false { findings.append(Finding("R4", "html has no lang")) }
    if root?["dir"] == nil { findings.append(Finding("R4", "html has no dir")) }
    let headings = html.all("h1")
    if headings.count != 1 { findings.append(Finding("R4", "there are \(headings.count) h1")) }
    if headings.contains(where: \.text.isEmpty) { findings.append(Finding("R4", "h1 is empty")) }
    let viewport = html.all("meta").first { $0["name"] == "viewport" }?["content"]
    if viewport.map(Self.blocksZoom) ?? true {
      findings.append(Finding("R4", "there is no viewport, or it blocks zoom"))
    }
    return findings + main
  }

  /// Whether a viewport keeps people from enlarging the page to twice its size.
  ///
  /// Browsers read a value that they do not know as the strictest one.
  ///
  /// Sources: WCAG 2.2, success criterion 1.4.4; W3C, "CSS Device Adaptation", the section on the
  /// viewport `meta` element.
  static func blocksZoom(_ viewport: String) -> Bool {
    let properties = viewport.lowercased().matches(of: #/([a-z\-]+)\s*=\s*([^\s,;]+)/#)
    return properties.contains { property in
      let (_, name, value) = property.output
      if value == "device-width" || value == "device-height" { return false }
      let number = Double(value)
      switch name {
      case "user-scalable": return value != "yes" && number.map { abs($0) < 1 } ?? true
      case "maximum-scale": return number.map { (0..<2).contains($0) } ?? true
      default: return false
      }
    }
  }

  private var main: [Finding] {
    let mains = html.all("main")
    guard mains.count == 1 else { return [Finding("R4", "there are \(mains.count) main")] }
    var findings: [Finding] = []
    let skip = html.all("a").first?["href"]
    if mains[0]["id"] == nil || skip != mains[0]["id"].map({ "#\($0)" }) {
      findings.append(Finding("R4", "the first link does not skip to main"))
    }
    let hooks = [
      ("data-page", presentation.page), ("data-step", presentation.step),
      ("data-flow", presentation.flow?.rawValue),
    ]
    for (hook, value) in hooks where mains[0][hook] != value {
      findings.append(Finding("hook", "main has no \(hook)=\"\(value ?? "")\""))
    }
    return findings
  }

  /// The title names the step, and says so when something is wrong (R5).
  var title: [Finding] {
    // The document is read with all white space as plain spaces; French titles have another one.
    let title = String(presentation.title.isolatedText.map { $0.isWhitespace ? " " : $0 })
    return html.all("title").map(\.text) == [title]
      ? [] : [Finding("R5", "the title is not “\(title)”")]
  }

  /// No syntax of templates, messages or HTML is left visible in the text.
  var words: [Finding] {
    Set(Self.signs(in: html.root)).sorted()
      .map { Finding("words", "“\($0)” is shown as it is written") }
  }

  /// Elements whose content is not prose, or is meant to be read literally.
  private static let verbatim: Set = [
    "script", "style", "code", "pre", "kbd", "samp", "textarea",
  ]

  private static func signs(in element: HTML.Element) -> [String] {
    element.children.flatMap { node in
      switch node {
      case .text(let text): signs(in: text)
      case .element(let child): verbatim.contains(child.tag) ? [] : signs(in: child)
      }
    }
  }

  /// The tags, placeholders and character references in a text that are surely a mistake: text may
  /// well mention `<name>` and `{Enter}`.
  private static func signs(in text: String) -> [String] {
    // Few texts have any, and a pattern is slow. An object of JSON is an example for people.
    guard text.utf8.contains(where: { "{}<&".utf8.contains($0) }), !text.contains("{\"") else {
      return []
    }
    let braces = text.matches(of: #/\{\{|\}\}|\{@[^{}]*\}|\{([A-Za-z]+)\}/#).filter { match in
      match.output.1.map { PageView.Name(rawValue: String($0)) != nil } ?? true
    }
    return braces.map { String($0.output.0) } + text.htmlSigns.map(String.init)
  }

  /// Ids are unique, and whatever is pointed at is there (F2).
  var references: [Finding] {
    var findings: [Finding] = []
    var ids: Set<String> = []
    for id in html.all.compactMap({ $0["id"] }) where !ids.insert(id).inserted {
      findings.append(Finding("F2", "the id \(id) is used twice"))
    }
    for element in html.all {
      for attribute in ["for", "aria-describedby", "aria-labelledby", "aria-controls"] {
        let targets = element[attribute]?.split(separator: " ").map(String.init) ?? []
        findings += targets.filter { !ids.contains($0) }
          .map {
            Finding("F2", "\(attribute) of <\(element.tag)> refers to \($0), which does not exist")
          }
      }
      if let href = element["href"], href.hasPrefix("#"), !ids.contains(String(href.dropFirst())) {
        findings.append(Finding("F2", "a link leads to \(href), which does not exist"))
      }
    }
    return findings
  }
}
