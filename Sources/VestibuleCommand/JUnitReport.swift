import Foundation
import Headless

/// A report of played stories as JUnit's XML, which build servers read.
///
/// It says of each story what the terminal does: which step differed from what is expected, and how.
struct JUnitReport {
  private let api: String
  private let played: [PlayedStory]
  private let begin: Date

  /// - Parameters:
  ///   - api: The name of the auth API.
  ///   - played: The stories, in the order in which they were played.
  ///   - begin: When the first one began.
  init(_ api: String, _ played: [PlayedStory], begunAt begin: Date) {
    self.api = api
    self.played = played
    self.begin = begin
  }

  /// The whole file.
  var document: [UInt8] {
    var (failures, errors) = (0, 0)
    for story in played {
      switch story.outcome {
      case .asTold: break
      case .otherwise: failures += 1
      case .notBegun: errors += 1
      }
    }
    let time = played.reduce(Duration.zero) { $0 + $1.duration }.written
    let counts =
      "tests=\"\(played.count)\" failures=\"\(failures)\" errors=\"\(errors)\" time=\"\(time)\""
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<testsuites name="vestibule" \#(counts)>"#,
      #"  <testsuite name="\#(api)" skipped="0" timestamp="\#(timestamp)" \#(counts)>"#,
    ]
    lines += played.map { element($0) }
    lines += ["  </testsuite>", "</testsuites>", ""]
    return Array(lines.joined(separator: "\n").utf8)
  }

  /// In UTC, without a zone, as the schema has it.
  private var timestamp: String { String(begin.formatted(.iso8601).dropLast()) }

  private func element(_ story: PlayedStory) -> String {
    let start =
      #"    <testcase classname="vestibule.\#(api)" name="\#(Self.escaped(story.story.name))""#
      + #" time="\#(story.duration.written)""#
    switch story.outcome {
    case .asTold: return start + "/>"
    case .otherwise(let number, let say, let differences, let page):
      let message = "step \(number): \(differences.joined(separator: "; "))"
      var lines = ["Step \(number) of \(story.story.steps.count): \(say)"] + differences
      if let page { lines.append("The page is \(page)") }
      let text = lines.joined(separator: "\n")
      return start + Self.fault("failure", message, text)
    case .notBegun(let reason, _):
      return start + Self.fault("error", "the story cannot begin", reason)
    }
  }

  private static func fault(_ kind: String, _ message: String, _ text: String) -> String {
    ">\n      <\(kind) message=\"\(escaped(message))\">\(escaped(text))</\(kind)>\n    </testcase>"
  }

  /// Escaped for attributes and content; characters that XML does not allow at all are replaced.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: escaped += "&amp;"
      case 0x3C: escaped += "&lt;"
      case 0x3E: escaped += "&gt;"
      case 0x22: escaped += "&quot;"
      // In an attribute, a reader would make a blank of them.
      case 0x09, 0x0A, 0x0D: escaped += "&#\(scalar.value);"
      case 0..<0x20, 0xFFFE, 0xFFFF: escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
