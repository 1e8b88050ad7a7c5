internal import Foundation
internal import Headless

/// A walk as a test of Swift Testing, with `VestibuleTesting`.
enum SwiftExport {
  static func text(of story: Story, under options: [String]) -> String {
    let words = story.words
    // A function's name cannot begin with a number, or be a keyword.
    let isName = words.count > 1 && words[0].first?.isNumber == false
    let first = isName ? words[0] : "walk\(words[0].capitalized)"
    let name = ([first] + words.dropFirst().map(\.capitalized)).joined()
    var lines = [
      "// Recorded by Vestibule. Runs in a fresh world of the server at VESTIBULE_URL, else in process."
    ]
    if !options.isEmpty {
      let names = options.joined(separator: " and ")
      lines.append("// Walked with \(names): without the same, as in process, pages differ.")
    }
    lines += [
      "// swift-format-ignore-file", "",
      "import Testing", "import VestibuleTesting", "",
      "@Test(\(story.titleLine.quotedForSwift))", "func \(name)() async throws {",
      "  try await TestVestibule.walking(over: \"\(story.walkedAPI)\") { browser, backstage in",
    ]
    lines += story.preparations.map(self.line)
    for (index, step) in story.steps.enumerated() {
      lines += ["", "    // \(step.line)"] + self.lines(of: step, number: index + 1)
    }
    return (lines + ["  }", "}"]).joined(separator: "\n") + "\n"
  }

  private static func lines(of step: Story.Step, number: Int) -> [String] {
    guard let outline = step.expectation.lines else { return lines(of: step.action) }
    // `#expect` shows no values of an expression that it awaits, so the page gets a name first.
    let page = "page\(number)"
    var lines = self.lines(of: step.action, as: page)
    var lookedAt = page
    if step.action?.leadsToPage != true {
      lines.append("    let \(page) = await browser.page")
      lookedAt += "?"
    }
    lines += ["    #expect(", "      \(lookedAt).outline.lines == ["]
    return lines + outline.map { "        \($0.quotedForSwift)," } + ["      ]", "    )"]
  }

  /// - Parameters:
  ///   - action: The action.
  ///   - page: The name for the page that it leads to; nil leaves the page unnamed.
  /// - Returns: The lines of code.
  private static func lines(of action: Story.Action?, as page: String? = nil) -> [String] {
    let begin = "    \(page.map { "let \($0) = " } ?? "")try await browser."
    switch action {
    case .open(.path(let path)): return ["\(begin)open(\(path.quotedForSwift))"]
    case .open(.link(let filter)):
      return ["\(begin)open(backstage.latestLink(\(arguments(filter))))"]
    case .submit(let inputs, let form):
      let fields = inputs.sorted { $0.key < $1.key }
        .map { "      \($0.key.quotedForSwift): \(value(of: $0.value))," }
      let name = form.map { "form: \($0.quotedForSwift)" } ?? ""
      guard !fields.isEmpty else { return ["\(begin)submit(\(name))"] }
      return ["\(begin)submit(["] + fields + ["    ]\(form == nil ? "" : ", \(name)"))"]
    case .stand(let page, let state):
      let name = state.map { ", \($0.quotedForSwift)" } ?? ""
      return ["\(begin)stand(at: \(page.quotedForSwift)\(name))"]
    case .deed(let deed): return deed.calls.map(self.line)
    case nil: return []
    }
  }

  private static func line(of call: Story.Call) -> String {
    let path =
      switch call.place {
      case .path(let path): path.quotedForSwift
      case .user(let identifier):
        "\"users/\\(try await backstage.userID(of: \(identifier.quotedForSwift)))\""
      case .message(let filter):
        "\"messages/\\(try await backstage.latestMessage(\(arguments(filter))).id)\""
      }
    let body = call.body.map { ", json: \($0.text.quotedForSwift)" } ?? ""
    return "    try await backstage.send(\"\(call.method)\", \(path)\(body))"
  }

  private static func value(of input: Story.Input) -> String {
    switch input {
    case .text(let text): text.quotedForSwift
    case .latest(let filter): "try await backstage.latestCode(\(arguments(filter)))"
    case .totp(let identifier):
      "try await backstage.authenticatorCode(of: \(identifier.quotedForSwift))"
    }
  }

  private static func arguments(_ filter: Story.MessageFilter) -> String {
    "to: \(filter.to.quotedForSwift)"
      + (filter.purpose.map { ", purpose: \($0.quotedForSwift)" } ?? "")
  }
}

extension Story.Action {
  /// Whether the browser's call returns the page that it led to.
  fileprivate var leadsToPage: Bool {
    switch self {
    case .open, .submit, .stand: true
    case .deed: false
    }
  }
}
