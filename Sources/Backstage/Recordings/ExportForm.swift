internal import AuthFlow
internal import Emulators
internal import Foundation
internal import Headless
internal import Pages

/// The forms in which a recorded walk is exported; the raw values are the endings of files.
enum ExportForm: String, CaseIterable {
  case sh, swift, py
  case playwright = "playwright.py"
  case story = "story.json"

  /// What the workbench calls it.
  var title: String {
    switch self {
    case .sh: "Shell script with curl"
    case .swift: "Swift Testing"
    case .py: "pytest, standard library alone"
    case .playwright: "Playwright"
    case .story: "Story"
    }
  }

  var contentType: String {
    switch self {
    case .sh, .swift, .py, .playwright: "text/plain; charset=utf-8"
    case .story: "application/json"
    }
  }

  /// What a file of it is called: pytest runs what begins with `test_`, by a name with a single dot.
  var fileName: String {
    switch self {
    case .py: "test_walk.py"
    case .playwright: "test_walk_playwright.py"
    case .sh, .swift, .story: "walk.\(rawValue)"
    }
  }

  /// The walk in this form.
  ///
  /// - Parameters:
  ///   - story: The walk, of which every step with a page has the whole of its outline.
  ///   - document: The story's file.
  ///   - options: Those of the program that made fresh worlds what they were, such as `--users`.
  /// - Returns: The text of a file.
  func text(of story: Story, _ document: JSON, under options: [String] = []) -> String {
    switch self {
    case .sh: ShellExport.text(of: story, under: options)
    case .swift: SwiftExport.text(of: story, under: options)
    case .py: PythonExport.text(of: story, under: options)
    case .playwright: PlaywrightExport.text(of: story, under: options)
    case .story: document.walked(under: options).indented() + "\n"
    }
  }
}

extension Story {
  /// The title as a name of functions: letters and digits of ASCII, word by word.
  var words: [String] {
    let words = title.asciiWords
    return words.isEmpty ? ["recorded", "walk"] : words
  }

  /// The title as a comment can hold it.
  var titleLine: String { title.onOneLine }

  /// The API that it was walked over: a recorded walk names it.
  var walkedAPI: String { api ?? EmulatedAPI.usual.rawValue }

  /// Over which API and under which options it was walked, as a comment of a script that is started
  /// beside a server.
  func apiLine(under options: [String]) -> String {
    let names = options.joined(separator: " and ")
    let others = options.isEmpty ? "" : ", or without the same \(names),"
    return "# Walked over --api \(walkedAPI): over another one\(others) pages and codes differ."
  }
}

extension JSON {
  /// A story's file that says under which options it was walked, where there were any.
  fileprivate func walked(under options: [String]) -> JSON {
    guard !options.isEmpty else { return self }
    var document = self
    let names = options.joined(separator: " and ")
    document["summary"] = .string("A walk that was recorded, under \(names): it needs the same.")
    return document
  }
}

extension Story.Step {
  /// What it says, for a comment that ends with its line.
  var line: String { say.onOneLine }
}

extension String {
  fileprivate var onOneLine: String { filter { !$0.isNewline } }
}

extension Story.Expectation {
  /// Nil where a step leads to no page that is told.
  var lines: [String]? { page == nil ? nil : outline.lines }
}

extension String {
  /// As a literal of Python: a line of ASCII.
  var quotedForPython: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case " "..."~": text.unicodeScalars.append(scalar)
      case _ where scalar.value > 0xFFFF: text += "\\U" + scalar.hexadecimal(8)
      default: text += "\\u" + scalar.hexadecimal(4)
      }
    }
    return text + "\""
  }

  /// As a literal of Swift, and of TypeScript: a line in which what can be seen stays what it is.
  var quotedForSwift: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case _ where scalar == " " || scalar.properties.isVisible:
        text.unicodeScalars.append(scalar)
      default: text += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return text + "\""
  }

  /// As one word of a POSIX shell.
  var quotedForShell: String { ShellText.quoted(self) }
}

extension Unicode.Scalar.Properties {
  /// Whether it is seen by itself, and changes nothing of what stands beside it.
  fileprivate var isVisible: Bool {
    switch generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator, .spaceSeparator, .nonspacingMark, .spacingMark, .enclosingMark:
      isAlphabetic
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation,
      .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
      .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
      true
    @unknown default: false
    }
  }
}

extension Unicode.Scalar {
  fileprivate func hexadecimal(_ width: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
