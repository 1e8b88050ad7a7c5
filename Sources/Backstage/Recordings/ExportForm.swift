internal import AuthFlow
internal import Emulators
internal import Foundation
internal import Headless
internal import Pages

/// The formats in which a recorded walk is exported; raw values are file extensions.
enum ExportForm: String, CaseIterable {
  case sh, swift, py
  case playwright = "playwright.py"
  case story = "story.json"

  /// Its name in the workbench.
  var title: String {
    switch self {
    case .sh: "Shell script with curl"
    case .swift: "Swift Testing"
    case .py: "pytest, standard library only"
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

  /// The name of a walk's file.
  ///
  /// Pytest runs files that begin with `test_` and have a single dot in their name.
  func fileName(of story: Story) -> String {
    let name = story.title == Recorder.title ? "walk" : story.name
    let pythonName = name.replacing("-", with: "_")
    return switch self {
    case .py: "test_\(pythonName).py"
    case .playwright: "test_\(pythonName)_playwright.py"
    case .sh, .swift, .story: "\(name).\(rawValue)"
    }
  }

  /// The walk in this format.
  ///
  /// - Parameters:
  ///   - story: The walk; every step that leads to a page expects the page's whole outline.
  ///   - document: The story's file.
  ///   - options: The program's options that shape fresh worlds, such as `--users`.
  /// - Returns: The text of the file.
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
  /// The title as words for the name of a function: ASCII letters and digits.
  var words: [String] {
    let words = title.asciiWords
    return words.isEmpty ? ["recorded", "walk"] : words
  }

  /// The title without line breaks, for a comment.
  var titleLine: String { title.onOneLine }

  /// The API that it was walked over: a recorded walk names it.
  var walkedAPI: String { api ?? EmulatedAPI.usual.rawValue }

  /// The API and options that it was walked with, as a comment of a script that runs against a
  /// separate server.
  func apiLine(under options: [String]) -> String {
    let names = options.joined(separator: " and ")
    let others = options.isEmpty ? "" : ", or without the same \(names),"
    return "# Walked with --api \(walkedAPI): with another one\(others) pages and codes differ."
  }
}

extension JSON {
  /// The story's file, naming in its summary the options that it was walked with, if any.
  fileprivate func walked(under options: [String]) -> JSON {
    guard !options.isEmpty else { return self }
    var document = self
    let names = options.joined(separator: " and ")
    document["summary"] = .string("A recorded walk, with \(names): it needs the same.")
    return document
  }
}

extension Story.Step {
  /// Its sentence without line breaks, for a comment.
  var line: String { say.onOneLine }
}

extension String {
  fileprivate var onOneLine: String { filter { !$0.isNewline } }
}

extension Story.Expectation {
  /// The lines of the outline; nil if the step expects no page.
  var lines: [String]? { page == nil ? nil : outline.lines }
}

extension String {
  /// As a Python string literal, in ASCII and on one line.
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

  /// As a string literal of Swift or TypeScript, on one line; visible characters are not escaped.
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
  /// Whether it is visible by itself, and does not change its neighbours.
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
