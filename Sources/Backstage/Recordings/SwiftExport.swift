internal import Foundation
internal import Headless

/// A walk as a test of Swift Testing, with `VestibuleTesting`.
enum SwiftExport {
  static func text(of story: Story) -> String {
    let words = story.words
    // No function is named by a number, nor by a word of the language.
    let isName = words.count > 1 && words[0].first?.isNumber == false
    let first = isName ? words[0] : "walk\(words[0].capitalized)"
    let name = ([first] + words.dropFirst().map(\.capitalized)).joined()
    var lines = [
      "// Recorded by Vestibule. Runs in a fresh world of the server at VESTIBULE_URL, else in process.",
      "// swift-format-ignore-file", "",
      "import Testing", "import VestibuleTesting", "",
      "@Test(\(story.titleLine.quotedForSwift))", "func \(name)() async throws {",
      "  try await TestVestibule.walking(over: \"\(story.api ?? "clerk")\") { browser, backstage in",
    ]
    lines += story.preparations.map { call($0.method, $0.path.quotedForSwift, $0.body) }
    for step in story.steps {
      lines += ["", "    // \(step.say)"]
      if let action = step.action { lines += self.lines(of: action) }
      if let outline = step.expectation.lines {
        lines.append("    #expect(")
        lines.append("      await browser.page?.outline.lines == [")
        lines += outline.map { "        \($0.quotedForSwift)," } + ["      ]", "    )"]
      }
    }
    return (lines + ["  }", "}"]).joined(separator: "\n") + "\n"
  }

  private static func lines(of action: Story.Action) -> [String] {
    switch action {
    case .open(.path(let path)): return ["    try await browser.open(\(path.quotedForSwift))"]
    case .open(.link(let filter)):
      return ["    try await browser.open(backstage.latestLink(\(arguments(filter))))"]
    case .submit(let inputs, let form):
      let fields = inputs.sorted { $0.key < $1.key }
        .map { "      \($0.key.quotedForSwift): \(value(of: $0.value))," }
      let name = form.map { "form: \($0.quotedForSwift)" } ?? ""
      guard !fields.isEmpty else { return ["    try await browser.submit(\(name))"] }
      return ["    try await browser.submit(["] + fields + [
        "    ]\(form == nil ? "" : ", \(name)"))"
      ]
    case .clock(let body): return [call("POST", "\"clock\"", body.text)]
    case .settings(let body): return [call("PATCH", "\"instance\"", body.text)]
    case .fault(let body): return [call("POST", "\"faults\"", body.text)]
    case .user(let identifier, let change):
      let path = "\"users/\\(try await backstage.userID(of: \(identifier.quotedForSwift)))\""
      return [call("PATCH", path, change.text)]
    }
  }

  private static func call(_ method: String, _ path: String, _ body: String) -> String {
    "    try await backstage.send(\"\(method)\", \(path), json: \(body.quotedForSwift))"
  }

  private static func value(of input: Story.Input) -> String {
    switch input {
    case .text(let text): text.quotedForSwift
    case .latest(let filter): "try await backstage.latestCode(\(arguments(filter)))"
    case .totp(let identifier):
      "try await backstage.authenticatorCode(of: backstage.userID(of: \(identifier.quotedForSwift)))"
    }
  }

  private static func arguments(_ filter: Story.MessageFilter) -> String {
    "to: \(filter.to.quotedForSwift)"
      + (filter.purpose.map { ", purpose: \($0.quotedForSwift)" } ?? "")
  }
}
