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
    if viewport?.contains("user-scalable") ?? viewport?.contains("maximum-scale") ?? true {
      findings.append(Finding("R4", "there is no viewport, or one that blocks zoom"))
    }
    return findings + main
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
    let title = presentation.title.isolatedText
    return html.all("title").map(\.text) == [title]
      ? [] : [Finding("R5", "the title is not “\(title)”")]
  }

  /// Nothing that a template or a message says by signs is left to be read as it was written.
  var words: [Finding] {
    let found = html.all.filter { !Self.verbatim.contains($0.tag) }.flatMap(\.ownTexts)
      .flatMap(Self.signs)
    return Set(found).sorted().map { Finding("words", "“\($0)” is shown as it is written") }
  }

  /// What stands there is no sentence.
  private static let verbatim: Set = ["script", "style", "code"]

  /// What is left in a text of tags, places and character references.
  private static func signs(in text: String) -> [String] {
    // Few texts have any, and a pattern is slow. An object of JSON is an example for people.
    guard text.utf8.contains(where: { "{}<&".utf8.contains($0) }), !text.contains("{\"") else {
      return []
    }
    return text.matches(of: #/\{\{|\}\}|\{[^{}]*\}|<\/?[A-Za-z][^<>]*>|&#?[A-Za-z0-9]+;/#)
      .map { String($0.output) }
  }

  /// Ids are unique, and whatever is pointed at is there (F2).
  var references: [Finding] {
    var findings: [Finding] = []
    var ids: Set<String> = []
    for id in html.all.compactMap({ $0["id"] }) where !ids.insert(id).inserted {
      findings.append(Finding("F2", "the id \(id) stands twice"))
    }
    for element in html.all {
      for attribute in ["for", "aria-describedby", "aria-labelledby", "aria-controls"] {
        let targets = element[attribute]?.split(separator: " ").map(String.init) ?? []
        findings += targets.filter { !ids.contains($0) }
          .map {
            Finding("F2", "\(attribute) of <\(element.tag)> points at \($0), which is not there")
          }
      }
      if let href = element["href"], href.hasPrefix("#"), !ids.contains(String(href.dropFirst())) {
        findings.append(Finding("F2", "a link leads to \(href), which is not there"))
      }
    }
    return findings
  }
}

extension HTML.Element {
  /// The texts that stand in it directly.
  fileprivate var ownTexts: [String] {
    children.compactMap { node in
      if case .text(let text) = node { text } else { nil }
    }
  }
}
