import AuthFlow
@testable import ClerkFrontendAPI
import Foundation
import Testing

@Suite("The notes on error codes")
struct ErrorCodeNotesTests {
  private static let article =
    "Sources/ClerkFrontendAPI/ClerkFrontendAPI.docc/ClerkErrorCodes.md"
  private static let begin = "<!-- every code: written by a test -->\n\n"
  private static let end = "<!-- every code: end -->"

  private static let tables: [(heading: String, rows: [CatalogueTests.Row])] = [
    ("Form fields", CatalogueTests.formFields), ("Passwords", CatalogueTests.passwords),
    ("Attempts and verifications", CatalogueTests.attempts),
    ("Access and rate", CatalogueTests.access),
    (
      "Authentication and set-up",
      CatalogueTests.authentication + CatalogueTests.forbidden + CatalogueTests.wordsOfTheAPI
    ),
  ]

  @Test("say what the catalogue makes of every code; UPDATE_NOTES=1 writes them")
  func everyCode() throws {
    let text = try String(contentsOfFile: Self.article, encoding: .utf8)
    let begin = try #require(text.firstRange(of: Self.begin))
    let end = try #require(text.firstRange(of: Self.end))
    let generated = try Self.tables.map(Self.table).joined(separator: "\n") + "\n"
    guard ProcessInfo.processInfo.environment["UPDATE_NOTES"] == nil else {
      let updated = text[..<begin.upperBound] + generated + text[end.lowerBound...]
      try String(updated).write(toFile: Self.article, atomically: true, encoding: .utf8)
      return
    }
    #expect(text[begin.upperBound..<end.lowerBound] == generated)
  }

  /// A table, with the codes of one meaning in one row.
  private static func table(_ heading: String, _ rows: [CatalogueTests.Row]) throws -> String {
    var meanings: [(codes: [String], meaning: String)] = []
    for code in rows.map(\.code) {
      let meaning = try meaning(of: code)
      if let index = meanings.firstIndex(where: { $0.meaning == meaning }) {
        meanings[index].codes.append("`\(code)`")
      } else {
        meanings.append((["`\(code)`"], meaning))
      }
    }
    let lines = meanings.map { "| \($0.codes.joined(separator: ", ")) | \($0.meaning) |\n" }
    return "## \(heading)\n\n| code | reason | where |\n|---|---|---|\n" + lines.joined()
  }

  /// The reason, the reasons for other purposes, and the place.
  private static func meaning(of code: String) throws -> String {
    let usual = try verdict(on: code, .signIn)
    var others: [(reason: String, purposes: [String])] = []
    for (purpose, words) in [
      (Call.Purpose.signUp, "sign-up"), (.newPassword, "new password"), (.session, "session"),
      (.task, "task"),
    ] {
      let reason = name(of: try verdict(on: code, purpose).reason)
      guard reason != name(of: usual.reason) else { continue }
      if let index = others.firstIndex(where: { $0.reason == reason }) {
        others[index].purposes.append(words)
      } else {
        others.append((reason, [words]))
      }
    }
    let reasons =
      [name(of: usual.reason)]
      + others.map { "\($0.purposes.joined(separator: ", ")): \($0.reason)" }
    let place =
      switch usual.place {
      case .field(nil): "field"
      case .field(let field?): "field `\(field.name)`"
      case .banner: "banner"
      }
    return "\(reasons.joined(separator: "; ")) | \(place)"
  }

  private static func verdict(on code: String, _ purpose: Call.Purpose) throws -> Verdict {
    try #require(ErrorCatalogue.verdict(on: code, in: Circumstances(purpose: purpose, now: now)))
  }

  /// A reason without what it carries.
  private static func name(of reason: Reason) -> String {
    "`\(String(describing: reason).prefix { $0 != "(" })`"
  }
}
